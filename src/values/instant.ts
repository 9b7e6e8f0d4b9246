const hour = 3_600_000
const day = 24 * hour

export const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: hour, d: day, w: 7 * day }

const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Milliseconds of an ISO 8601 date or date-time; without an offset, it is UTC. */
export function instantOf(text: string): number | undefined {
  const [, date, time = '00:00', offset = 'Z'] = iso.exec(text) ?? []
  if (date === undefined || !isDay(date) || time.startsWith('24')) return undefined
  const zone = offset.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)
  const instant = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(instant) ? undefined : instant
}

/** Returns the digits after the milliseconds, which `instantOf` ignores. */
export function finerThanMilliseconds(text: string): string {
  return /\.\d{3}(\d+)/.exec(text)?.[1] ?? ''
}

/** JavaScript reads February 30 as March 2. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const relative = /^-(\d{1,6})([hdw])$/

/** Records have no earlier dates, and servers do not accept the year 0. */
const earliest = Date.parse('0001-01-01T00:00:00Z')

/** Reads `-12h`, `-90d` or `-6w`. */
export function timeBefore(text: string, now: number): number | undefined {
  const [, count, unit] = relative.exec(text) ?? []
  if (unit === undefined) return undefined
  return Math.max(earliest, now - Number(count) * (units[unit] ?? 0))
}

/** Milliseconds of the next Sunday 05:00 UTC (the service's document, "States and transitions"). */
export function nextEventDeletion(now: number): number {
  const midnight = Math.floor(now / day) * day
  const sunday = midnight + ((7 - new Date(now).getUTCDay()) % 7) * day + 5 * hour
  return sunday > now ? sunday : sunday + 7 * day
}
