import type { Command as Parser } from 'commander'
import { type Collection, checkId, type OtherNames } from '../values/ids.ts'

export interface ArgumentSpec<T = unknown> {
  readonly value: string
  readonly summary: string
  readonly form: 'required' | 'optional' | 'many'
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
  return { ...plain, value, summary, form: 'required', take: ([word = '']) => word }
}

export function optionalArgument(value: string, summary: string): ArgumentSpec<string | undefined> {
  return { ...plain, value, summary, form: 'optional', take: ([word]) => word }
}

export function manyArguments(value: string, summary: string): ArgumentSpec<readonly string[]> {
  return { ...plain, value, summary, form: 'many', take: words => words }
}

/** `names`: options that name the object in another way. */
export function idArgument<S extends ArgumentSpec>(argument: S, collection: Collection, names: OtherNames = {}): S {
  return { ...argument, check: word => checkId(collection, word, names) }
}

const flags = {
  required: (value: string) => `<${value}>`,
  optional: (value: string) => `[${value}]`,
  many: (value: string) => `[${value}...]`,
}

export function declareArguments(parser: Parser, specs: ArgumentSpecs): void {
  for (const { check, choices, form, summary, value } of Object.values(specs)) {
    const declared = parser.createArgument(flags[form](value), summary)
    if (choices.length > 0) declared.choices(choices)
    else declared.argParser((word: string, _: unknown) => check(word))
    parser.addArgument(declared)
  }
  const terms = Object.values(specs).map(({ form, value }) => flags[form](value))
  parser.usage([...terms, '[options]'].join(' '))
}
