/** The settings of every command, a row each. */
import { safetyLevels } from '../http/guard.ts'
import { duration, rate, seconds } from '../values/duration.ts'
import { atLeast, boolean, type Kind, oneOf, text, type ValueOf } from '../values/kinds.ts'

export interface Setting<T = unknown> {
  readonly kind: Kind<T>
  readonly summary: string
  /** Absent for a key, which `ps` would show, and for what only a profile or the environment says. */
  readonly option?: `--${string}`
  readonly short?: `-${string}`
  readonly value?: string
  readonly variable?: string
  readonly profile?: true
  readonly default?: T
}

/** `written`: such as `-o, --output FORMAT $ANALYTICS_OUTPUT`. */
function row<T>(written: string, kind: Kind<T>, summary: string): Setting<T> {
  const [, short, option, value, variable] =
    /^(?:(-\w), )?(--[a-z-]+)?(?: ?([A-Z][^$ ]*))? ?(?:\$(\w+))?$/.exec(written) ?? []
  const names = Object.entries({ short, option, value, variable }).filter(([, name]) => name !== undefined)
  return { kind, summary, ...Object.fromEntries(names) }
}

function stored<T>(written: string, kind: Kind<T>, summary: string) {
  return { ...row(written, kind, summary), profile: true } as const
}

function preset<T>(value: T, written: string, kind: Kind<T>, summary: string) {
  return { ...row(written, kind, summary), default: value } as const
}

const level = oneOf(...safetyLevels)

const formats = ['table', 'json', 'ndjson', 'csv', 'ids'] as const

export type Format = (typeof formats)[number]

const anyFormat = oneOf(...formats)

/** People name the file that they want. */
const format: typeof anyFormat = {
  ...anyFormat,
  parse(text) {
    if (!/[./\\]/.test(text)) return anyFormat.parse(text)
    return { problem: `${JSON.stringify(text)} is not one of ${formats.join(', ')}; to write to a file use > FILE` }
  },
}

/** In the order of `analytics help options`. */
export const settings = {
  profile: row('--profile NAME $ANALYTICS_PROFILE', text, 'profile to use'),
  baseUrl: stored('--base-url URL $ANALYTICS_BASE_URL', text, 'address of the service; may carry a path prefix'),
  project: stored('--project ID $ANALYTICS_PROJECT', text, 'project to work in'),
  organization: stored(
    '--organization ID $ANALYTICS_ORGANIZATION',
    text,
    'organization of the plugins; unset: that of the project',
  ),
  apiKey: stored('$ANALYTICS_API_KEY', text, 'personal API key; not an option, as ps would show it'),
  apiKeyFile: row('$ANALYTICS_API_KEY_FILE', text, 'file that holds the personal API key'),
  apiKeyCommand: stored('', text, 'command that prints the personal API key'),
  headersFile: stored('$ANALYTICS_HEADERS_FILE', text, 'lines Name: value, sent with the key to an access proxy'),
  output: stored('-o, --output FORMAT $ANALYTICS_OUTPUT', format, 'table, json, ndjson, csv or ids (table)'),
  fields: row('--fields A,B.C', text, 'only these fields, in this order'),
  noHeader: row('--no-header', boolean, 'no header line in table and csv'),
  escapeFormulas: row('--escape-formulas', boolean, 'keep spreadsheets from running csv cells as formulas'),
  bom: row('--bom', boolean, 'csv: begin with the mark by which Excel knows UTF-8'),
  reveal: row('--reveal', boolean, 'show secrets in tables and diffs'),
  noColor: row('--no-color $NO_COLOR', boolean, 'no colour'),
  timeout: preset(30, '--timeout SECONDS', seconds, 'longest wait for one answer (30)'),
  retries: preset(4, '--retries N', atLeast(0), 'how often a request is tried again (4)'),
  maxWait: row('--max-wait DURATION', duration, 'longest wait that the service may ask for (5m; bulk runs 65m)'),
  rate: row('--rate N/s|m|h', rate, 'send no more requests than this'),
  debug: row('--debug', boolean, 'a line on stderr for each request sent'),
  dryRun: row('-n, --dry-run', boolean, 'show the writes that would be sent, send none'),
  yes: row('-y, --yes', boolean, 'answer every question with yes'),
  noInput: row('--no-input $ANALYTICS_NO_INPUT', boolean, 'never ask; refuse instead'),
  safety: stored(
    '$ANALYTICS_SAFETY',
    level,
    'read-only refuses writes, no-delete deletes; so does that of the profile',
  ),
  maxDeletes: stored('', atLeast(0), 'the most objects that one command may delete'),
  caFile: stored('$ANALYTICS_CA_FILE', text, 'PEM file of certificate authorities to trust beside the usual ones'),
  allowHttp: stored('$ANALYTICS_ALLOW_HTTP', boolean, 'send the key over plain http to another machine'),
  sandbox: row('--sandbox $ANALYTICS_SANDBOX', boolean, 'work on the sandbox: made-up data on this machine'),
  configDir: row('$ANALYTICS_CONFIG_DIR', text, 'folder of config.json (~/.config/analytics)'),
  stateDir: row('$ANALYTICS_STATE_DIR', text, 'folder of jobs and the sandbox (~/.local/state/analytics)'),
  quiet: row('-q, --quiet', boolean, 'no progress and no notices on stderr'),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

type ValueOfSetting<N extends SettingName> = ValueOf<(typeof settings)[N]['kind']>

export type Values = { readonly [N in SettingName]?: ValueOfSetting<N> | undefined }

/** Those with a default are always there. */
export type ValuesInUse = Values & Readonly<Record<'timeout' | 'retries', number>>

type Stored<N extends SettingName> = (typeof settings)[N] extends { profile: true } ? N : never

export type Profile = { readonly [N in SettingName as Stored<N>]?: ValueOfSetting<N> | undefined }

export const settingRows = Object.entries(settings) as readonly (readonly [SettingName, Setting])[]
