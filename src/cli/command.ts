import type { Context } from '../context.ts'
import type { Result } from '../result.ts'
import type { ArgumentSpecs, ArgumentsOf } from './arguments.ts'
import type { OptionSpecs, OptionsOf } from './options.ts'

export interface Command<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** Sentence case, no full stop. */
  readonly summary: string
  readonly details?: string
  readonly args: A
  readonly options: O
  /** For the sandbox, without the leading `analytics`; a caption follows `#`. */
  readonly examples: readonly string[]
  run(args: ArgumentsOf<A>, options: OptionsOf<O>, context: Context): Promise<Result>
}

export function defineCommand<const A extends ArgumentSpecs, const O extends OptionSpecs>(
  command: Command<A, O>,
): Command<A, O> {
  return command
}

type Load = () => Promise<Command>

interface Group {
  readonly summary: string
  readonly commands: Readonly<Record<string, Load>>
}

export type Tree = Readonly<Record<string, Group | Load>>

/** Aliases of the commands of a group. */
export const aliases: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm', get: 'show' }
