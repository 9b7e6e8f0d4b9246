/** What a key, and the command that prints one, may look like. */
import { isAbsolute } from 'node:path'

/** A key travels in a header line: visible ASCII only. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

/** Whether it would be another program in each folder: whoever owns that folder would get to print the key. */
export function isRelative(program: string): boolean {
  return /[\\/]/.test(program) && !isAbsolute(program)
}
