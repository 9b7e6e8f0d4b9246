/** What a command returns: data for stdout, and how the command ends after that. */
import { itemOf } from './json/read-item.ts'
import type { Document, View } from './output/renderer.ts'
import type { Format } from './values/formats.ts'

export interface Result {
  readonly data: Document | { readonly text: string } | { readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }
  /** A table of the command's own; not used if fields are chosen. */
  readonly draw?: ((look: { readonly color: boolean }) => string) | undefined
  /** Unless the user chose one. */
  readonly format?: Format | undefined
  /** After printing. Throws a `Failure` for every exit code except 0. */
  readonly end?: (() => void | Promise<void>) | undefined
}

export const noData = { text: '' } as const

export function listOf(rows: readonly object[], view: View): Document {
  return { rows: [rows.map(itemOf)], isOne: false, view }
}

export function recordOf(row: object, view: View): Document {
  return { rows: [[itemOf(row)]], isOne: true, view }
}
