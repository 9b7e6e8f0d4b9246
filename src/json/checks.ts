/** Checks that give decoded JSON its type. */
import { isObject } from './exact.ts'

export type Check<T> = (value: unknown) => value is T

/** The type that a check gives. */
export type Checked<C> = C extends Check<infer T> ? T : never

export const isAnything = (_: unknown): _ is unknown => true
export const isText = (value: unknown): value is string => typeof value === 'string'
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
export const isCount = (value: unknown): value is number => isWhole(value) && value >= 0

export function exactly<const T>(only: T): Check<T> {
  return (value): value is T => value === only
}

export function nullOr<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value)
}

export function optionalOf<T>(check: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value)
}

export function arrayOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(check)
}

export function mapOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => isObject(value) && Object.values(value).every(check)
}

/** No other members, and these in this order. */
export function recordOf<T>(members: { readonly [K in keyof T]-?: Check<T[K]> }): Check<Readonly<T>> {
  const checks: [name: string, check: Check<unknown>][] = Object.entries(members)
  return (value): value is Readonly<T> => {
    if (!isObject(value)) return false
    const places = Object.keys(value).map(found => checks.findIndex(([name]) => name === found))
    return (
      places.every((place, i) => place > (places[i - 1] ?? -1)) && checks.every(([name, check]) => check(value[name]))
    )
  }
}
