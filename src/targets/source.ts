/** Where the targets of a run come from, and what is known of them before they are looked up. */
import type { Connection } from '../context.ts'
import type { Filter } from '../filters/filter.ts'
import { filterWords, type ShowValue } from '../filters/filter-words.ts'
import type { PersonFilter } from '../filters/person-filter.ts'
import type { ListAccount } from '../jobs/receipt.ts'
import type { JsonObject } from '../json/exact.ts'

export type TargetSource =
  | { readonly kind: 'typed'; readonly ids: readonly string[] }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'file'; readonly list: ListFile }
  | { readonly kind: 'rows'; readonly list: ListFile; readonly types: readonly string[] }
  | { readonly kind: 'persons'; readonly by: NameKind; readonly list: ListFile }
  | { readonly kind: 'filter'; readonly filter: TargetFilter }

export type NameKind = 'email' | 'distinctId'

export interface ListFile {
  /** `-` is stdin. */
  readonly file: string
  readonly column: string | undefined
  readonly unmatched: string | undefined
  readonly requireAll: boolean | undefined
  /** What becomes of a line that names several persons: undefined refuses the run. */
  readonly onSeveral: 'all' | 'skip' | undefined
}

/** `where`: filters that only this program checks. */
export interface TargetFilter extends PersonFilter {
  readonly where: readonly Filter[]
}

/** The command line names one object, not a list of one, and the command returns its record. */
export function namesOne(source: TargetSource): boolean {
  if (source.kind === 'names') return new Set(source.names).size === 1
  return source.kind === 'typed' && source.ids.length === 1
}

/** Stdin cannot answer a question then. */
export function readsStdin(source: TargetSource): boolean {
  return 'list' in source && source.list.file === '-'
}

/** Undefined unless filters select the targets. */
export function filtersOf(source: TargetSource, shown: ShowValue): string | undefined {
  if (source.kind !== 'filter') return undefined
  const { search, email, distinctId, property, where } = source.filter
  const given = Object.entries({ search, email, 'distinct id': distinctId }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${shown(value, name)}`],
  )
  const filters = [...property, ...where].map(filter => filterWords(filter, shown))
  return [...given, ...filters].join(', ') || 'all that the service lists'
}

export interface Found {
  readonly ids: readonly string[]
  readonly account?: ListAccount | null
  /** The names by which they were found, one for each id. */
  readonly names?: readonly string[]
  readonly by?: NameKind
  /** One for each id. */
  readonly bodies?: readonly JsonObject[] | undefined
}

export interface Selection {
  /** Finding throws `RefusedError` if the service ignored the filter. */
  readonly targets: Found | ((connection: Connection, concurrency: number) => Promise<Found>)
  /** Highest number of targets that the command line allows; undefined for filters and --all. */
  readonly limit: number | undefined
}

export function knownIds({ targets }: Selection): readonly string[] | undefined {
  return typeof targets === 'function' ? undefined : targets.ids
}
