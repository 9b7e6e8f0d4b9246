/** Declarations of options, and the one place that turns them into options of commander. */
import type { Option, Command as Parser } from 'commander'
import { type Setting, settingRows, type Values } from '../config/settings.ts'
import { UsageError } from '../errors.ts'
import { boolean, type Kind } from '../values/kinds.ts'

export interface OptionSpec<T = unknown> {
  readonly kind: Kind<unknown>
  /** `value` takes one value, `repeated` one each time, `switch` and `toggle` none; `toggle` has a `--no-` form. */
  readonly form: 'value' | 'repeated' | 'switch' | 'toggle'
  /** Name of the value in help. */
  readonly value: string
  readonly summary: string
  readonly short?: `-${string}`
  readonly section?: HelpSection
  /** What `run` receives where the option is not given. */
  readonly initial: T
  /** Names of options that say the same in another way, or the opposite. */
  readonly conflicts?: readonly string[]
}

const helpSections = ['Options', 'Fields', 'Targets', 'Lists', 'Guards', 'Run', 'Records'] as const

type HelpSection = (typeof helpSections)[number]

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

export type OptionsOf<S extends OptionSpecs> = { readonly [N in keyof S]: S[N] extends OptionSpec<infer T> ? T : never }

export function option<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<T | undefined> {
  return { kind, form: 'value', value, summary, initial: undefined }
}

export function repeated<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<readonly T[]> {
  return { kind, form: 'repeated', value, summary, initial: [] }
}

export function flag(summary: string): OptionSpec<boolean> {
  return { kind: boolean, form: 'switch', value: '', summary, initial: false }
}

export function toggle(summary: string): OptionSpec<boolean | undefined> {
  return { kind: boolean, form: 'toggle', value: '', summary, initial: undefined }
}

export function conflicting<S extends OptionSpec>(spec: S, ...conflicts: readonly string[]): S {
  return { ...spec, conflicts }
}

export function inSection<const S extends OptionSpecs>(section: HelpSection, specs: S): S {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, section }])) as S &
    OptionSpecs
}

/** `options`: those that are not given are undefined, false, 0 or empty. */
export function refuseBeside(reason: string, options: Readonly<Record<string, unknown>>, hint: string): void {
  const isGiven = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value))
  const [name] = Object.entries(options).find(([, value]) => isGiven(value)) ?? []
  if (name !== undefined) throw new UsageError(`${reason}, and cannot be combined with ${optionName(name)}`, { hint })
}

/** `mainDistinctId` and `main_distinct_id` → `--main-distinct-id`. */
export function optionName(name: string): `--${string}` {
  return `--${name.replaceAll('_', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

/** In the order of the sections. */
export function declareOptions(parser: Parser, specs: OptionSpecs): void {
  const rank = ({ section = 'Options' }: OptionSpec) => helpSections.indexOf(section)
  for (const [name, spec] of Object.entries(specs).sort(([, a], [, b]) => rank(a) - rank(b))) {
    const { form, section = 'Options', conflicts = [], kind } = spec
    const repeatable = form === 'repeated' ? ' (repeatable)' : ''
    const option = create(parser, { ...spec, option: optionName(name), summary: spec.summary + repeatable })
    if (form === 'value') option.argParser((typed, before) => once(option, read(option, kind, typed), before))
    if (form === 'repeated') {
      option.argParser((typed, before: readonly unknown[] = []) => [...before, read(option, kind, typed)])
    }
    parser.addOption(option.conflicts([...conflicts]).helpGroup(`${section}:`))
    if (form === 'toggle') parser.addOption(parser.createOption(`--no-${option.name()}`).hideHelp())
  }
}

/** A second value would silently replace the first. */
function once(option: Option, value: unknown, before: unknown): unknown {
  if (before === undefined || String(before) === String(value)) return value
  throw new UsageError(`${option.long} was given twice`, { hint: 'Give it once' })
}

export function optionValues(parser: Parser, specs: OptionSpecs): Readonly<Record<string, unknown>> {
  const attributeOf = (name: string) =>
    parser.options.find(({ long }) => long === optionName(name))?.attributeName() ?? name
  return Object.fromEntries(
    Object.entries(specs).map(([name, { initial }]) => [name, parser.getOptionValue(attributeOf(name)) ?? initial]),
  )
}

export interface Everywhere {
  readonly settings: Values
  readonly help: boolean
  readonly version: boolean
}

/**
 * The options of every command are those of the program, which commander finds before and after the words. What is wrong
 * with a value is reported at the end, since a later `-o json` chooses the form of errors.
 */
export function declareEverywhere(program: Parser, report: (problem: UsageError) => void): () => Everywhere {
  const given = new Map<string, unknown>()
  const declare = (name: string, option: Option, take: (typed: string) => unknown) =>
    program.addOption(option.argParser(typed => void given.set(name, take(typed))))
  for (const [name, row] of settingRows) {
    const option = row.option && create(program, { ...row, option: row.option })
    if (!option) continue
    declare(name, option, typed => {
      if (row.value === undefined) return true
      try {
        // `-o=json` is taken for `-o json`.
        return read(option, row.kind, row.short ? typed.replace(/^=/, '') : typed)
      } catch (error) {
        if (error instanceof UsageError) report(error)
        return undefined
      }
    })
  }
  declare('help', program.createOption('-h, --help', 'help on the command'), () => true)
  declare('version', program.createOption('-V, --version', 'the version'), () => true)
  return () => {
    const { help = false, version = false, ...settings } = Object.fromEntries(given)
    return { help: help === true, version: version === true, settings: settings as Values }
  }
}

type Row = Pick<Setting, 'short' | 'option' | 'value' | 'kind' | 'summary'>

function create(parser: Parser, { short, option, value, kind, summary }: Row): Option {
  const flags = `${short ? `${short}, ` : ''}${option}${value ? ` <${value}>` : ''}`
  const created = parser.createOption(flags, summary)
  return value && kind.choices ? created.choices(kind.choices) : created
}

function read({ long }: Option, kind: Kind<unknown>, typed: string): unknown {
  const parsed = kind.parse(typed)
  if ('value' in parsed) return parsed.value
  throw new UsageError(`${long}: ${parsed.problem}`, { hint: parsed.hint })
}
