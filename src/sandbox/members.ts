/** JSON objects taken apart one level deep. Every value stays the text that it was, so nothing in it is altered. */
import { members } from '../json/pick.ts'

/** Name to JSON text, in the order in which they stand. */
export type Members = Map<string, string>

/** The members of an object's JSON text; of equal names the last one counts. Empty for anything else. */
export function readMembers(json: string): Members {
  return new Map(members(Buffer.from(json.trimStart())).map(([name, value]) => [name, value.toString()]))
}

export function writeMembers(members: ReadonlyMap<string, string>): string {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
}

/** The text of a string's JSON; undefined for the JSON of anything else. */
export function stringOf(json: string | undefined): string | undefined {
  return json?.startsWith('"') ? JSON.parse(json) : undefined
}
