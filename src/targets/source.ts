/** Where the targets of a run come from, and what a lookup adds to them. */
import type { PersonFilter } from '../filters/person-filter.ts'
import type { ReceiptInput } from '../jobs/receipt.ts'
import type { JsonObject } from '../json/exact.ts'

export type TargetSource =
  | { readonly kind: 'typed'; readonly ids: readonly string[] }
  | { readonly kind: 'definitions'; readonly names: readonly string[] }
  | { readonly kind: 'file'; readonly list: ListFile }
  | { readonly kind: 'rows'; readonly list: ListFile; readonly types: readonly string[] }
  | { readonly kind: 'persons'; readonly by: NameKind; readonly list: ListFile | TypedName }
  | { readonly kind: 'filter'; readonly filter: PersonFilter }
  /** The targets of an undo, each with its values. */
  | { readonly kind: 'saved'; readonly ids: readonly string[]; readonly valuesPerTarget: readonly JsonObject[] }

/** What persons are looked up by. */
export type NameKind = 'email' | 'distinctId'

export interface PersonName {
  readonly by: NameKind
  readonly name: string
}

interface ListOptions {
  readonly unmatched: string | undefined
  readonly requireAll: boolean | undefined
  readonly allowMultiple: boolean
}

export interface ListFile extends ListOptions {
  readonly file: string
  readonly column: string | undefined
}

/** An email or distinct id alone on the command line is a list of one. */
interface TypedName extends ListOptions {
  readonly name: string
}

export interface Targets {
  readonly ids: readonly string[]
  readonly valuesPerTarget?: readonly JsonObject[] | undefined
  readonly matchedBy?: { readonly by: NameKind; readonly names: readonly string[] } | undefined
  /** UUIDs of persons whose ids are numbers, if a lookup returned them. */
  readonly uuids?: readonly (string | null)[] | undefined
  readonly input: ReceiptInput | null
}
