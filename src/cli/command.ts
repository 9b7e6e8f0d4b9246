import type { Option, Command as Parser } from 'commander'
import { type Setting, settingRows } from '../config/settings.ts'
import type { Context, Result } from '../context.ts'
import { UsageError } from '../errors.ts'
import { type Collection, checkId, type OtherNames } from '../values/ids.ts'
import { boolean, type Kind } from '../values/kinds.ts'

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

const plainArgument = { choices: [], check: (word: string): unknown => word }

export function argument(value: string, summary: string): ArgumentSpec<string> {
  return { ...plainArgument, flags: `<${value}>`, summary, take: ([word = '']) => word }
}

export function optionalArgument(value: string, summary: string): ArgumentSpec<string | undefined> {
  return { ...plainArgument, flags: `[${value}]`, summary, take: ([word]) => word }
}

export function manyArguments(value: string, summary: string): ArgumentSpec<readonly string[]> {
  return { ...plainArgument, flags: `[${value}...]`, summary, take: words => words }
}

/** `names`: options that identify the object in another way. */
export function idArgument<S extends ArgumentSpec>(argument: S, collection: Collection, names?: OtherNames): S {
  return { ...argument, check: word => checkId(collection, word, names) }
}

export interface OptionSpec<T = unknown> {
  readonly kind: Kind<unknown>
  /** A `value` cannot be given twice; of a `last`, the last one applies. A `toggle` is a `switch` with a `--no-` form. */
  readonly form: 'value' | 'last' | 'repeated' | 'switch' | 'toggle'
  readonly value: string
  readonly summary: string
  readonly short: string | undefined
  readonly section: HelpSection
  /** Value without the option. */
  readonly initial: T
  /** Options that cannot be combined with this one. */
  readonly conflicts: readonly string[]
}

const helpSections = ['Options', 'Fields', 'Targets', 'Run'] as const

type HelpSection = (typeof helpSections)[number]

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

export type OptionsOf<S extends OptionSpecs> = { readonly [N in keyof S]: S[N] extends OptionSpec<infer T> ? T : never }

const plainOption = { short: undefined, section: 'Options', conflicts: [] } as const

export function option<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<T | undefined> {
  return { ...plainOption, kind, form: 'value', value, summary, initial: undefined }
}

export function repeated<T>(kind: Kind<T>, value: string, summary: string): OptionSpec<readonly T[]> {
  return { ...plainOption, kind, form: 'repeated', value, summary, initial: [] }
}

export function flag(summary: string): OptionSpec<boolean> {
  return { ...plainOption, kind: boolean, form: 'switch', value: '', summary, initial: false }
}

export function toggle(summary: string): OptionSpec<boolean | undefined> {
  return { ...plainOption, kind: boolean, form: 'toggle', value: '', summary, initial: undefined }
}

export function conflicting<S extends OptionSpec>(spec: S, ...conflicts: readonly string[]): S {
  return { ...spec, conflicts }
}

export function inSection<const S extends OptionSpecs>(section: HelpSection, specs: S): S {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, section }])) as S &
    OptionSpecs
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}

export function refuseBeside(reason: string, options: Readonly<Record<string, unknown>>, hint: string): void {
  const [name] = Object.entries(options).find(([, value]) => isGiven(value)) ?? []
  if (name !== undefined) throw new UsageError(`${reason}, and cannot be combined with ${optionName(name)}`, { hint })
}

/** `mainDistinctId` and `main_distinct_id` → `--main-distinct-id`. */
export function optionName(name: string): `--${string}` {
  return `--${name.replaceAll('_', '-').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

/** Declared on the program, so that commander accepts them before and after the words. */
export const commonOptions: OptionSpecs = {
  ...Object.fromEntries(settingRows.flatMap(([name, row]) => (row.option ? [[name, settingSpec(row)]] : []))),
  help: { ...flag('show help'), short: '-h' },
  version: { ...flag('show the version'), short: '-V' },
}

function settingSpec({ kind, value, summary, short }: Setting): OptionSpec {
  const form = value ? 'last' : 'switch'
  return { ...plainOption, kind, form, value, summary, short, initial: undefined }
}

/** In commander's form, such as `-f, --file <FILE>...`. */
export function flagsOf(name: string, { form, short, value }: OptionSpec): string {
  const flags = `${short ? `${short}, ` : ''}${optionName(name)}${value ? ` <${value}>` : ''}`
  return form === 'repeated' ? `${flags}...` : flags
}

export function declareOptions(parser: Parser, specs: OptionSpecs): Parser {
  const rank = ({ section }: OptionSpec) => helpSections.indexOf(section)
  for (const [name, spec] of Object.entries(specs).sort(([, a], [, b]) => rank(a) - rank(b))) {
    const { conflicts, form, kind, section, summary, value } = spec
    const option = parser.createOption(flagsOf(name, spec), summary)
    if (value && kind.choices) option.choices(kind.choices)
    if (value) option.argParser((typed, before) => parseOption(option, spec, typed, before))
    parser.addOption(option.conflicts([...conflicts]).helpGroup(`${section}:`))
    if (form !== 'toggle') continue
    option.flags = option.flags.replace('--', '--[no-]')
    parser.addOption(parser.createOption(`--no-${option.name()}`).hideHelp())
  }
  return parser
}

/** Blanks around their values are ignored. */
const numericKinds: readonly string[] = ['integer', 'seconds', 'duration', 'rate']

function parseOption({ long }: Option, { form, kind, short }: OptionSpec, typed: string, before: unknown): unknown {
  // `-o=json` means `-o json`.
  const text = short ? typed.replace(/^=/, '') : typed
  const parsed = kind.parse(numericKinds.includes(kind.name) ? text.trim() : text)
  if ('problem' in parsed) throw new UsageError(`${long}: ${parsed.problem}`, { hint: parsed.hint })
  const { value } = parsed
  if (form === 'repeated') return [...(Array.isArray(before) ? before : []), value]
  if (form === 'last' || before === undefined || String(before) === String(value)) return value
  throw new UsageError(`${long} is given twice`, { hint: 'Give it once' })
}

export function isOptionNamed({ long, short }: Option, word: string): boolean {
  return word === long || word === short
}

export function optionValues(parser: Parser, specs: OptionSpecs): Readonly<Record<string, unknown>> {
  const parsedValue = (name: string) => {
    const option = parser.createOption(optionName(name))
    const value: unknown = parser.getOptionValue(option.attributeName())
    // commander stores `--no-header` as `header: false`.
    return option.negate ? value === false || undefined : value
  }
  return Object.fromEntries(Object.entries(specs).map(([name, { initial }]) => [name, parsedValue(name) ?? initial]))
}
