import type { Endpoint, Kinds } from '../api/endpoints.ts'
import type { Context, Result } from '../context.ts'
import type { ExitCode } from '../errors.ts'
import type { ArgumentSpecs, ArgumentsOf, OptionSpecs, OptionsOf } from './options.ts'

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
