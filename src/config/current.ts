import { resolve as absolute } from 'node:path'
import { AuthError, UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Requirement, SafetyLevel } from '../values/safety.ts'
import { configFolder } from './folders.ts'
import { type Origin, type Profile, type Resolved, resolve } from './resolve.ts'
import { type Setting, type SettingName, settings, type Values, type ValuesInUse } from './settings.ts'
import { profileOf, readProfiles } from './store.ts'

export interface Config {
  readonly values: ValuesInUse
  readonly origins: Readonly<Partial<Record<SettingName, Origin>>>
  readonly typed: Values
  readonly profile?: { readonly name: string; readonly values: Profile } | undefined
  /** Levels of the profile and of `ANALYTICS_SAFETY`; all apply. */
  readonly safety: readonly SafetyLevel[]
  readonly limits: Limits
  /** Options and variables without effect in the sandbox. */
  readonly ignored: readonly string[]
}

interface Limits {
  /** Undefined means no limit. */
  readonly maxDeletes: number | undefined
  readonly require: readonly Requirement[]
}

export const noProject = {
  message: 'No project given',
  hint: 'Give --project ID or ANALYTICS_PROJECT, or set it in the profile',
} as const

const files = ['caFile', 'headersFile', 'clientCert', 'clientKey'] as const

const identity: readonly SettingName[] = [
  'profile',
  'baseUrl',
  'apiKey',
  'apiKeyFile',
  'headersFile',
  'clientCert',
  'clientKey',
]

const variableNamed = (name: SettingName): string | undefined => (settings[name] as Setting).variable

/** Throws `UsageError` for an invalid variable, option or file, `AuthError` for a missing profile that is needed. */
export function configOf(typed: Values, host: Host, reaches: boolean): Config {
  const bare = resolve(typed, host.env)
  if (bare.values.sandbox) return inSandbox(typed, host)
  const profile = reaches ? profileInUse(bare.values, host) : undefined
  const stored = reaches ? profile?.values : { output: outputOfProfile(typed, host) }
  return combined(stored ? resolve(typed, host.env, stored) : bare, typed, profile, host)
}

/** For commands without a profile; undefined in the sandbox, and if the profile is unreadable. */
export function outputOfProfile(typed: Pick<Values, 'profile' | 'sandbox'>, host: Host): Values['output'] {
  const { ANALYTICS_PROFILE, ANALYTICS_SANDBOX } = host.env
  try {
    const { values } = resolve(typed, { ANALYTICS_PROFILE, ANALYTICS_SANDBOX })
    return values.sandbox ? undefined : profileInUse(values, host)?.values.output
  } catch {
    return undefined
  }
}

function combined({ values, origins }: Resolved, typed: Values, profile: Config['profile'], host: Host): Config {
  const { maxDeletes, require = [] } = values
  return {
    values: { ...values, ...wholePaths({ values, origins }, host) },
    origins,
    typed,
    profile,
    safety: levels(values.safety, profile?.values.safety),
    limits: { maxDeletes, require },
    ignored: [],
  }
}

/** Relative paths in a profile start at the folder of `config.json`. */
function wholePaths({ values, origins }: Resolved, host: Host): Partial<Record<(typeof files)[number], string>> {
  const given = files.flatMap(name => {
    const file = values[name]
    if (file === undefined) return []
    return [[name, absolute(origins[name] === 'profile' ? configFolder(host) : host.cwd, file)]]
  })
  return Object.fromEntries(given)
}

/** Ignores options and variables for service, key and project. Throws `UsageError` for an invalid variable. */
export function configOfProfile(name: string, profile: Profile, typed: Values, host: Host): Config {
  const resolved = resolveWithout([...identity, 'project', 'organization'], typed, host, profile)
  return combined(resolved, typed, { name, values: profile }, host)
}

function resolveWithout(names: readonly SettingName[], typed: Values, { env }: Host, profile?: Profile): Resolved {
  const variables = names.map(variableNamed)
  const without = (of: object, some: readonly (string | undefined)[]) =>
    Object.fromEntries(Object.entries(of).filter(([key]) => !some.includes(key)))
  return resolve(without(typed, names), without(env, variables), profile)
}

function profileInUse(values: Values, host: Host): Config['profile'] {
  if (values.profile === undefined && !hasConfigFolder(host)) return undefined
  const stored = readProfiles(configFolder(host))
  const name = values.profile ?? stored.current
  if (name === undefined) return undefined
  try {
    return { name, values: profileOf(stored, name) }
  } catch (error) {
    // Without a profile there is no key, so the exit code is 4, not 2.
    throw error instanceof UsageError ? new AuthError(error.message, error.facts) : error
  }
}

function hasConfigFolder({ env, home }: Host): boolean {
  return [env.ANALYTICS_CONFIG_DIR, env.XDG_CONFIG_HOME, home].some(Boolean)
}

function inSandbox(typed: Values, host: Host): Config {
  const ignored = identity.flatMap(name => {
    const row: Setting = settings[name]
    return [
      ...(row.option && typed[name] !== undefined ? [row.option] : []),
      ...(row.variable && host.env[row.variable] ? [row.variable] : []),
    ]
  })
  const { values, origins } = resolveWithout(identity, typed, host)
  return {
    values,
    origins,
    typed,
    safety: levels(values.safety),
    limits: { maxDeletes: undefined, require: [] },
    ignored,
  }
}

function levels(...given: readonly (SafetyLevel | undefined)[]): readonly SafetyLevel[] {
  if (given.includes('read-only')) return ['read-only']
  return [...new Set(given.filter(level => level !== undefined))]
}
