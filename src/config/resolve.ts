import { UsageError } from '../errors.ts'
import type { Env } from '../host.ts'
import type { Parsed } from '../values/kinds.ts'
import {
  defaults,
  type Profile,
  type Setting,
  type SettingName,
  settingRows,
  type Values,
  type ValuesInUse,
} from './settings.ts'

export type Origin = 'option' | 'environment' | 'profile' | 'default'

/** In order of precedence. */
export interface Sources {
  readonly options: Values
  readonly env: Env
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
