import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { safetyLevels } from '../http/guard.ts'
import { duration, rate, seconds } from '../values/duration.ts'
import { atLeast, boolean, type Kind, oneOf, type Parsed, text, type ValueOf } from '../values/kinds.ts'

export interface Setting<T = unknown> {
  readonly kind: Kind<T>
  readonly summary: string
  /** Undefined for a key, since `ps` shows options. */
  readonly option: string | undefined
  readonly short: string | undefined
  /** Placeholder of the value in help; empty for a switch. */
  readonly value: string
  readonly variable: string | undefined
  readonly isInProfile: boolean
}

/** `names`: in a form like `-o, --output FORMAT $ANALYTICS_OUTPUT`. */
function row<T>(names: string, kind: Kind<T>, summary: string): Setting<T> {
  const [, short, option, value = '', variable] =
    /^(?:(-\w), )?(--[a-z-]+)?(?: ?([A-Z][^$ ]*))? ?(?:\$(\w+))?$/.exec(names) ?? []
  return { kind, summary, option, short, value, variable, isInProfile: false }
}

function stored<T>(names: string, kind: Kind<T>, summary: string) {
  return { ...row(names, kind, summary), isInProfile: true } as const
}

const formats = ['table', 'json', 'ndjson', 'csv', 'ids'] as const

export type Format = (typeof formats)[number]

/** Has a message for users who give the name of a file. */
const format: Kind<Format> = {
  ...oneOf(...formats),
  parse(text) {
    if (!/[./\\]/.test(text)) return oneOf(...formats).parse(text)
    return { problem: `${JSON.stringify(text)} is not one of ${formats.join(', ')}; to write to a file use > FILE` }
  },
}

/** In the order of `analytics help options`. */
export const settings = {
  profile: row('--profile NAME $ANALYTICS_PROFILE', text, 'use this profile'),
  baseUrl: stored('--base-url URL $ANALYTICS_BASE_URL', text, 'base URL of the service; can have a path prefix'),
  project: stored('--project ID $ANALYTICS_PROJECT', text, 'use this project'),
  organization: stored(
    '--organization ID $ANALYTICS_ORGANIZATION',
    text,
    'organization of the plugins (default: of the project)',
  ),
  apiKey: stored('$ANALYTICS_API_KEY', text, 'personal API key; never an option, since ps would show it'),
  apiKeyFile: row('$ANALYTICS_API_KEY_FILE', text, 'file that holds the personal API key'),
  apiKeyCommand: stored('', text, 'command that prints the personal API key'),
  headersFile: stored('$ANALYTICS_HEADERS_FILE', text, 'file of headers (Name: value) to send with the key'),
  output: stored('-o, --output FORMAT $ANALYTICS_OUTPUT', format, 'table, json, ndjson, csv or ids (table)'),
  fields: row('--fields A,B.C', text, 'show these fields, in this order'),
  noHeader: row('--no-header', boolean, 'print no header in table and csv'),
  escapeFormulas: row('--escape-formulas', boolean, 'protect spreadsheets from formulas in csv'),
  bom: row('--bom', boolean, 'begin csv with a byte order mark, for Excel'),
  reveal: row('--reveal', boolean, 'show secrets in tables and diffs'),
  noColor: row('--no-color $NO_COLOR', boolean, 'print without color'),
  timeout: row('--timeout SECONDS', seconds, 'wait this long for a response (30)'),
  retries: row('--retries N', atLeast(0), 'retry a request up to N times (4)'),
  maxWait: row('--max-wait DURATION', duration, 'wait at most this long when the server asks (5m; bulk runs 65m)'),
  rate: row('--rate N/s|m|h', rate, 'limit the rate of requests'),
  debug: row('--debug', boolean, 'print each request to stderr'),
  dryRun: row('-n, --dry-run', boolean, 'show what would change, and send no writes'),
  yes: row('-y, --yes', boolean, 'skip the prompts'),
  noInput: row('--no-input $ANALYTICS_NO_INPUT', boolean, 'never prompt; stop instead'),
  safety: stored(
    '$ANALYTICS_SAFETY',
    oneOf(...safetyLevels),
    "read-only blocks all writes, no-delete blocks deletes; the profile's level applies too",
  ),
  maxDeletes: stored('', atLeast(0), 'how many objects one command can delete at most'),
  caFile: stored('$ANALYTICS_CA_FILE', text, 'trust the certificate authorities in this PEM file too'),
  allowHttp: stored('$ANALYTICS_ALLOW_HTTP', boolean, 'allow http:// to another machine'),
  sandbox: row('--sandbox $ANALYTICS_SANDBOX', boolean, 'use the sandbox: made-up data on this machine'),
  configDir: row('$ANALYTICS_CONFIG_DIR', text, 'folder of config.json (~/.config/analytics)'),
  stateDir: row('$ANALYTICS_STATE_DIR', text, 'folder of jobs and the sandbox (~/.local/state/analytics)'),
  quiet: row('-q, --quiet', boolean, 'print only errors and prompts to stderr'),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

type ValueOfSetting<N extends SettingName> = ValueOf<(typeof settings)[N]['kind']>

export type Values = { readonly [N in SettingName]?: ValueOfSetting<N> | undefined }

const defaults = { timeout: 30, retries: 4 }

type ValuesInUse = Values & Readonly<typeof defaults>

type Stored<N extends SettingName> = (typeof settings)[N] extends { isInProfile: true } ? N : never

export type Profile = { readonly [N in SettingName as Stored<N>]?: ValueOfSetting<N> | undefined }

export const settingRows = Object.entries(settings) as readonly (readonly [SettingName, Setting])[]

export type Origin = 'option' | 'environment' | 'profile' | 'default'

/** In order of precedence. */
export interface Sources {
  readonly options: Values
  readonly env: Host['env']
  readonly profile: Profile
}

export interface ResolvedSettings {
  readonly values: ValuesInUse
  readonly origins: Readonly<Partial<Record<SettingName, Origin>>>
}

export function resolve(sources: Sources): ResolvedSettings {
  const values: Partial<Record<SettingName, unknown>> = {}
  const origins: Partial<Record<SettingName, Origin>> = {}
  for (const [name, row] of settingRows) {
    const [origin, value] = findValue(name, row, sources)
    if (value === undefined) continue
    values[name] = value
    origins[name] = origin
  }
  return { values: values as ValuesInUse, origins }
}

function findValue(name: SettingName, row: Setting, { options, env, profile }: Sources): [Origin, unknown] {
  if (options[name] !== undefined) return ['option', options[name]]
  const variable = row.variable ? env[row.variable] : undefined
  // Scripts use an empty variable for "not set".
  if (row.variable && variable) return ['environment', fromVariable(row.variable, row, variable)]
  const stored: Readonly<Partial<Record<SettingName, unknown>>> = profile
  if (row.isInProfile && stored[name] !== undefined) return ['profile', stored[name]]
  const defaultValues: Values = defaults
  return ['default', defaultValues[name]]
}

function fromVariable(variable: string, row: Setting, value: string): unknown {
  // NO_COLOR works with any value (no-color.org).
  if (variable.startsWith('NO_')) return true
  if (variable === 'ANALYTICS_SANDBOX') return dialectIn(value) !== undefined
  const parsed: Parsed<unknown> = row.kind.name === 'boolean' ? yesOrNo(value) : row.kind.parse(value)
  if ('value' in parsed) return parsed.value
  throw new UsageError(`${variable}: ${parsed.problem}`, { hint: `Correct it, or run: unset ${variable}` })
}

/** Never guesses, since a wrong `ANALYTICS_ALLOW_HTTP` could do harm. */
function yesOrNo(word: string): Parsed<boolean> {
  if (/^(1|true|yes|on)$/i.test(word)) return { value: true }
  if (/^(0|false|no|off)$/i.test(word)) return { value: false }
  return { problem: `${JSON.stringify(word)} is neither on nor off. Use 1 or 0` }
}

/** `documented` follows the service's document, `observed` shows how real servers differ. */
export const dialects = ['documented', 'observed'] as const

export type Dialect = (typeof dialects)[number]

/** Undefined outside the sandbox. Never guesses, since a command outside the sandbox changes real data. */
export function dialectIn(text = ''): Dialect | undefined {
  const word = text.trim().toLowerCase()
  if (/^(1|true|yes|on|documented)$/.test(word)) return 'documented'
  if (word === 'observed') return 'observed'
  if (/^(0|false|no|off)?$/.test(word)) return undefined
  throw new UsageError(`ANALYTICS_SANDBOX cannot be ${JSON.stringify(text)}`, {
    hint: 'Use 1, 0, or observed (like real servers)',
  })
}
