/** Values stay text, so that numbers do not change. */
import { partsIn } from '../json/layout.ts'

export type Members = Map<string, string>

/** The last of equal names counts. Empty unless it is an object. */
export function readMembers(json: string): Members {
  return json.trimStart().startsWith('{') ? new Map(partsIn(json)) : new Map()
}

/** Each value must be JSON text. */
export function writeMembers(members: Iterable<readonly [name: string, value: string]>): string {
  return `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
}

export function stringOf(json: string | undefined): string | undefined {
  return json?.startsWith('"') ? JSON.parse(json) : undefined
}
