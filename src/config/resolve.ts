import { UsageError } from '../errors.ts'
import type { Env } from '../host.ts'
import type { Parsed } from '../values/kinds.ts'
import { dialectIn } from './sandbox-variable.ts'
import {
  type Setting,
  type SettingName,
  settingRows,
  type settings,
  type Values,
  type ValuesInUse,
} from './settings.ts'

export type Origin = 'option' | 'environment' | 'profile' | 'default'

type ProfileSetting = {
  [N in SettingName]: (typeof settings)[N] extends { profile: true } ? N : never
}[SettingName]

export type Profile = Pick<Values, ProfileSetting>

export interface Resolved {
  readonly values: ValuesInUse
  readonly origins: Readonly<Partial<Record<SettingName, Origin>>>
}

/** Throws `UsageError` for an invalid variable. */
export function resolve(options: Values, env: Env, profile: Profile = {}): Resolved {
  const values: Partial<Record<SettingName, unknown>> = {}
  const origins: Partial<Record<SettingName, Origin>> = {}
  const keyFrom = keyOrigin(env, profile)
  for (const [name, row] of settingRows) {
    const sources = { options, env, profile }
    const found = find(name, row, row.withKey ? { ...sources, ...onlyFrom(keyFrom, sources) } : sources)
    if (!found) continue
    values[name] = found.value
    origins[name] = found.origin
  }
  return { values: values as ValuesInUse, origins }
}

/** The environment's key takes precedence; undefined if there is none. */
function keyOrigin(env: Env, { apiKey, apiKeyCommand }: Profile): Origin | undefined {
  if (env.ANALYTICS_API_KEY || env.ANALYTICS_API_KEY_FILE) return 'environment'
  return (apiKey ?? apiKeyCommand) === undefined ? undefined : 'profile'
}

function onlyFrom(origin: Origin | undefined, { env, profile }: Pick<Sources, 'env' | 'profile'>) {
  return { env: origin === 'profile' ? {} : env, profile: origin === 'environment' ? {} : profile }
}

interface Sources {
  readonly options: Values
  readonly env: Env
  readonly profile: Readonly<Partial<Record<SettingName, unknown>>>
}

function find(
  name: SettingName,
  row: Setting,
  { options, env, profile }: Sources,
): { value: unknown; origin: Origin } | undefined {
  if (options[name] !== undefined) return { value: options[name], origin: 'option' }
  const variable = row.variable ? env[row.variable] : undefined
  // Scripts use an empty variable for "not set".
  if (row.variable && variable) return { value: fromVariable(row.variable, row, variable), origin: 'environment' }
  if (row.profile && profile[name] !== undefined) return { value: profile[name], origin: 'profile' }
  if (row.default !== undefined) return { value: row.default, origin: 'default' }
  return undefined
}

function fromVariable(variable: string, row: Setting, value: string): unknown {
  // NO_COLOR works with any value (no-color.org).
  if (variable.startsWith('NO_')) return true
  if (variable === 'ANALYTICS_SANDBOX') return dialectIn(value) !== undefined
  const parsed: Parsed<unknown> = row.kind.name === 'boolean' ? yesOrNo(value) : row.kind.parse(value)
  if ('problem' in parsed) throw new UsageError(`${variable}: ${parsed.problem}`)
  return parsed.value
}

/** No guess, since a wrong `ANALYTICS_ALLOW_HTTP` could do harm. */
function yesOrNo(word: string): Parsed<boolean> {
  if (/^(1|true|yes|on)$/i.test(word)) return { value: true }
  if (/^(0|false|no|off)$/i.test(word)) return { value: false }
  return { problem: `${JSON.stringify(word)} is neither yes nor no; use 1 or 0` }
}
