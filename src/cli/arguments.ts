import type { Command as Parser } from 'commander'
import { type Collection, checkId, type OtherNames } from '../values/ids.ts'

export interface ArgumentSpec<T = unknown> {
  /** Such as `<ID>`, as commander reads it. */
  readonly flags: string
  readonly summary: string
  readonly choices: readonly string[]
  readonly check: (word: string) => unknown
  take(words: readonly string[]): T
}

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>

export type ArgumentsOf<S extends ArgumentSpecs> = {
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
export function idArgument<S extends ArgumentSpec>(argument: S, collection: Collection, names: OtherNames = {}): S {
  return { ...argument, check: word => checkId(collection, word, names) }
}

export function declareArguments(parser: Parser, specs: ArgumentSpecs): void {
  for (const { check, choices, flags, summary } of Object.values(specs)) {
    const declared = parser.createArgument(flags, summary)
    if (choices.length > 0) declared.choices(choices)
    else declared.argParser((word: string, _: unknown) => check(word))
    parser.addArgument(declared)
  }
  parser.usage([...Object.values(specs).map(({ flags }) => flags), '[options]'].join(' '))
}
