/** The data that a command returns and a renderer prints: JSON values as the bytes that came. */

import type { Item } from '../json/item.ts'
import type { Collection } from '../values/ids.ts'

export interface Document {
  readonly shape: 'list' | 'object'
  /** Batches in the order of arrival; read once, never collected by a renderer. */
  readonly batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>
  readonly view: View
  /** Known after the batches; given when the page envelope is wanted. */
  readonly envelope?: () => Envelope
}

/** Raw JSON of the members around `results`; `null` where the service sent none. */
interface Envelope {
  readonly count: string
  readonly next: string
  readonly previous: string
}

export interface View {
  /** Default columns of a table; empty: taken from the data. */
  readonly columns: readonly string[]
  /** Documented fields in order: the first columns of CSV. */
  readonly fields: readonly string[]
  /** The field that `ids` prints; a table cuts it last. */
  readonly id: string
  /** The resource whose ids these are; undefined where their form is not known. */
  readonly idsOf?: Collection
  /** Fields that name the object, by default `name`; a table cuts them last but the id. */
  readonly names?: readonly string[]
  /** How a table is drawn unless fields are chosen: events over time, groups of persons, or writes. */
  readonly drawing?: 'timeline' | 'people' | 'writes'
}

export interface RenderOptions {
  /** Chosen fields, dotted paths included; undefined: those of the view. */
  readonly fields?: readonly string[] | undefined
  readonly header: boolean
  readonly reveal: boolean
  /** Makes cells safe that a spreadsheet would run. */
  readonly escapeFormulas: boolean
  /** Starts CSV with the mark that tells Excel it is UTF-8. */
  readonly bom?: boolean | undefined
  readonly flatten?: boolean | undefined
  readonly color: boolean
  /** Width of a table in cells; undefined cuts nothing. */
  readonly width: number | undefined
  /** Time in ms for relative dates such as `8 months ago`; undefined: absolute dates. */
  readonly now?: number | undefined
  /** Gets the names of CSV columns that came too late to be printed. */
  readonly onLateColumns?: ((names: readonly string[]) => void) | undefined
  /** Gets the names of columns that do not fit the terminal. */
  readonly onHiddenColumns?: ((names: readonly string[]) => void) | undefined
  /** For a person at a terminal: indents JSON and escapes control characters. */
  readonly terminal: boolean
  readonly ci?: boolean | undefined
}

/** Makes chunks of output; a chunk is valid until the next one is read. */
export type Renderer = (document: Document, options: RenderOptions) => AsyncIterable<string | Uint8Array>

export function mapItems(document: Document, change: (item: Item) => Item): Document {
  async function* batches() {
    for await (const batch of document.batches) yield batch.map(change)
  }
  return { ...document, batches: batches() }
}
