import type { Format, Values } from '../config/settings.ts'
import { escapeControls } from '../text/escape-controls.ts'
import type { Document } from './views.ts'

export interface PrintOptions extends Pick<Values, 'noHeader' | 'reveal' | 'escapeFormulas' | 'bom'> {
  /** Chosen fields, including dotted paths; undefined means those of the view. */
  readonly fields: readonly string[] | undefined
  readonly color: boolean
  /** Width of a table in cells; undefined means that nothing is cut. */
  readonly width: number | undefined
  /** For a person at a terminal: indents JSON and escapes control characters. */
  readonly terminal: boolean
  note(text: string): void
}

/** Each row can have another name. */
export const mostLeftOut = 20

export function noteLeftOut(names: readonly string[], { note }: PrintOptions): void {
  if (names.length === 0) return
  const shown = names.slice(0, mostLeftOut).map(escapeControls)
  note(`Columns left out: ${shown.join(', ')}${names.length > mostLeftOut ? ' and more' : ''} (choose with --fields)`)
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
