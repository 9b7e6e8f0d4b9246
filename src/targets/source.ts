/** Where the targets of a run come from, and what a lookup adds to them. */
import { readBroadFilter } from '../filters/filter.ts'
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

/** What persons are looked up by, and the columns of a list that may hold it. */
export const nameKinds = {
  email: { label: 'email', option: '--emails-from', columns: ['email', 'properties.email', 'properties'] },
  distinctId: { label: 'distinct id', option: '--distinct-ids-from', columns: ['distinct_id'] },
} as const

export type NameKind = keyof typeof nameKinds

export interface PersonName {
  readonly by: NameKind
  readonly name: string
}

export interface ListOptions {
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

/** If true, the command prints the record of the object. */
export function namesOne(source: TargetSource): boolean {
  if (source.kind === 'definitions') return new Set(source.names).size === 1
  return source.kind === 'typed' && source.ids.length === 1
}

/** If true, stdin cannot answer a prompt. */
export function readsStdin(source: TargetSource): boolean {
  return 'list' in source && 'file' in source.list && source.list.file === '-'
}

/** Describes the filters of a source if all of them are negations or bare keys; else returns none. */
export function broadFilters(source: TargetSource): readonly string[] {
  if (source.kind !== 'filter') return []
  const { search, email, distinctId, where } = source.filter
  const read = where.map(readBroadFilter).filter(text => text !== undefined)
  const isBounded = [search, email, distinctId].some(text => text !== undefined) || read.length < where.length
  return isBounded ? [] : read
}
