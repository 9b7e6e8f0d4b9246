import type { Format, Values } from '../config/settings.ts'
import type { Document } from './views.ts'

export interface PrintOptions extends Pick<Values, 'noHeader' | 'reveal' | 'escapeFormulas' | 'bom'> {
  /** Can be dotted paths; undefined means those of the view. */
  readonly fields: readonly string[] | undefined
  readonly color: boolean
  /** In cells; undefined means that nothing is cut. */
  readonly width: number | undefined
  readonly isTerminal: boolean
  note(text: string): void
}

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
