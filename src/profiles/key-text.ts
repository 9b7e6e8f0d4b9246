import { isAbsolute } from 'node:path'

/** A header line allows visible ASCII only. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

/** A relative path could run any file of that name in the working folder. */
export function isRelative(program: string): boolean {
  return /[\\/]/.test(program) && !isAbsolute(program)
}
