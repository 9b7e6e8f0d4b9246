import type { Request } from '../http/message.ts'
import type { Json, JsonObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elementsOf, membersOf } from '../json/read-item.ts'
import { unexpectedAnswer } from './answers/answer.ts'
import { isErrorPage } from './answers/error-answer.ts'
import type { Client } from './client.ts'

export interface Page {
  readonly rows: readonly Item[]
  readonly isBareArray: boolean
  /** The members beside the rows. */
  readonly envelope: JsonObject<Json>
}

/** A list alone, or the one in `results` (in `result` of the retention view). */
export function pageIn(item: Item): Page | undefined {
  if (isList(item)) return { rows: elementsOf(item), isBareArray: true, envelope: {} }
  const members = membersOf(item)
  const list = [members.get('results'), members.get('result')].find(isList)
  if (!list) return undefined
  const others = Array.from(members).filter(([, one]) => one !== list)
  const envelope = Object.fromEntries(others.map(([name, { value }]) => [name, value]))
  return { rows: elementsOf(list), isBareArray: false, envelope }
}

function isList(item: Item | undefined): boolean {
  return item?.text.startsWith('[') === true
}

/** `answered`: the answer, if the request was already sent. */
export async function readPage(
  client: Client,
  request: Request,
  hintOnNoList: string | undefined,
  answered?: Item,
): Promise<Page> {
  const { item, status } = answered ? { item: answered, status: undefined } : await client.answer(request)
  const page = item && pageIn(item)
  if (!page) throw unexpectedAnswer(request, 'no list', { status, hint: hintOnNoList })
  if (isErrorPage(page.envelope, page.rows.length)) {
    throw unexpectedAnswer(request, 'an error instead of a page', { status })
  }
  return page
}
