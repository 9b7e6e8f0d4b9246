/** The targets of a command that changes objects, or what finds them. */
import type { Connection } from '../../cli/command.ts'
import type { ShowValue } from '../../filters/filter-words.ts'
import type { Lookups } from '../../jobs/lookups.ts'
import type { ReceiptInput } from '../../jobs/receipts/receipt.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import type { JsonObject } from '../../json/exact.ts'

export interface Found {
  readonly ids: Targets
  /** Of the list that names them. */
  readonly input?: ReceiptInput
  /** Kept until the run itself is. */
  readonly lookups?: Lookups | undefined
}

/** Targets that the command line names, or what finds them. */
export interface Selection {
  /** Finding throws `RefusedError` when the service ignored the filter. */
  readonly targets: Found | ((connection: Connection, concurrency: number) => Promise<Found>)
  /** The highest number of targets that the command line allows; undefined for filters and --all. */
  readonly limit?: number | undefined
  /** One object that the command line names, and no list of one: the command answers with its record. */
  readonly isOne?: boolean | undefined
  /** Stdin is used up, so it cannot answer a question. */
  readonly fromStdin?: boolean
  /** A body for each target, in the order of the ids. */
  readonly bodies?: readonly JsonObject[]
  /** What selects the targets, in words. */
  readonly selectedBy?: ((shown: ShowValue) => string) | undefined
}

/** A list of targets that are known. */
export function selectKnown(found: Found): Selection {
  return { targets: found, limit: found.ids.length }
}

/** Undefined while the targets must be found. */
export function knownIds({ targets }: Selection): Targets | undefined {
  return typeof targets === 'function' ? undefined : targets.ids
}

/** The id of the one object that the command line names by it. */
export function namedId(selection: Selection): string | undefined {
  return selection.isOne ? knownIds(selection)?.at(0) : undefined
}
