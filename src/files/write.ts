import { writeSync } from 'node:fs'

/** The system may write only a part at a time. */
export function writeAll(file: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(file, bytes, at)
  }
}

/** For the name of a file until it is complete. */
export function randomSuffix(): string {
  return Math.random().toString(36).slice(2, 10)
}
