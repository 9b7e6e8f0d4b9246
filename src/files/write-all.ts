import { writeSync } from 'node:fs'

/** Writes at `position`, or where the file stands: the system may take only a part of what it is given. */
export function writeAll(file: number, content: string | Uint8Array, position?: number): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(file, bytes, at, bytes.length - at, position === undefined ? null : position + at)
  }
}
