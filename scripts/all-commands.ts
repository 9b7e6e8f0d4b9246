import type { Command as Parser } from 'commander'
import type { Command } from '../src/cli/command.ts'
import { declareBelow, declareWords, readCommandLine } from '../src/cli/program.ts'
import { tree } from '../src/commands/tree.ts'

export interface Declared {
  /** Such as `persons delete`. */
  readonly words: string
  readonly command: Command
  readonly parser: Parser
}

/** The program with all its commands, for tests and for `docs/`. */
export async function allCommands(): Promise<{ readonly program: Parser; readonly commands: readonly Declared[] }> {
  const { parser: program } = await readCommandLine([], tree)
  await declareBelow(program, tree)
  for (const group of program.commands) {
    const node = tree[group.name()]
    if (typeof node !== 'object') continue
    declareWords(group, node.commands)
    await declareBelow(group, node.commands)
  }
  const commands = program.commands.flatMap(parser => {
    const node = tree[parser.name()]
    if (typeof node === 'function') return [{ words: parser.name(), load: node, parser }]
    return parser.commands.flatMap(verb => {
      const load = node?.commands[verb.name()]
      return load ? [{ words: `${parser.name()} ${verb.name()}`, load, parser: verb }] : []
    })
  })
  return {
    program,
    commands: await Promise.all(commands.map(async ({ load, ...one }) => ({ ...one, command: await load() }))),
  }
}
