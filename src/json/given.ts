/** JSON that a person wrote: of two members with one name it is not known which one was meant. */
import { UsageError } from '../errors.ts'
import { decode } from './exact.ts'
import type { Item } from './item.ts'
import { textOf } from './pick.ts'
import { classes, closing, colon, opening, quoting, skipSpace, skipString } from './scan.ts'

/** `where` begins the message, such as `--body: `. Throws `Malformed`, and `UsageError` for a repeated member. */
export function decodeGiven(json: Uint8Array | string, where: string): unknown {
  const value = decode(json)
  refuseRepeated(Buffer.from(json), where)
  return value
}

/** Throws `UsageError` for JSON with a repeated member, at any depth and however it is spelled. */
export function refuseRepeated(json: Item, where: string): void {
  const path = repeatedMember(json)
  if (path !== undefined) throw new UsageError(`${where}${path} is given twice`, { hint: 'Keep one of them' })
}

/** The path of the first repeated member, without the indexes of lists; `json` must be valid. */
function repeatedMember(json: Item): string | undefined {
  const open: { readonly names: Set<string>; name?: string }[] = []
  for (let i = 0; i < json.length; ) {
    const kind = classes[json[i] as number]
    const start = i++
    if (kind === opening) open.push({ names: new Set() })
    else if (kind === closing) open.pop()
    else if (kind === quoting) {
      i = skipString(json, i)
      const object = open.at(-1)
      if (!object || json[skipSpace(json, i)] !== colon) continue
      object.name = textOf(json.subarray(start, i))
      if (object.names.has(object.name)) return open.flatMap(({ name }) => name ?? []).join('.')
      object.names.add(object.name)
    }
  }
  return undefined
}
