/** Loads the renderer of a format when it is needed. */
import type { Format } from '../values/formats.ts'
import type { Renderer } from './document.ts'

const renderers: Readonly<Record<Format, () => Promise<Renderer>>> = {
  table: async () => (await import('./table.ts')).tableRenderer,
  json: async () => (await import('./json.ts')).jsonRenderer,
  ndjson: async () => (await import('./ndjson.ts')).ndjsonRenderer,
  csv: async () => (await import('./csv.ts')).csvRenderer,
  yaml: async () => (await import('./yaml.ts')).yamlRenderer,
  ids: async () => (await import('./ids.ts')).idsRenderer,
}

/** `asTimeline`: for a document whose table is a timeline. */
export async function rendererOf(format: Format, asTimeline = false): Promise<Renderer> {
  return asTimeline && format === 'table' ? (await import('./timeline.ts')).timelineRenderer : renderers[format]()
}
