import type { Connection } from '../../context.ts'
import type { ShowValue } from '../../filters/filter-words.ts'
import type { ReceiptInput } from '../../jobs/receipts/receipt.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import type { JsonObject } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'

export interface Found {
  readonly ids: Targets
  /** All of them were read to find them, so they were there. */
  readonly areRead?: boolean
  readonly input?: ReceiptInput
  /** One for each id. */
  readonly bodies?: readonly JsonObject[]
}

/** Gets each object that is read to find the targets, and its record where that is whole. */
export type OnRead = (id: string, record?: Item) => void

export interface Selection {
  /** Finding throws `RefusedError` if the service ignored the filter. */
  readonly targets: Found | ((connection: Connection, concurrency: number, onRead: OnRead) => Promise<Found>)
  /** Highest number of targets that the command line allows; undefined for filters and --all. */
  readonly limit?: number | undefined
  /** The command line names one object, not a list of one, and the command returns its record. */
  readonly isOne?: boolean | undefined
  /** Stdin cannot answer a question, because it was read. */
  readonly fromStdin?: boolean
  readonly selectedBy?: ((shown: ShowValue) => string) | undefined
}

export function selectKnown(found: Found): Selection {
  return { targets: found, limit: found.ids.length }
}

export function knownIds({ targets }: Selection): Targets | undefined {
  return typeof targets === 'function' ? undefined : targets.ids
}

export function namedId(selection: Selection): string | undefined {
  return selection.isOne ? knownIds(selection)?.at(0) : undefined
}
