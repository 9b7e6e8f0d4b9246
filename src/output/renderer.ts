import type { Item } from '../json/item.ts'
import type { Format } from '../values/formats.ts'
import type { Collection } from '../values/ids.ts'

/** What a renderer prints. */
export interface Document {
  /** In the order of arrival; read once, never collected by a renderer. */
  readonly rows: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>
  /** One object, not a list of one. */
  readonly isOne: boolean
  readonly view: View
}

export interface View {
  /** Columns of a table. If empty, or if no row has one of them, taken from the rows. */
  readonly columns: readonly string[]
  /** Documented fields in order: the first columns of CSV, and the first lines of a record. */
  readonly fields: readonly string[]
  /** Fields of a single record in a table; unset: all. */
  readonly shown?: readonly string[]
  /** Field that `ids` prints. */
  readonly id: string
  /** Resource of the ids; undefined if their form is unknown. */
  readonly idsOf: Collection | undefined
  /** Fields that name the object; a table shows them whole, like the id. */
  readonly names: readonly string[]
}

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
