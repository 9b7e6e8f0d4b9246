import { grouped } from '../text/grouped.ts'
import { units } from './instant.ts'
import type { Kind } from './kinds.ts'

/** Milliseconds, 25 days: longer timers end at once. */
export const longestTimer = 2 ** 31 - 1

export const seconds: Kind<number> = {
  name: 'seconds',
  parse(text) {
    const value = Number(text)
    if (/^\s*\d+(\.\d+)?\s*$/.test(text) && value > 0) return { value: Math.min(value, longestTimer / 1000) }
    return { problem: `${JSON.stringify(text)} is not a number of seconds above 0` }
  },
  check: value => (typeof value === 'number' && value > 0 ? undefined : 'must be a number of seconds'),
}

/** Milliseconds of `300ms`, `90s`, `5m`, `1h30m`, `30d` or `2w`; a number without a unit means seconds. */
export const duration: Kind<number> = {
  name: 'duration',
  parse(text) {
    if (/^\d+(\.\d+)?$/.test(text)) return { value: Number(text) * 1000 }
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)]
    if (parts.length === 0 || parts.map(part => part[0]).join('') !== text) {
      return { problem: `${JSON.stringify(text)} is not a duration such as 90s, 5m or 1h30m` }
    }
    return { value: parts.reduce((sum, part) => sum + Number(part[1]) * (units[part[2] ?? ''] ?? 0), 0) }
  },
  check: value => (typeof value === 'number' ? undefined : 'must be a duration'),
}

/** With a clear unit, since 30 may be meant as days, and 6m as months. */
export const age: Kind<number> = {
  ...duration,
  parse(text) {
    if (/^(\d+(\.\d+)?[shdw])+$/.test(text)) return duration.parse(text)
    return { problem: `${JSON.stringify(text)} is not an age such as 12h, 30d or 2w` }
  },
}

/** `187/s`, `2.5/s` or `20/m`, from the milliseconds between two. */
export function writeRate(interval: number): string {
  const unit = ['s', 'm', 'h'].find(name => (units[name] ?? 0) >= interval) ?? 'h'
  const count = (units[unit] ?? 0) / interval
  return `${count >= 10 ? grouped(Math.round(count)) : Number(count.toFixed(1))}/${unit}`
}

/** Milliseconds between two requests, from a rate such as `10/s`, `240/m` or `1200/h`. */
export const rate: Kind<number> = {
  name: 'rate',
  parse(text) {
    const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\/([smh])$/.exec(text) ?? []
    const length = units[unit]
    if (length === undefined || !(Number(count) > 0)) {
      return { problem: `${JSON.stringify(text)} is not a rate such as 10/s, 240/m or 1200/h` }
    }
    return { value: length / Number(count) }
  },
  check: value => (typeof value === 'number' ? undefined : 'must be a rate'),
}
