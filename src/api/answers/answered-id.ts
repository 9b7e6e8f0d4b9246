import { RejectedError } from '../../errors.ts'
import type { Item } from '../../json/item.ts'
import { compile, kindOf, textOf } from '../../json/pick.ts'
import { formOf, type IdKind, isId } from '../../values/ids.ts'

const { pick } = compile(['id', 'uuid'])

/** Throws `RejectedError` if the id does not have the form of its kind. */
export function idOf(item: Item, kind: IdKind): string {
  const [id, uuid] = pick(item)
  return checkAnsweredId(kind === 'person_uuids' ? (uuid ?? id) : id, kind)
}

export function checkAnsweredId(id: Item | undefined, kind: IdKind): string {
  const isText = id && (kindOf(id) === 'string' || kindOf(id) === 'number')
  if (isText && isId(kind, textOf(id))) return textOf(id)
  const { of, is } = formOf(kind)
  throw new RejectedError(`Unexpected response: ${of} without an id that is ${is}`, { hint: 'Check the base URL' })
}
