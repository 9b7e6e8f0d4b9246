import type { Kind } from './kinds.ts'

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds between two requests, from a rate such as `10/s`, `240/m` or `1200/h`. */
export const rate: Kind<number> = {
  name: 'rate',
  parse(text) {
    const [, count, unit] = /^(\d+(?:\.\d+)?)\/([smh])$/.exec(text) ?? []
    const unitLength = units[unit ?? '']
    if (unitLength === undefined || !(Number(count) > 0)) {
      return { problem: `${JSON.stringify(text)} is not a rate such as 10/s, 240/m or 1200/h` }
    }
    return { value: unitLength / Number(count) }
  },
  check: value => (typeof value === 'number' ? undefined : 'must be a rate'),
}
