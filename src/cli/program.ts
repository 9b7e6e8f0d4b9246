/** commander is the program: groups and verbs are its commands, and only the files of the words in use are loaded. */
import { CommanderError, type Help, type Option, Command as Parser } from 'commander'
import { UsageError } from '../errors.ts'
import { declareArguments } from './arguments.ts'
import type { Command, Load, Tree } from './command.ts'
import { declareEverywhere, declareOptions, type Everywhere, optionValues } from './options.ts'

export interface CommandLine extends Everywhere {
  /** Of the last word that names something. */
  readonly parser: Parser
  readonly command: Command | undefined
  /** The words that can follow. */
  readonly below: Tree
  readonly problem: UsageError | undefined
}

const aliases: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm', get: 'show' }

export async function readCommandLine(argv: readonly string[], tree: Tree): Promise<CommandLine> {
  const problems: UsageError[] = []
  const program = newProgram()
  const everywhere = declareEverywhere(program, problem => problems.push(problem))
  let [parser, below, command]: [Parser, Tree, Command | undefined] = [program, tree, undefined]
  const enter = (at: Parser, words: Tree) => {
    declareWords(at, words)
    at.hook('preSubcommand', async (_, chosen) => {
      const node = words[chosen.name()]
      parser = chosen
      below = typeof node === 'object' ? node.commands : {}
      if (typeof node !== 'function') return enter(chosen, below)
      command = await declareCommand(chosen, node)
      refuseOptionAsValue([...program.options, ...chosen.options], argv)
    })
  }
  enter(program, tree)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof UsageError) problems.unshift(error)
    else if (!(error instanceof CommanderError)) throw error
    // A group without a verb shows its help.
    else if (error.code !== 'commander.help') {
      const { usageErrorOf } = await import('./usage.ts')
      problems.push(usageErrorOf(error, parser, tree))
    }
  }
  return { ...everywhere(), parser, command, below, problem: problems[0] }
}

function newProgram(): Parser {
  const silent = () => undefined
  return new Parser('analytics')
    .exitOverride()
    .configureOutput({ writeErr: silent, outputError: silent })
    .helpOption(false)
    .helpCommand(false)
}

export function createHelp(): Help {
  return new Parser().createHelp()
}

function declareWords(parser: Parser, words: Tree): void {
  for (const [word, node] of Object.entries(words)) {
    const declared = parser.command(word).helpCommand(false)
    if (typeof node !== 'function') declared.summary(node.summary)
    const alias = parser.parent && aliases[word]
    if (alias && !(alias in words)) declared.alias(alias)
  }
}

async function declareCommand(parser: Parser, load: Load): Promise<Command> {
  const command = await load()
  parser.summary(command.summary)
  declareArguments(parser, command.args)
  declareOptions(parser, command.options)
  return command
}

/** For help and documentation: also the commands below groups where `deep`. */
export async function declareBelow(parser: Parser, words: Tree, deep = false): Promise<void> {
  for (const declared of parser.commands) {
    const node = words[declared.name()]
    if (typeof node === 'function') await declareCommand(declared, node)
    else if (node && deep) {
      declareWords(declared, node.commands)
      await declareBelow(declared, node.commands)
    }
  }
}

/** commander takes whatever stands behind an option as its value, but a shell drops a variable that is not set. */
function refuseOptionAsValue(options: readonly Option[], words: readonly string[]): void {
  for (let i = 0; i < words.length && words[i] !== '--'; i++) {
    const option = options.find(one => isNamed(one, words[i] ?? ''))
    if (!option?.required) continue
    // Only its name, because its value may be secret.
    const [next = ''] = words[++i]?.split('=') ?? []
    if (!options.some(({ long, short }) => next === long || (short && /^-[^-]/.test(next) && next.startsWith(short))))
      continue
    throw new UsageError(
      `${option.long} has no value: the next word is ${next}; is a variable of your shell not set?`,
      {
        hint: `Write ${option.long}=${next} if that is meant`,
      },
    )
  }
}

export function isNamed({ long, short }: Option, word: string): boolean {
  return word === long || word === short
}

export function rootOf(parser: Parser): Parser {
  return parser.parent ? rootOf(parser.parent) : parser
}

/** Those that lead to a parser, behind `analytics`. */
export function commandWords(parser: Parser): readonly string[] {
  return parser.parent ? [...commandWords(parser.parent), parser.name()] : []
}

export interface ParsedCommand {
  readonly args: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
}

export function parsedCommand({ parser }: CommandLine, { args, options }: Command): ParsedCommand {
  return {
    args: Object.fromEntries(Object.entries(args).map(([name, { take }], i) => [name, take(parser.args.slice(i))])),
    options: optionValues(parser, options),
  }
}
