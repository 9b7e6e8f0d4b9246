/** What a command answers with and a renderer prints: JSON values as the bytes they came in. */

import type { Item } from '../json/slice.ts'

export type { Item } from '../json/slice.ts'

export interface Document {
  /** `list` is printed as an array or a row each; `object` holds exactly one item. */
  readonly shape: 'list' | 'object'
  /** Items in the batches in which they arrive; read once, never collected by a renderer. */
  readonly batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>
  readonly view: View
  /** Known once the batches have been read; given when the list is wanted with its page envelope. */
  readonly envelope?: () => Envelope
}

/** Raw JSON of the members around `results`; `null` where the service did not say. */
export interface Envelope {
  readonly count: string
  readonly next: string
  readonly previous: string
}

/** How a resource is shown; a fact of its own so that every renderer agrees. */
export interface View {
  /** Columns of a table that nobody chose with `--fields`; empty: taken from what comes. */
  readonly columns: readonly string[]
  /** Fields known from the service's document, in its order: the columns of CSV, before any others that come. */
  readonly fields: readonly string[]
  /** The field that `ids` prints; a table cuts it last of all. */
  readonly id: string
  /** The fields that people know it by, `name` where none are given; a table cuts them last but the id. */
  readonly names?: readonly string[]
  /** Tells what happened when: where its shape is known, a table that nobody chose fields of is drawn as a timeline. */
  readonly timeline?: true
}

export interface RenderOptions {
  /** Chosen fields, dotted paths included; undefined: the view's own. */
  readonly fields?: readonly string[] | undefined
  readonly header: boolean
  readonly reveal: boolean
  /** Neutralise cells that a spreadsheet would run. */
  readonly escapeFormulas: boolean
  /** CSV begins with the mark by which Excel knows UTF-8. */
  readonly bom?: boolean | undefined
  readonly flatten?: boolean | undefined
  readonly color: boolean
  /** Cells to fit a table into; undefined cuts nothing. */
  readonly width: number | undefined
  /** The time in ms that dates are told from, as `8 months ago`; undefined: they stand as dates. */
  readonly now?: number | undefined
  /** Is given the names of columns of CSV that came too late to be printed. */
  readonly onLateColumns?: ((names: readonly string[]) => void) | undefined
  /** Is given the names of columns for which a terminal has no room. */
  readonly onHiddenColumns?: ((names: readonly string[]) => void) | undefined
  /** The reader is a person at a terminal: indent JSON, keep control characters from acting. */
  readonly terminal: boolean
  readonly ci?: boolean | undefined
}

/** Turns a document into chunks of output, as it comes. A chunk is good until the next one is asked for. */
export type Renderer = (document: Document, look: RenderOptions) => AsyncIterable<string | Uint8Array>
