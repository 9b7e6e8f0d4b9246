import { grouped } from '../text/grouped.ts'
import { units } from './instant.ts'
import { defineKind, type Kind } from './kinds.ts'

/** Milliseconds (25 days). Node ends longer timers at once. */
export const longestTimer = 2 ** 31 - 1

export const seconds: Kind<number> = defineKind('seconds', {
  takes: 'a number of seconds above 0',
  read(text) {
    const isAbove = /^\s*\d+(\.\d+)?\s*$/.test(text) && Number(text) > 0
    return isAbove ? Math.min(Number(text), longestTimer / 1000) : undefined
  },
})

/** Milliseconds of `300ms`, `90s`, `5m`, `1h30m`, `30d` or `2w`; a number without a unit means seconds. */
export const duration: Kind<number> = defineKind('duration', {
  takes: 'a duration such as 90s, 5m or 1h30m',
  read: text => (/^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : sumOf(text)),
})

/** Needs a clear unit: 30 could mean days, and 6m months. */
export const age: Kind<number> = defineKind('age', {
  takes: 'an age such as 12h, 30d or 2w',
  read: text => (/^(\d+(\.\d+)?[shdw])+$/.test(text) ? sumOf(text) : undefined),
})

function sumOf(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0)
}

/** Formats the milliseconds between two requests, such as `187/s`, `2.5/s` or `20/m`. */
export function writeRate(interval: number): string {
  const unit = ['s', 'm', 'h'].find(name => (units[name] ?? 0) >= interval) ?? 'h'
  const count = (units[unit] ?? 0) / interval
  return `${count >= 10 ? grouped(Math.round(count)) : Number(count.toFixed(1))}/${unit}`
}

export const rate: Kind<number> = defineKind('rate', {
  takes: 'a rate such as 10/s, 240/m or 1200/h',
  read(text) {
    const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\/([smh])$/.exec(text) ?? []
    return Number(count) > 0 ? (units[unit] ?? 0) / Number(count) : undefined
  },
})
