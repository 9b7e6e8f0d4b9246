import { duration, rate, seconds } from '../values/duration.ts'
import { formatKind } from '../values/formats.ts'
import { atLeast, boolean, type Kind, oneOf, text, type ValueOf } from '../values/kinds.ts'
import { commaList } from '../values/lists.ts'
import { requirements, safetyLevels } from '../values/safety.ts'

export interface Setting {
  readonly kind: Kind<unknown>
  readonly summary: string
  /** Absent for a key, which `ps` would show, and for settings of programs. */
  readonly option?: `--${string}`
  readonly short?: `-${string}`
  readonly value?: string
  readonly variable?: `${'ANALYTICS_' | 'NO_'}${string}`
  readonly profile?: true
  readonly default?: unknown
  readonly secret?: true
  /** Taken only from where the key comes from, because it goes where the key goes. */
  readonly withKey?: true
}

/** Rows in the groups of `analytics help options`. */
export const settingGroups = {
  target: {
    profile: {
      kind: text,
      option: '--profile',
      value: 'NAME',
      variable: 'ANALYTICS_PROFILE',
      summary: 'profile to use',
    },
    baseUrl: {
      kind: text,
      option: '--base-url',
      value: 'URL',
      variable: 'ANALYTICS_BASE_URL',
      profile: true,
      summary: 'address of the service; may carry a path prefix',
    },
    project: {
      kind: text,
      option: '--project',
      value: 'ID',
      variable: 'ANALYTICS_PROJECT',
      profile: true,
      summary: 'project to work in',
    },
    organization: {
      kind: text,
      option: '--organization',
      value: 'ID',
      variable: 'ANALYTICS_ORGANIZATION',
      profile: true,
      summary: 'organization of the plugins; unset: read from the project',
    },
    apiKey: {
      kind: text,
      variable: 'ANALYTICS_API_KEY',
      profile: true,
      secret: true,
      summary: 'personal API key; not an option, as ps would show it',
    },
    apiKeyFile: {
      kind: text,
      variable: 'ANALYTICS_API_KEY_FILE',
      summary: 'file that holds the personal API key',
    },
    apiKeyCommand: {
      kind: text,
      profile: true,
      summary: 'command that prints the personal API key',
    },
    headersFile: {
      kind: text,
      variable: 'ANALYTICS_HEADERS_FILE',
      profile: true,
      withKey: true,
      summary: 'file of lines Name: value, sent with the key to an access proxy in front of the service',
    },
    clientCert: {
      kind: text,
      variable: 'ANALYTICS_CLIENT_CERT',
      profile: true,
      withKey: true,
      summary: 'PEM file of the certificate with which this machine says who it is',
    },
    clientKey: {
      kind: text,
      variable: 'ANALYTICS_CLIENT_KEY',
      profile: true,
      withKey: true,
      summary: 'PEM file of the private key of that certificate',
    },
  },
  output: {
    output: {
      kind: formatKind,
      option: '--output',
      short: '-o',
      value: 'FORMAT',
      variable: 'ANALYTICS_OUTPUT',
      profile: true,
      summary: 'table, json, ndjson, csv or ids (table)',
    },
    fields: {
      kind: text,
      option: '--fields',
      value: 'A,B.C',
      summary: 'only these fields, in this order',
    },
    noHeader: { kind: boolean, option: '--no-header', summary: 'no header line in table and csv' },
    escapeFormulas: {
      kind: boolean,
      option: '--escape-formulas',
      summary: 'keep spreadsheets from running csv cells as formulas',
    },
    bom: {
      kind: boolean,
      option: '--bom',
      summary: 'csv: begin with the mark by which Excel knows UTF-8',
    },
    reveal: {
      kind: boolean,
      option: '--reveal',
      summary: 'show secrets in tables and diffs',
    },
    noColor: { kind: boolean, option: '--no-color', variable: 'NO_COLOR', summary: 'no colour' },
  },
  requests: {
    timeout: {
      kind: seconds,
      option: '--timeout',
      value: 'SECONDS',
      default: 30,
      summary: 'longest wait for one answer (30)',
    },
    retries: {
      kind: atLeast(0),
      option: '--retries',
      value: 'N',
      default: 4,
      summary: 'how often a request is tried again (4)',
    },
    maxWait: {
      kind: duration,
      option: '--max-wait',
      value: 'DURATION',
      summary: 'longest wait that the service may ask for (5m; bulk runs 65m)',
    },
    rate: {
      kind: rate,
      option: '--rate',
      value: 'N/s|m|h',
      summary: 'send no more requests than this',
    },
    debug: {
      kind: boolean,
      option: '--debug',
      summary: 'a line on stderr for each request sent',
    },
  },
  safety: {
    dryRun: {
      kind: boolean,
      option: '--dry-run',
      short: '-n',
      summary: 'show the writes that would be sent, send none',
    },
    yes: { kind: boolean, option: '--yes', short: '-y', summary: 'answer every question with yes' },
    noInput: {
      kind: boolean,
      option: '--no-input',
      variable: 'ANALYTICS_NO_INPUT',
      summary: 'never ask; refuse instead',
    },
    safety: {
      kind: oneOf(...safetyLevels),
      variable: 'ANALYTICS_SAFETY',
      profile: true,
      summary:
        'read-only refuses writes, no-delete refuses deletes, confirm asks a person for each write; that of the profile holds too',
    },
    maxDeletes: {
      kind: atLeast(0),
      profile: true,
      summary: 'the most objects that one command may delete',
    },
    require: {
      kind: commaList(oneOf(...requirements)),
      profile: true,
      summary: 'what every command that deletes must give; a backup, every command that can write one',
    },
    caFile: {
      kind: text,
      variable: 'ANALYTICS_CA_FILE',
      profile: true,
      summary: 'PEM file of certificate authorities to trust in addition to the usual ones',
    },
    allowHttp: {
      kind: boolean,
      variable: 'ANALYTICS_ALLOW_HTTP',
      profile: true,
      summary: 'send the key over plain http to a host that is not this machine',
    },
  },
  sandbox: {
    sandbox: {
      kind: boolean,
      option: '--sandbox',
      variable: 'ANALYTICS_SANDBOX',
      summary: 'work on the sandbox: made-up data on this machine',
    },
  },
  general: {
    configDir: {
      kind: text,
      variable: 'ANALYTICS_CONFIG_DIR',
      summary: 'folder of config.json ($XDG_CONFIG_HOME/analytics, ~/.config/analytics)',
    },
    stateDir: {
      kind: text,
      variable: 'ANALYTICS_STATE_DIR',
      summary: 'folder of jobs and the sandbox ($XDG_STATE_HOME/analytics, ~/.local/state/analytics)',
    },
    quiet: {
      kind: boolean,
      option: '--quiet',
      short: '-q',
      summary: 'no progress and no notices on stderr',
    },
  },
} as const satisfies Record<string, Readonly<Record<string, Setting>>>

export const settings = {
  ...settingGroups.target,
  ...settingGroups.output,
  ...settingGroups.requests,
  ...settingGroups.safety,
  ...settingGroups.sandbox,
  ...settingGroups.general,
}

export type SettingName = keyof typeof settings

type ValueOfSetting<N extends SettingName> = ValueOf<(typeof settings)[N]['kind']>

export type Values = { readonly [N in SettingName]?: ValueOfSetting<N> | undefined }

export type ValuesInUse = Values & {
  readonly [N in SettingName as (typeof settings)[N] extends { default: unknown } ? N : never]: ValueOfSetting<N>
}

export const settingRows = Object.entries(settings) as readonly (readonly [SettingName, Setting])[]
