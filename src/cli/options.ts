/** How a command declares options and arguments; the types that `run` receives follow from this. */
import { type Collection, checkId, type OtherNames } from '../values/ids.ts'
import { boolean, type Kind } from '../values/kinds.ts'

export interface OptionSpec<T = unknown> {
  readonly kind: Kind<unknown>
  /** `value` takes one, `repeated` one each time, `switch` none, `toggle` none and has a `--no-` form. */
  readonly form: 'value' | 'repeated' | 'switch' | 'toggle'
  readonly value: string
  readonly summary: string
  readonly short?: `-${string}`
  /** The heading of help below which it stands; else it stands among the command's own. */
  readonly section?: HelpSection
  /** Which of several values counts; else a second one that differs is refused. */
  readonly counts?: 'last' | 'smallest'
  /** For the compiler only: the type that `run` receives. */
  readonly type?: T
}

export type HelpSection = 'Fields' | 'Targets' | 'Lists' | 'Guards' | 'Run' | 'Records'

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

export type OptionsOf<S extends OptionSpecs> = { readonly [N in keyof S]: S[N] extends OptionSpec<infer T> ? T : never }

/** Whether a command works on many objects, as a job. */
export function isBulk(options: OptionSpecs): boolean {
  return 'maxFailures' in options
}

/** A second value would silently replace the first, so it is refused. */
export function option<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<T | undefined> {
  return { kind, form: 'value', value, summary }
}

/** A later value replaces one of a wrapper or an alias. */
export function replaceable<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<T | undefined> {
  return { ...option(kind, value, summary), counts: 'last' }
}

/** A later limit never raises an earlier one. */
export function smallest(kind: Kind<number>, value: string, summary: string): OptionSpec<number | undefined> {
  return { ...option(kind, value, summary), counts: 'smallest' }
}

/** Undefined where none is given. */
export function smallestOf(...given: readonly (number | null | undefined)[]): number | undefined {
  const numbers = given.filter(one => typeof one === 'number')
  return numbers.length > 0 ? Math.min(...numbers) : undefined
}

export function repeated<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<readonly T[]> {
  return { kind, form: 'repeated', value, summary }
}

export function flag(summary: string, short?: `-${string}`): OptionSpec<boolean> {
  return { kind: boolean, form: 'switch', value: '', summary, ...(short ? { short } : {}) }
}

export function toggle(summary: string): OptionSpec<boolean | undefined> {
  return { kind: boolean, form: 'toggle', value: '', summary }
}

export function inSection<const S extends OptionSpecs>(section: HelpSection, specs: S): S {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, section }])) as S &
    OptionSpecs
}

export interface ArgumentSpec<T = unknown> {
  readonly value: string
  readonly summary: string
  readonly form: 'required' | 'optional' | 'many'
  /** Throws `UsageError` for an invalid word. */
  readonly check?: (word: string) => unknown
  readonly type?: T
}

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>

export type ArgumentsOf<S extends ArgumentSpecs> = {
  readonly [N in keyof S]: S[N] extends ArgumentSpec<infer T> ? T : never
}

export function argument(value: string, summary: string): ArgumentSpec<string> {
  return { value, summary, form: 'required' }
}

export function optionalArgument(value: string, summary: string): ArgumentSpec<string | undefined> {
  return { value, summary, form: 'optional' }
}

export function manyArguments(value: string, summary: string): ArgumentSpec<readonly string[]> {
  return { value, summary, form: 'many' }
}

/** An argument that is an id; `names`: options that name the object in another way. */
export function idArgument<S extends ArgumentSpec>(argument: S, collection: Collection, names: OtherNames = {}): S {
  return { ...argument, check: word => checkId(collection, word, names) }
}

export const personNames = { email: '--email', text: 'a distinct id use --distinct-id' } satisfies OtherNames

/** For commands that take the id of a person only. */
export const personFinders = {
  email: 'the id that analytics persons get --email EMAIL -o ids shows',
  text: 'a distinct id use the id that analytics persons get --distinct-id ID -o ids shows',
} satisfies OtherNames

/** `mainDistinctId` and `main_distinct_id` → `--main-distinct-id`. */
export function optionName(name: string): `--${string}` {
  return `--${name.replaceAll('_', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
