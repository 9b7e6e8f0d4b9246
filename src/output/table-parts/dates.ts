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
