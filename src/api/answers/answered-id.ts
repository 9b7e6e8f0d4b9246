import { RejectedError } from '../../errors.ts'
import type { Item } from '../../json/item.ts'
import { compile, kindOf, textOf } from '../../json/pick.ts'
import { type Collection, idForms, isId } from '../../values/ids.ts'

const { pick } = compile(['id'])

/** Throws `RejectedError` if the id does not have the form of its collection. */
export function idOf(item: Item, collection: Collection): string {
  const [id] = pick(item)
  return checkAnsweredId(id, collection)
}

export function checkAnsweredId(id: Item | undefined, collection: Collection): string {
  const isText = id && (kindOf(id) === 'string' || kindOf(id) === 'number')
  if (isText && isId(collection, textOf(id))) return textOf(id)
  const { of, is } = idForms[collection]
  throw new RejectedError(`Unexpected response: ${of} without an id that is ${is}`, { hint: 'Check the base URL' })
}
