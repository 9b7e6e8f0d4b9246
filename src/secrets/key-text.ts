import { isAbsolute } from 'node:path'

/** A header allows only visible ASCII; quotes around a key come from a file or script. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/^(["'`]).*\1$/.test(text)
}

/** A relative path could run any file of that name in the current folder. */
export function isRelative(program: string): boolean {
  return /[\\/]/.test(program) && !isAbsolute(program)
}
