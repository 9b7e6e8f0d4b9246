/** Times in messages and tables, in UTC: `2026-11-21 07:52:10Z`. */
const moment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/

/** Converts ISO 8601, other zones to UTC; undefined for other text. */
export function readableMoment(text: string): string | undefined {
  const [, date, time, zone] = moment.exec(text) ?? []
  if (date === undefined) return undefined
  if (zone === undefined) return `${date} ${time}`
  if (/^Z|^[+-]00:?00$/.test(zone)) return `${date} ${time}Z`
  const at = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(at) ? undefined : momentText(at)
}

export function momentText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`
}
