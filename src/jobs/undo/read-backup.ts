/** A backup may contain records of many jobs, so lines are identified by their digest. */
import { createReadStream, statSync } from 'node:fs'
import { digestOfBytes } from '../../files/digest.ts'
import { checkRegular } from '../../files/regular-file.ts'
import { cannotRead } from '../../files/system-error.ts'
import type { Item } from '../../json/item.ts'

/** Calls `onRecord` for each line whose digest is in `digests`, which may change meanwhile. Throws `UsageError`. */
export async function readBackup(
  path: string,
  digests: { has(sha256: string): boolean },
  onRecord: (sha256: string, record: Item) => void,
): Promise<void> {
  try {
    checkRegular(statSync(path))
    for await (const line of byteLinesOf(createReadStream(path, { highWaterMark: chunkSize }))) {
      const sha256 = digestOfBytes(line)
      if (digests.has(sha256)) onRecord(sha256, line)
    }
  } catch (cause) {
    throw cannotRead(`--backup: ${path}`, cause, 'Check its name')
  }
}

const chunkSize = 256 * 1024

/** Yields bytes, since the digest is computed from bytes. */
async function* byteLinesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const last = chunk.subarray(from, end)
      yield pieces.length > 0 ? Buffer.concat([...pieces, last]) : last
      pieces = []
      from = end + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
  }
  if (pieces.length > 0) yield Buffer.concat(pieces)
}

const lineFeed = 0x0a
