/** `--fields` for the formats that print items as JSON values. */
import { oneLine } from '../json/layout.ts'
import { compile } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'

/**
 * Turns an item into an object of the chosen fields: the names as they were written, dots included, and raw values,
 * `null` where there is none. Without a choice the item stays as it came. Either way it is on one line.
 */
export function chosen(fields: readonly string[] | undefined): (item: Item) => Item {
  if (!fields) return oneLine
  const { pick } = compile(fields)
  // One character a byte, so that values pass as the bytes they are.
  const names = fields.map((field, i) => `${i === 0 ? '{' : ','}${latin1(JSON.stringify(field))}:`)
  return item => {
    const values = pick(item)
    let text = ''
    for (let i = 0; i < names.length; i++) {
      const value = values[i]
      text += names[i]
      text += value ? oneLine(value).toString('latin1') : 'null'
    }
    return Buffer.from(`${text}}`, 'latin1')
  }
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
