import { AuthError, UsageError } from '../errors.ts'
import { configFolder } from '../files/platform.ts'
import { absolutePath, type Host } from '../host.ts'
import type { SafetyRule } from '../http/guard.ts'
import {
  type Profile,
  type ResolvedSettings,
  resolve,
  type Setting,
  type SettingName,
  type Sources,
  settings,
  type Values,
} from './settings.ts'
import { profileOf, readProfiles } from './store.ts'

interface LoadedProfile {
  readonly name: string
  readonly values: Profile
}

export interface Config extends ResolvedSettings {
  readonly options: Values
  readonly keySetting: KeySetting | undefined
  readonly profile: LoadedProfile | undefined
  /** For prompts and results; undefined unless base URL and key of the profile are in use. */
  readonly profileName: string | undefined
  readonly safety: SafetyRule | undefined
  readonly ignored: string | undefined
  readonly possibleMismatch: Mismatch | undefined
}

type KeySetting = 'apiKey' | 'apiKeyFile' | 'apiKeyCommand'

/** The variable and `--profile` name different projects, and one of them is `@current`. */
interface Mismatch {
  /** The project that `@current` must be. */
  readonly id: string
  readonly failure: UsageError
}

export const noProject = {
  message: 'No project given',
  hint: 'Give --project ID or ANALYTICS_PROJECT, or set it in the profile',
} as const

const serverSettings: readonly SettingName[] = ['baseUrl', 'apiKey', 'apiKeyFile', 'headersFile']

/** `needsServer`: the command sends requests. Throws `UsageError` for an invalid variable, option or file, `AuthError` for a missing profile. */
export function configOf(options: Values, host: Host, needsServer: boolean): Config {
  const bare: Sources = { options, env: host.env, profile: {} }
  const { values } = resolve(bare)
  if (values.sandbox) {
    const [sources, ignored] = without([...serverSettings, 'profile'], bare)
    return configFrom(sources, host, { ...noProfile, options, ignored: ignoredNotice('sandbox', ignored) })
  }
  if (!needsServer) {
    const output = outputInUse(options, host)
    return configFrom({ ...bare, profile: { output } }, host, { ...noProfile, options })
  }
  const profile = profileInUse(values, host)
  const sources = { ...bare, profile: profile?.values ?? {} }
  if (options.profile === undefined || !profile) return configFrom(sources, host, { ...noProfile, options, profile })
  // --profile overrides the variables of the server.
  const possibleMismatch = refuseOtherProject(sources, profile)
  const [{ env }, variables] = without(serverSettings, { ...bare, options: {} })
  const ignored = ignoredNotice(`--profile ${profile.name}`, variables)
  return configFrom({ ...sources, env }, host, { options, profile, possibleMismatch, ignored })
}

/** For commands without a profile, and for errors in a command line; undefined if it cannot be found out. */
export function outputInUse(options: Values, host: Host): Values['output'] {
  const { ANALYTICS_OUTPUT, ANALYTICS_PROFILE, ANALYTICS_SANDBOX } = host.env
  const valuesOf = (env: Host['env']) => resolve({ options, env, profile: {} }).values
  try {
    // The error may be about another variable.
    const { output } = valuesOf({ ANALYTICS_OUTPUT })
    if (output !== undefined) return output
    const values = valuesOf({ ANALYTICS_PROFILE, ANALYTICS_SANDBOX })
    return values.sandbox ? undefined : profileInUse(values, host)?.values.output
  } catch {
    return undefined
  }
}

/** For trying a profile. Ignores options and variables of the server, the key and the project. */
export function configOfProfile(name: string, profile: Profile, options: Values, host: Host): Config {
  const names = [...serverSettings, 'profile', 'project', 'organization'] as const
  const [sources] = without(names, { options, env: host.env, profile })
  return configFrom(sources, host, { ...noProfile, options, profile: { name, values: profile } })
}

const noProfile = { profile: undefined, ignored: undefined, possibleMismatch: undefined }

type ProfileUse = Pick<Config, 'options' | keyof typeof noProfile>

function configFrom(sources: Sources, host: Host, { options, profile, ignored, possibleMismatch }: ProfileUse): Config {
  const resolved = resolve(sources)
  const keySetting = keySettingOf(resolved)
  const isKeyOfProfile = keySetting !== undefined && resolved.origins[keySetting] === 'profile'
  // Headers must come from the same source as the key.
  const [usedSources, unused] = isKeyOfProfile
    ? without(['headersFile'], sources)
    : [{ ...sources, profile: omit(sources.profile, ['headersFile']) }, []]
  const { values, origins } = resolve(usedSources)
  // Relative paths in a profile start at the folder of `config.json`.
  const pathOf = (name: 'caFile' | 'headersFile') =>
    values[name] && absolutePath(origins[name] === 'profile' ? { cwd: configFolder(host) } : host, values[name])
  return {
    values: { ...values, caFile: pathOf('caFile'), headersFile: pathOf('headersFile') },
    origins,
    options,
    keySetting,
    profile,
    profileName: isKeyOfProfile && values.baseUrl === profile?.values.baseUrl ? profile?.name : undefined,
    safety: safetyRuleOf({ values, origins }, profile),
    possibleMismatch,
    ignored: ignored ?? ignoredNotice('The key comes from the profile', unused),
  }
}

function keySettingOf({ values, origins }: ResolvedSettings): KeySetting | undefined {
  if (origins.apiKey === 'environment') return 'apiKey'
  return (['apiKeyFile', 'apiKey', 'apiKeyCommand'] as const).find(name => values[name] !== undefined)
}

/** The stricter of the levels of environment and profile. */
function safetyRuleOf(
  { values, origins }: ResolvedSettings,
  profile: LoadedProfile | undefined,
): SafetyRule | undefined {
  const rules = [
    { level: origins.safety === 'environment' ? values.safety : undefined, source: 'ANALYTICS_SAFETY' },
    { level: profile?.values.safety, source: `profile ${profile?.name}` },
  ].flatMap(({ level, source }) => (level === undefined ? [] : [{ level, source }]))
  return rules.find(({ level }) => level === 'read-only') ?? rules[0]
}

function variableOf(name: SettingName): string {
  const { variable = '' }: Setting = settings[name]
  return variable
}

/** Returns the sources without these settings, and the options and variables that were removed. */
function without(names: readonly SettingName[], { options, env, profile }: Sources): [Sources, string[]] {
  const ignored = names.flatMap(name => {
    const { option }: Setting = settings[name]
    const variable = variableOf(name)
    return [...(option && options[name] !== undefined ? [option] : []), ...(env[variable] ? [variable] : [])]
  })
  return [{ options: omit(options, names), env: omit(env, names.map(variableOf)), profile }, ignored]
}

function omit<T extends object>(from: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name))) as T
}

function ignoredNotice(why: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `${why}: ${names.join(', ')} ignored`
}

function profileInUse(values: Values, host: Host): LoadedProfile | undefined {
  const { ANALYTICS_CONFIG_DIR, XDG_CONFIG_HOME } = host.env
  const hasFolder = Boolean(ANALYTICS_CONFIG_DIR || XDG_CONFIG_HOME || host.home)
  if (values.profile === undefined && !hasFolder) return undefined
  const stored = readProfiles(host)
  const name = values.profile ?? stored.current
  if (name === undefined) return undefined
  try {
    return { name, values: profileOf(stored, name) }
  } catch (error) {
    // Without a profile there is no key, so the exit code is 4, not 2.
    throw error instanceof UsageError ? new AuthError(error.message, error.details) : error
  }
}

/**
 * Throws `UsageError` for a variable with another project or organization than `--profile`. Returns a mismatch of a project
 * and `@current`, which only the server can resolve.
 */
function refuseOtherProject({ options, env }: Sources, { name, values }: LoadedProfile): Mismatch | undefined {
  let mismatch: Mismatch | undefined
  for (const setting of ['project', 'organization'] as const) {
    const variable = variableOf(setting)
    const [fromEnv, fromProfile] = [env[variable], values[setting]]
    if (!fromEnv || fromProfile === undefined || fromEnv === fromProfile || options[setting] !== undefined) continue
    const message = `${variable} is ${fromEnv}, and the ${setting} of the profile ${name} is ${fromProfile}`
    const failure = new UsageError(message, { hint: `Give --${setting} to choose one, or unset ${variable}` })
    if (setting !== 'project' || (fromEnv !== '@current' && fromProfile !== '@current')) throw failure
    mismatch = { id: fromEnv === '@current' ? fromProfile : fromEnv, failure }
  }
  return mismatch
}
