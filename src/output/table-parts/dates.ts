const moment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/

/** Converts `2026-11-21T07:52:10.123Z` to `2026-11-21 07:52:10Z`, other zones to UTC; undefined for other text. */
export function readableMoment(text: string): string | undefined {
  const [, date, time, zone] = moment.exec(text) ?? []
  if (date === undefined) return undefined
  if (zone === undefined) return `${date} ${time}`
  if (/^Z|^[+-]00:?00$/.test(zone)) return `${date} ${time}Z`
  const at = new Date(`${date}T${time}${zone}`)
  return Number.isNaN(at.getTime()) ? undefined : `${at.toISOString().slice(0, 19).replace('T', ' ')}Z`
}

const minute = 60_000
const day = 1440 * minute
const units: readonly (readonly [name: string, ms: number])[] = [
  ['year', 365.25 * day],
  ['month', 30.4375 * day],
  ['day', day],
  ['hour', 60 * minute],
  ['minute', minute],
]

/** Returns `8 months ago` or `in 2 days`; `readable` comes from `readableMoment`, and means UTC without a zone. */
export function relativeMoment(readable: string, now: number): string {
  const distance = Date.parse(`${readable.slice(0, 19).replace(' ', 'T')}Z`) - now
  const [name, ms] = units.find(([, ms]) => Math.abs(distance) >= ms) ?? []
  if (name === undefined || ms === undefined) return 'just now'
  const count = Math.floor(Math.abs(distance) / ms)
  const counted = `${count} ${name}${count === 1 ? '' : 's'}`
  return distance < 0 ? `${counted} ago` : `in ${counted}`
}
