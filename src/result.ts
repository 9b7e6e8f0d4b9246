/** What a command returns: data for stdout, and how the command ends after that. */
import type { Document, RenderOptions } from './output/document.ts'
import type { Format } from './values/formats.ts'

/** The command's own drawing of the document in one format; not used if fields are chosen. */
interface Drawing {
  readonly format: Format
  draw(options: RenderOptions): string
}

export type Data =
  /** `format`: unless the user chose one. */
  | { readonly document: Document; readonly drawing?: Drawing; readonly format?: Format }
  | { readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly text: string | ((options: RenderOptions) => string) }

type Conclude = () => void | Promise<void>

export interface Shown {
  /**
   * `write`: the service was changed, so `conclude` runs even if
   * printing fails or the reader of stdout is gone.
   */
  readonly kind: 'read' | 'write'
  readonly data: Data
  /** Throws a `Failure` for every exit code except 0. */
  readonly conclude: Conclude
}

export type Result =
  | Shown
  /** The failure is reported after printing, even if the reader of stdout is gone. */
  | { readonly kind: 'failed'; readonly data: Data; readonly failure: unknown }

const nothingMore = () => undefined

export const noData: Data = { text: '' }

export function read(data: Data, conclude: Conclude = nothingMore): Shown {
  return { kind: 'read', data, conclude }
}

export function write(data: Data, conclude: Conclude = nothingMore): Shown {
  return { kind: 'write', data, conclude }
}
