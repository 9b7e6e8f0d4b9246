import type { Context } from '../context.ts'
import type { Result } from '../result.ts'
import { type Collection, checkId, type OtherNames } from '../values/ids.ts'
import type { OptionSpecs, OptionsOf } from './options.ts'

export interface Command<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** Sentence case, no full stop. */
  readonly summary: string
  readonly details?: string
  readonly args?: A
  readonly options?: O
  /** For the sandbox, without the leading `analytics`; a caption follows `#`. */
  readonly examples: readonly string[]
  run(args: ArgumentsOf<A>, options: OptionsOf<O>, context: Context): Promise<Result>
}

type None = Readonly<Record<never, never>>

export function defineCommand<const A extends ArgumentSpecs = None, const O extends OptionSpecs = None>(
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

export const aliases: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm', get: 'show' }

interface ArgumentSpec<T = unknown> {
  /** In commander's form, such as `<ID>`. */
  readonly flags: string
  readonly summary: string
  readonly choices: readonly string[]
  readonly check: (word: string) => unknown
  take(words: readonly string[]): T
}

type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>

type ArgumentsOf<S extends ArgumentSpecs> = {
  readonly [N in keyof S]: S[N] extends ArgumentSpec<infer T> ? T : never
}

const plain = { choices: [], check: (word: string): unknown => word }

export function argument(value: string, summary: string): ArgumentSpec<string> {
  return { ...plain, flags: `<${value}>`, summary, take: ([word = '']) => word }
}

export function optionalArgument(value: string, summary: string): ArgumentSpec<string | undefined> {
  return { ...plain, flags: `[${value}]`, summary, take: ([word]) => word }
}

export function manyArguments(value: string, summary: string): ArgumentSpec<readonly string[]> {
  return { ...plain, flags: `[${value}...]`, summary, take: words => words }
}

/** `names`: options that identify the object in another way. */
export function idArgument<S extends ArgumentSpec>(argument: S, collection: Collection, names?: OtherNames): S {
  return { ...argument, check: word => checkId(collection, word, names) }
}
