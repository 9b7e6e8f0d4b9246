/** Hides what is secret by its name, in fields and in URLs (`secrets/secret-names.ts`). */
import type { Item } from '../json/item.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { refuseDeep } from '../json/scan.ts'
import { writeMembers } from '../json/write-members.ts'
import { isSecretName, maskUrls, mayNameSecret } from '../secrets/secret-names.ts'

export function mask(secret: string): string {
  const characters = [...secret]
  return characters.length < 12 ? '***' : `***${characters.slice(-4).join('')}`
}

/** How a diff shows a secret, which may look like the other one when masked. */
export const oldSecret = '(secret)'
export const newSecret = '(another secret)'

/** Returns the same item if it holds no secret. Throws `Malformed` above 1,000 levels. */
export function masked(item: Item, hide = mask): Item {
  if (!mayHold(item)) return item
  refuseDeep(item)
  return Buffer.from(write(item, hide))
}

/** Names may contain escapes, so items with a backslash are searched. */
function mayHold(item: Item): boolean {
  return item.includes(0x5c) || mayNameSecret(item.toString('latin1'))
}

function write(item: Item, hide: typeof mask): string {
  const kind = kindOf(item)
  if (kind === 'array')
    return `[${elements(item)
      .map(one => write(one, hide))
      .join()}]`
  if (kind === 'string') return writeText(item)
  if (kind !== 'object') return item.toString()
  const all = members(item)
  // An activity entry has the name of a field in one member and its values in others.
  const isOfSecret = all.some(([name, value]) => name === 'field' && isSecretName(textOf(value)))
  const hides = (name: string) => isSecretName(name) || (isOfSecret && (name === 'before' || name === 'after'))
  return writeMembers(all.map(([name, value]) => [name, hides(name) ? writeMasked(value, hide) : write(value, hide)]))
}

function writeText(item: Item): string {
  const text = textOf(item)
  const shown = maskUrls(text)
  return shown === text ? item.toString() : JSON.stringify(shown)
}

function writeMasked(value: Item, hide: typeof mask): string {
  return kindOf(value) === 'null' ? 'null' : JSON.stringify(hide(textOf(value)))
}
