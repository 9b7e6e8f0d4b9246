/** Declarations of options, and the one place that turns them into options of commander. */
import type { Option, Command as Parser } from 'commander'
import { type Setting, settingRows } from '../config/settings.ts'
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
  /** Joins a further value with those before it; without it, a different second value is refused. */
  join?(before: T, value: unknown): T
}

const helpSections = ['Options', 'Fields', 'Targets', 'Lists', 'Guards', 'Run', 'Records'] as const

type HelpSection = (typeof helpSections)[number]

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

export type OptionsOf<S extends OptionSpecs> = { readonly [N in keyof S]: S[N] extends OptionSpec<infer T> ? T : never }

/** A different second value is refused, since it would silently replace the first. */
export function option<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<T | undefined> {
  return { kind, form: 'value', value, summary, initial: undefined }
}

/** A later value replaces that of a wrapper script or an alias. */
export function replaceable<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<T | undefined> {
  return { ...option(kind, value, summary), join: (_: T | undefined, value: T) => value }
}

/** A later limit cannot raise an earlier one. */
export function smallest(kind: Kind<number>, value: string, summary: string): OptionSpec<number | undefined> {
  return {
    ...option(kind, value, summary),
    join: (before = Number.POSITIVE_INFINITY, value: number) => Math.min(before, value),
  }
}

export function repeated<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<readonly T[]> {
  return { kind, form: 'repeated', value, summary, initial: [], join: (before, value: T) => [...before, value] }
}

export function flag(summary: string, short?: `-${string}`): OptionSpec<boolean> {
  return { kind: boolean, form: 'switch', value: '', summary, initial: false, ...(short ? { short } : {}) }
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

export function isBulk(options: OptionSpecs): boolean {
  return 'maxFailures' in options
}

/** `mainDistinctId` and `main_distinct_id` → `--main-distinct-id`. */
export function optionName(name: string): `--${string}` {
  return `--${name.replaceAll('_', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

/** As help shows it, such as `-o, --output FORMAT` and `--[no-]anonymize-ips`. */
export function optionLabel([name, { form, short, value }]: readonly [string, OptionSpec]): string {
  const long = optionName(name)
  if (form === 'toggle') return `--[no-]${long.slice(2)}`
  return `${short ? `${short}, ` : ''}${long} ${value}`.trimEnd()
}

export function settingLabel({ short, option, value }: Setting): string {
  return `${short ? `${short}, ` : ''}${option} ${value ?? ''}`.trimEnd()
}

/** Takes what is wrong with a value: the rest of the line is still read, since it may choose the form of errors. */
export type Report = (problem: UsageError) => void

/** Help lists the sections in their own order. */
export function declareOptions(parser: Parser, specs: OptionSpecs, report: Report): void {
  const rank = ({ section = 'Options' }: OptionSpec) => helpSections.indexOf(section)
  for (const [name, spec] of Object.entries(specs).sort(([, a], [, b]) => rank(a) - rank(b))) {
    const { form, section = 'Options', initial, kind, conflicts = [] } = spec
    const option = parser.createOption(flagsOf({ ...spec, option: optionName(name) }), spec.summary)
    parser.addOption(
      option
        .default(initial)
        .helpGroup(`${section}:`)
        .conflicts([...conflicts]),
    )
    if (form === 'toggle') declareToggle(parser, option, report)
    else if (form !== 'switch') withChoices(option, kind).argParser(reader(option, spec, report))
  }
}

/** The options of every command, which stand at each of its words; `given` collects their values, wherever they are. */
export function settingOptions(parser: Parser, given: GivenSettings, report: Report): readonly Option[] {
  const rows = settingRows.flatMap(([setting, row]) => {
    const { option, value, kind, summary } = row
    if (!option) return []
    const declared = parser.createOption(flagsOf({ ...row, option }), summary)
    if (value === undefined) return [declared.argParser(() => void given.set(setting, true))]
    const join = (_: unknown, read: unknown) => given.set(setting, read) && read
    return [withChoices(declared, kind).argParser(reader(declared, { kind, join }, report))]
  })
  const asked = (['-h, --help', '-V, --version'] as const).map(flags => parser.createOption(flags, askable[flags]))
  for (const option of asked) option.argParser(() => void given.set(option.name(), true))
  return [...rows, ...asked].map(option => option.hideHelp())
}

const askable = { '-h, --help': 'this text', '-V, --version': 'the version' } as const

type GivenSettings = Map<string, unknown>

function withChoices(option: Option, { choices }: Kind<unknown>): Option {
  return choices ? option.choices(choices) : option
}

function flagsOf({ short, option, value, optional }: Pick<Setting, 'short' | 'option' | 'value' | 'optional'>): string {
  const names = short ? `${short}, ${option}` : `${option}`
  if (!value) return names
  return optional ? `${names} [${value}]` : `${names} <${value}>`
}

function reader({ short, long }: Option, { kind, join }: Pick<OptionSpec, 'kind' | 'join'>, report: Report) {
  return (typed: string, before: unknown) => {
    // `-o=json` is taken for `-o json`.
    const parsed = kind.parse(short ? typed.replace(/^=/, '') : typed)
    if ('problem' in parsed) {
      report(new UsageError(`${long}: ${parsed.problem}`, { hint: parsed.hint }))
      return before
    }
    if (join) return join(before, parsed.value)
    if (before !== undefined && String(before) !== String(parsed.value)) {
      report(new UsageError(`${long} was given twice`, { hint: 'Give it once' }))
    }
    return parsed.value
  }
}

function declareToggle(parser: Parser, option: Option, report: Report): void {
  const opposite = parser.createOption(`--no-${option.name()}`, 'the opposite').hideHelp()
  const parse =
    ({ negate, long }: Option, { long: other }: Option) =>
    (_: string, before?: boolean) => {
      if (before === negate)
        report(new UsageError(`${other} and ${long} cannot be combined`, { hint: 'Leave one of them out' }))
      return !negate
    }
  option.argParser(parse(option, opposite))
  parser.addOption(opposite.argParser(parse(opposite, option)))
}
