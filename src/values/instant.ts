const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Milliseconds of an ISO 8601 date or date-time; one without an offset is UTC. */
export function instantOf(text: string): number | undefined {
  const [, day, time = '00:00', offset = 'Z'] = iso.exec(text) ?? []
  if (day === undefined || !isDay(day) || time.startsWith('24')) return undefined
  const zone = offset.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)
  const instant = Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(instant) ? undefined : instant
}

/** The digits of a fraction of a second behind the milliseconds, which `instantOf` leaves out. */
export function finerThanMilliseconds(text: string): string {
  return /\.\d{3}(\d+)/.exec(text)?.[1] ?? ''
}

/** JavaScript reads the 30th of February as the 2nd of March. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const lengths = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const
const relative = /^-(\d{1,6})([hdwy])$/

/** No date of a record is earlier, and servers know no year 0. */
const earliest = Date.parse('0001-01-01T00:00:00Z')

export function isTimeBefore(text: string): boolean {
  return relative.test(text)
}

/** The instant so long before `now`: `-12h`, `-90d`, `-6w`, or `-1y` for the same day a year earlier. */
export function timeBefore(text: string, now: number): number | undefined {
  const [, count, unit] = relative.exec(text) ?? []
  if (unit === undefined) return undefined
  const instant =
    unit === 'y' ? yearsBefore(Number(count), now) : now - Number(count) * lengths[unit as keyof typeof lengths]
  return instant > earliest ? instant : earliest
}

/** Not a number where the year is beyond what JavaScript counts. */
function yearsBefore(count: number, now: number): number {
  const date = new Date(now)
  const month = date.getUTCMonth()
  date.setUTCFullYear(date.getUTCFullYear() - count)
  // In a year without the 29th of February it is the 28th.
  if (date.getUTCMonth() !== month) date.setUTCDate(0)
  return date.getTime()
}
