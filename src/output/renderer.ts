import type { Format } from '../config/settings.ts'
import type { Document } from './document.ts'
import type { PrintOptions } from './print-options.ts'

export type Renderer = (document: Document, options: PrintOptions) => AsyncIterable<string | Uint8Array>

const renderers: Readonly<Record<Format, () => Promise<Renderer>>> = {
  table: async () => (await import('./table.ts')).tableRenderer,
  json: async () => (await import('./json.ts')).jsonRenderer,
  ndjson: async () => (await import('./json.ts')).ndjsonRenderer,
  csv: async () => (await import('./csv.ts')).csvRenderer,
  ids: async () => (await import('./ids.ts')).idsRenderer,
}

export function rendererOf(format: Format): Promise<Renderer> {
  return renderers[format]()
}
