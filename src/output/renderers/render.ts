import type { Format } from '../../values/formats.ts'
import type { Renderer, View } from '../document.ts'

const renderers: Readonly<Record<Format, () => Promise<Renderer>>> = {
  table: async () => (await import('../tables/table.ts')).tableRenderer,
  json: async () => (await import('./json.ts')).jsonRenderer,
  ndjson: async () => (await import('./json.ts')).ndjsonRenderer,
  csv: async () => (await import('./csv.ts')).csvRenderer,
  ids: async () => (await import('./ids.ts')).idsRenderer,
}

const tables: Readonly<Record<NonNullable<View['table']>, () => Promise<Renderer>>> = {
  people: async () => (await import('../tables/people-table.ts')).peopleRenderer,
  writes: async () => (await import('../tables/writes-table.ts')).writesRenderer,
}

export async function rendererOf(format: Format, table?: View['table']): Promise<Renderer> {
  return table && format === 'table' ? tables[table]() : renderers[format]()
}
