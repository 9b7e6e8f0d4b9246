/** Where each value comes from: option, then environment, then profile, then default. */
import { UsageError } from '../errors.ts'
import type { Parsed } from '../values/kinds.ts'
import { type Setting, type SettingName, settingRows, type Values } from './settings.ts'

export type Origin = 'option' | 'environment' | 'profile' | 'default'

/** Values that were typed as options, already of their kind. */
export type Typed = Readonly<Partial<Record<SettingName, unknown>>>

/** What a profile keeps, by setting; the file's form. */
export type Profile = { readonly [N in SettingName]?: string | boolean }

export interface Resolved {
  readonly values: Values
  readonly origins: Readonly<Partial<Record<SettingName, Origin>>>
}

type Env = Readonly<Record<string, string | undefined>>

/** `profile`: the one in use, if there is one. Throws `UsageError` for a variable that cannot be read. */
export function resolve(options: Typed, env: Env, profile: Profile = {}): Resolved {
  const values: Partial<Record<SettingName, unknown>> = {}
  const origins: Partial<Record<SettingName, Origin>> = {}
  for (const [name, row] of settingRows) {
    const found = find(name, row, options, env, profile)
    if (!found) continue
    values[name] = found.value
    origins[name] = found.origin
  }
  return { values: values as Values, origins }
}

function find(
  name: SettingName,
  row: Setting,
  options: Typed,
  env: Env,
  profile: Profile,
): { value: unknown; origin: Origin } | undefined {
  if (options[name] !== undefined) return { value: options[name], origin: 'option' }
  const variable = row.variable ? env[row.variable] : undefined
  // An empty variable is how a script says "not set".
  if (row.variable && variable) return { value: fromVariable(row.variable, row, variable), origin: 'environment' }
  if (row.profile && profile[name] !== undefined) return { value: profile[name], origin: 'profile' }
  if (row.default !== undefined) return { value: row.default, origin: 'default' }
  return undefined
}

function fromVariable(variable: string, row: Setting, value: string): unknown {
  // NO_COLOR means what it says whatever it holds (no-color.org); ours can be switched off with 0 or false.
  if (row.kind.name === 'boolean') return variable.startsWith('NO_') || !/^(0|false|no)$/i.test(value)
  const parsed: Parsed<unknown> = row.kind.parse(value)
  if ('problem' in parsed) throw new UsageError(`${variable}: ${parsed.problem}`)
  return parsed.value
}
