import { isAbsolute } from 'node:path'

/** A header line allows visible ASCII only; quotes around a key are left from the line of a file or a script. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/^(["'`]).*\1$/.test(text)
}

/** A relative path could run any file of that name in the working folder. */
export function isRelative(program: string): boolean {
  return /[\\/]/.test(program) && !isAbsolute(program)
}
