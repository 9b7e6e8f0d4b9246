import { writeSync } from 'node:fs'

/** The system may write only a part at a time. Without `position`, writes at the current offset. */
export function writeAll(file: number, content: string | Uint8Array, position?: number): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(file, bytes, at, bytes.length - at, position === undefined ? null : position + at)
  }
}
