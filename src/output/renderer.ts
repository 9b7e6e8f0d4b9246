import type { Format } from '../values/formats.ts'
import type { Document } from './document.ts'

/** How it is printed. */
export interface Look {
  /** Chosen fields, including dotted paths; undefined means those of the view. */
  readonly fields: readonly string[] | undefined
  readonly header: boolean
  readonly reveal: boolean
  readonly escapeFormulas: boolean
  /** Starts CSV with a byte order mark, which tells Excel that it is UTF-8. */
  readonly bom: boolean
  readonly color: boolean
  /** Width of a table in cells; undefined means that nothing is cut. */
  readonly width: number | undefined
  /** For a person at a terminal: indents JSON and escapes control characters. */
  readonly terminal: boolean
  tell(text: string): void
  /** Gets the names of columns that are not printed. */
  onLeftOut(names: readonly string[]): void
}

export type Renderer = (document: Document, look: Look) => AsyncIterable<string>

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
