/** Data that a command returns and a renderer prints: JSON values, with the text that came. */

import type { Item } from '../json/item.ts'
import { itemOf } from '../json/read-item.ts'
import type { Collection } from '../values/ids.ts'

export interface Document {
  readonly shape: 'list' | 'object'
  /** In the order of arrival; read once, never collected by a renderer. */
  readonly batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>
  readonly view: View
}

export interface View {
  /** Default columns of a table. If empty, taken from the rows. */
  readonly columns: readonly string[]
  /** Documented fields in order; they are the first columns of CSV. */
  readonly fields: readonly string[]
  /** Documented fields that list items leave out. */
  readonly leftOut: readonly string[]
  /** Field that `ids` prints; a table cuts it last. */
  readonly id: string
  /** Resource of the ids; undefined if their form is unknown. */
  readonly idsOf: Collection | undefined
  /** Fields that name the object; only the id is cut later. */
  readonly names: readonly string[]
  /** Drawing of a table unless fields are chosen: groups of persons, or writes. */
  readonly table: 'people' | 'writes' | undefined
}

export interface RenderOptions {
  /** Chosen fields, including dotted paths; undefined means those of the view. */
  readonly fields?: readonly string[] | undefined
  readonly header: boolean
  readonly reveal: boolean
  readonly escapeFormulas: boolean
  /** Starts CSV with a byte order mark, which tells Excel that it is UTF-8. */
  readonly bom?: boolean | undefined
  readonly color: boolean
  /** Width of a table in cells; undefined means that nothing is cut. */
  readonly width: number | undefined
  /** Receives the names of CSV columns that came too late to be printed. */
  readonly onLateColumns?: ((names: readonly string[]) => void) | undefined
  readonly onHiddenColumns?: ((names: readonly string[]) => void) | undefined
  /** For a person at a terminal: indents JSON and escapes control characters. */
  readonly terminal: boolean
  readonly ci?: boolean | undefined
}

/** Each chunk is valid until the next one is read. */
export type Renderer = (document: Document, options: RenderOptions) => AsyncIterable<string | Uint8Array>

export function mapItems(document: Document, change: (item: Item) => Item): Document {
  async function* batches() {
    for await (const batch of document.batches) yield batch.map(item => change(item))
  }
  return { ...document, batches: batches() }
}

export function listDocument(rows: readonly object[], view: View): Document {
  return { shape: 'list', batches: [rows.map(itemOf)], view }
}

export function objectDocument(row: object, view: View): Document {
  return { shape: 'object', batches: [[itemOf(row)]], view }
}
