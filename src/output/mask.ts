/** Masks credentials: `api_token` and `slack_incoming_webhook` in the service's document. */
import { secretFields } from '../api/resources.ts'
import type { Item } from '../json/item.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { refuseDeep } from '../json/scan.ts'
import { writeMembers } from '../json/write-members.ts'

export function mask(secret: string): string {
  const characters = [...secret]
  return characters.length < 12 ? '***' : `***${characters.slice(-4).join('')}`
}

export function isSecret(path: string): boolean {
  return secretFields.includes(path.slice(path.lastIndexOf('.') + 1))
}

/** Returns the same item if it holds no secret. Throws `Malformed` above 1,000 levels. */
export function masked(item: Item): Item {
  if (!mayHold(item)) return item
  refuseDeep(item)
  return Buffer.from(write(item))
}

/** Names may contain escapes, so items with a backslash are searched. */
function mayHold(item: Item): boolean {
  return item.includes(0x5c) || secretFields.some(name => item.includes(name))
}

function write(item: Item): string {
  const kind = kindOf(item)
  if (kind === 'array') return `[${elements(item).map(write).join()}]`
  if (kind !== 'object') return item.toString()
  const all = members(item)
  // An activity entry has the name of a field in one member and its values in others.
  const isOfSecret = all.some(([name, value]) => name === 'field' && isSecret(textOf(value)))
  const hides = (name: string) => isSecret(name) || (isOfSecret && (name === 'before' || name === 'after'))
  return writeMembers(all.map(([name, value]) => [name, hides(name) ? writeMasked(value) : write(value)]))
}

function writeMasked(value: Item): string {
  return kindOf(value) === 'null' ? 'null' : JSON.stringify(mask(textOf(value)))
}
