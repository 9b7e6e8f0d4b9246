import type { Endpoint, Kinds } from '../api/endpoints.ts'
import type { Context } from '../context.ts'
import type { ExitCode } from '../errors.ts'
import type { Result } from '../result.ts'
import type { ArgumentSpecs, ArgumentsOf } from './arguments.ts'
import type { OptionSpecs, OptionsOf } from './options.ts'

export interface Command<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** Sentence case, no full stop. */
  readonly summary: string
  readonly details?: string
  readonly calls: readonly Endpoint[]
  /** Additional to the exit codes that follow from `calls`. */
  readonly exits?: readonly ExitCode[]
  readonly args: A
  readonly options: O
  /** Fields of rows that this program makes; `calls` gives those of the service. */
  readonly fields?: Kinds
  /** For the sandbox, without the leading `analytics`; a caption follows `#`. */
  readonly examples: readonly string[]
  /** Throws a `Failure` for every exit code except 0. */
  run(args: ArgumentsOf<A>, options: OptionsOf<O>, context: Context): Promise<Result>
}

export function defineCommand<const A extends ArgumentSpecs, const O extends OptionSpecs>(
  command: Command<A, O>,
): Command<A, O> {
  return command
}

export function splitExample(example: string): { readonly line: string; readonly caption: string | undefined } {
  const [, line = example, caption] = /^(.*?) # (.*)$/s.exec(example) ?? []
  return { line, caption }
}

/** Below its caption; a long line continues after a backslash. */
export function exampleLines(example: string, width: number): readonly string[] {
  const { line, caption } = splitExample(example)
  const lines: string[] = []
  for (const piece of line.split(/ (?=-{1,2}[a-z])/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + piece.length <= width - 2) lines[lines.length - 1] = `${last} ${piece}`
    else lines.push(lines.length === 0 ? piece : `      ${piece}`)
  }
  return [...(caption ? [`# ${caption}`] : []), lines.join(' \\\n')]
}

export const programSummary = 'Administer an analytics service: persons, plugins, event definitions, projects'

export type Load = () => Promise<Command>

export interface Group {
  readonly summary: string
  readonly commands: Readonly<Record<string, Load>>
  /** Commands that people try and that cannot exist, with the alternative. */
  readonly absent?: Readonly<Record<string, { readonly reason: string; readonly instead: string }>>
}

export type Tree = Readonly<Record<string, Group | Load>>
