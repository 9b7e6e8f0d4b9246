import type { Json, JsonObject } from '../../json/exact.ts'
import { type Item, sliceArray, sliceObject } from '../../json/read-item.ts'
import { saysError } from './response.ts'

export interface Page {
  readonly rows: readonly Item[]
  readonly isBareArray: boolean
  readonly envelope: JsonObject<Json>
}

/** A bare list, or the one in `results` (`result` of the retention view). */
export function pageIn(item: Item): Page | undefined {
  if (item.kind === 'list') return { rows: sliceArray(item), isBareArray: true, envelope: {} }
  const members = sliceObject(item)
  const list = [members.get('results'), members.get('result')].find(one => one?.kind === 'list')
  if (!list) return undefined
  const others = Array.from(members).filter(([, one]) => one !== list)
  const envelope = Object.fromEntries(others.map(([name, { value }]) => [name, value]))
  return { rows: sliceArray(list), isBareArray: false, envelope }
}

/** A page that has rows may contain a remark in `detail`. */
export function isErrorPage({ envelope, rows }: Page): boolean {
  const { detail, ...others } = envelope
  return saysError(rows.length > 0 && envelope.next !== undefined ? others : envelope)
}
