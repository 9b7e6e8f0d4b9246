import type { Item } from './item.ts'

/** Each value must be JSON text. */
export function writeMembers(members: Iterable<readonly [name: string, value: string | Item]>): string {
  return `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
}
