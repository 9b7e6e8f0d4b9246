/** Values stay text, so that numbers do not change. */
import { members } from '../json/pick.ts'

export type Members = Map<string, string>

/** The last of equal names counts. Empty unless it is an object. */
export function readMembers(json: string): Members {
  return new Map(members(Buffer.from(json.trimStart())).map(([name, value]) => [name, value.toString()]))
}

export function stringOf(json: string | undefined): string | undefined {
  return json?.startsWith('"') ? JSON.parse(json) : undefined
}
