import type { Command as Parser } from 'commander'
import { UsageError } from '../errors.ts'
import { type Collection, checkId, type OtherNames } from '../values/ids.ts'

export interface ArgumentSpec<T = unknown> {
  readonly value: string
  readonly summary: string
  readonly form: 'required' | 'optional' | 'many'
  /** Throws `UsageError`. */
  readonly check?: (word: string) => unknown
  /** `words` begin at this argument. */
  take(words: readonly string[]): T
}

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>

export type ArgumentsOf<S extends ArgumentSpecs> = {
  readonly [N in keyof S]: S[N] extends ArgumentSpec<infer T> ? T : never
}

export function argument(value: string, summary: string): ArgumentSpec<string> {
  return { value, summary, form: 'required', take: ([word = '']) => word }
}

export function optionalArgument(value: string, summary: string): ArgumentSpec<string | undefined> {
  return { value, summary, form: 'optional', take: ([word]) => word }
}

export function manyArguments(value: string, summary: string): ArgumentSpec<readonly string[]> {
  return { value, summary, form: 'many', take: words => words }
}

/** `names`: options that name the object in another way. */
export function idArgument<S extends ArgumentSpec>(argument: S, collection: Collection, names: OtherNames = {}): S {
  return { ...argument, check: word => checkId(collection, word, names) }
}

export const personNames = { email: '--email', text: 'a distinct id use --distinct-id' } satisfies OtherNames

export const personFinders = {
  email: 'the id that analytics persons get --email EMAIL -o ids shows',
  text: 'a distinct id use the id that analytics persons get --distinct-id ID -o ids shows',
} satisfies OtherNames

export function argumentLabel({ form, value }: ArgumentSpec): string {
  if (form === 'required') return value
  return form === 'many' ? `[${value}...]` : `[${value}]`
}

export function declareArguments(parser: Parser, specs: ArgumentSpecs): void {
  for (const spec of Object.values(specs)) {
    const { check, form, summary, value } = spec
    const declared = parser.createArgument(form === 'required' ? `<${value}>` : argumentLabel(spec), summary)
    if (check) declared.argParser((word: string, _: unknown) => check(word))
    parser.addArgument(declared)
  }
}

export function argumentProblem({ check }: ArgumentSpec, word: string): UsageError | undefined {
  try {
    check?.(word)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  return undefined
}
