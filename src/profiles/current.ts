import { resolve as absolute } from 'node:path'
import { AuthError, UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Requirement, SafetyLevel } from '../values/safety.ts'
import { configFolder } from './folders.ts'
import { type Origin, type Profile, type Resolved, resolve } from './resolve.ts'
import { type Setting, type SettingName, settings, type Values, type ValuesInUse } from './settings.ts'
import { profileOf, readProfiles } from './store.ts'

export interface Settings {
  readonly values: ValuesInUse
  readonly origins: Readonly<Partial<Record<SettingName, Origin>>>
  readonly typed: Values
  readonly profile?: { readonly name: string; readonly values: Profile } | undefined
  /** Those of the profile and of `ANALYTICS_SAFETY` add up. */
  readonly safety: readonly SafetyLevel[]
  readonly limits: Limits
  /** Options and variables that have no effect in the sandbox. */
  readonly ignored: readonly string[]
}

interface Limits {
  /** Undefined: no limit. */
  readonly maxDeletes: number | undefined
  readonly require: readonly Requirement[]
}

export const noProject = {
  message: 'No project given',
  hint: 'Give --project ID or ANALYTICS_PROJECT, or set it in the profile',
} as const

const identity: readonly SettingName[] = ['profile', 'baseUrl', 'apiKey', 'apiKeyFile']

/** Throws `UsageError` for a bad variable, option or file, `AuthError` for a missing profile that is needed. */
export function settingsOf(typed: Values, host: Host, reaches: boolean): Settings {
  const bare = resolve(typed, host.env)
  if (bare.values.sandbox) return inSandbox(typed, host)
  if (reaches) refuseRehearsal(typed)
  const profile = reaches ? profileInUse(bare.values, host) : undefined
  const stored = reaches ? profile?.values : { output: outputOfProfile(typed, host) }
  return combined(stored ? resolve(typed, host.env, stored) : bare, typed, profile, host)
}

/** For what needs no profile; undefined in the sandbox, and where the profile cannot be read. */
export function outputOfProfile(typed: Pick<Values, 'profile' | 'sandbox'>, host: Host): Values['output'] {
  const { ANALYTICS_PROFILE, ANALYTICS_SANDBOX } = host.env
  try {
    const { values } = resolve(typed, { ANALYTICS_PROFILE, ANALYTICS_SANDBOX })
    return values.sandbox ? undefined : profileInUse(values, host)?.values.output
  } catch {
    return undefined
  }
}

function combined({ values, origins }: Resolved, typed: Values, profile: Settings['profile'], host: Host): Settings {
  const { maxDeletes, require = [], caFile } = values
  return {
    values: caFile === undefined ? values : { ...values, caFile: caFileFrom(origins.caFile, caFile, host) },
    origins,
    typed,
    profile,
    safety: levels(values.safety, profile?.values.safety),
    limits: { maxDeletes, require },
    ignored: [],
  }
}

/** A relative path in a profile starts from the folder of `config.json`. */
function caFileFrom(origin: Origin | undefined, file: string, host: Host): string {
  return absolute(origin === 'profile' ? configFolder(host) : host.cwd, file)
}

/** Ignores options and variables for service, key and project; throws `UsageError` for a bad variable. */
export function settingsOfProfile(name: string, profile: Profile, typed: Values, host: Host): Settings {
  const resolved = resolveWithout([...identity, 'project', 'organization'], typed, host, profile)
  return combined(resolved, typed, { name, values: profile }, host)
}

/** As if neither options nor variables gave these. */
function resolveWithout(names: readonly SettingName[], typed: Values, { env }: Host, profile?: Profile): Resolved {
  const variables = names.map((name): string | undefined => (settings[name] as Setting).variable)
  const without = (of: object, some: readonly (string | undefined)[]) =>
    Object.fromEntries(Object.entries(of).filter(([key]) => !some.includes(key)))
  return resolve(without(typed, names), without(env, variables), profile)
}

/** Faults are for rehearsals: without the sandbox the command would change real data. */
function refuseRehearsal(typed: Values): void {
  const name = (['faults', 'seed', 'dialect'] as const).find(one => typed[one] !== undefined)
  if (name === undefined) return
  throw new UsageError(`${settings[name].option} is for the sandbox`, { hint: 'Give --sandbox as well' })
}

function profileInUse(values: Values, host: Host): Settings['profile'] {
  if (values.profile === undefined && !hasConfigFolder(host)) return undefined
  const stored = readProfiles(configFolder(host))
  const name = values.profile ?? stored.current
  if (name === undefined) return undefined
  try {
    return { name, values: profileOf(stored, name) }
  } catch (error) {
    // Without a profile there is no key, which is exit code 4, not 2.
    throw error instanceof UsageError ? new AuthError(error.message, error.facts) : error
  }
}

function hasConfigFolder({ env, home }: Host): boolean {
  return [env.ANALYTICS_CONFIG_DIR, env.XDG_CONFIG_HOME, home].some(Boolean)
}

function inSandbox(typed: Values, host: Host): Settings {
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
