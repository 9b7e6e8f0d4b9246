import type { Item } from '../../json/item.ts'
import { oneLine } from '../../json/layout.ts'
import { compile } from '../../json/pick.ts'

/** Each item becomes one line with the chosen fields, named as typed; values stay raw, and missing fields are left out. */
export function chosen(fields: readonly string[] | undefined): (item: Item) => Item {
  if (!fields) return oneLine
  const { pick } = compile(fields)
  // One character per byte leaves values unchanged.
  const names = fields.map(field => `${latin1(JSON.stringify(field))}:`)
  return item => {
    const values = pick(item)
    let text = ''
    for (let i = 0; i < names.length; i++) {
      const value = values[i]
      if (!value) continue
      text += text === '' ? '{' : ','
      text += names[i]
      text += oneLine(value).toString('latin1')
    }
    return Buffer.from(text === '' ? '{}' : `${text}}`, 'latin1')
  }
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
