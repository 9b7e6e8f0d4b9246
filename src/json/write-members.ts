import type { Item } from './item.ts'

/** The text of an object; each value is JSON already. */
export function writeMembers(members: Iterable<readonly [name: string, value: string | Item]>): string {
  return `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
}
