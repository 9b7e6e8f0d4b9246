/** What a key, and the command that prints one, may look like. */
import { isAbsolute } from 'node:path'

/** A key travels in a header line: visible ASCII only. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

/** A relative path would run whatever has that name in the working folder. */
export function isRelative(program: string): boolean {
  return /[\\/]/.test(program) && !isAbsolute(program)
}
