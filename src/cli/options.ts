import { type Collection, checkId, type OtherNames } from '../values/ids.ts'
import { boolean, type Kind } from '../values/kinds.ts'

export interface OptionSpec<T = unknown> {
  readonly kind: Kind<unknown>
  /** `value` takes one value, `repeated` one each time, `switch` and `toggle` none; `toggle` has a `--no-` form. */
  readonly form: 'value' | 'repeated' | 'switch' | 'toggle'
  readonly value: string
  readonly summary: string
  readonly short?: `-${string}`
  /** Heading in help; without it, the option is listed with the command's own. */
  readonly section?: HelpSection
  /** The value that counts if there are several; without it, a different second value is refused. */
  readonly counts?: 'last' | 'smallest'
  /** Only a type: what `run` receives. */
  readonly type?: T
}

export type HelpSection = 'Fields' | 'Targets' | 'Lists' | 'Guards' | 'Run' | 'Records'

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

export type OptionsOf<S extends OptionSpecs> = { readonly [N in keyof S]: S[N] extends OptionSpec<infer T> ? T : never }

export function isBulk(options: OptionSpecs): boolean {
  return 'maxFailures' in options
}

/** A different second value is refused, since it would silently replace the first. */
export function option<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<T | undefined> {
  return { kind, form: 'value', value, summary }
}

/** A later value replaces that of a wrapper script or an alias. */
export function replaceable<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<T | undefined> {
  return { ...option(kind, value, summary), counts: 'last' }
}

/** A later limit cannot raise an earlier one. */
export function smallest(kind: Kind<number>, value: string, summary: string): OptionSpec<number | undefined> {
  return { ...option(kind, value, summary), counts: 'smallest' }
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
  /** Throws `UsageError`. */
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

/** `names`: options that name the object in another way. */
export function idArgument<S extends ArgumentSpec>(argument: S, collection: Collection, names: OtherNames = {}): S {
  return { ...argument, check: word => checkId(collection, word, names) }
}

export const personNames = { email: '--email', text: 'a distinct id use --distinct-id' } satisfies OtherNames

export const personFinders = {
  email: 'the id that analytics persons get --email EMAIL -o ids shows',
  text: 'a distinct id use the id that analytics persons get --distinct-id ID -o ids shows',
} satisfies OtherNames

/** `mainDistinctId` and `main_distinct_id` → `--main-distinct-id`. */
export function optionName(name: string): `--${string}` {
  return `--${name.replaceAll('_', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}
