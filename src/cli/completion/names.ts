/** Names that were read from the service, kept for a while: a key pressed at a prompt is not worth a request each time. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../../files/private-file.ts'
import type { Candidate } from './candidates.ts'

/** How long a list is as good as a new one, in ms. */
const fresh = 60_000

/** The list kept under `name`, read anew where it is too old; an old one is better than none. */
export async function cachedNames(
  folder: string,
  name: string,
  read: () => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const path = join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`)
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  if (age < fresh) return readList(path)
  try {
    const list = await read()
    keep(folder, path, list)
    return list
  } catch {
    return readList(path)
  }
}

function readList(path: string): readonly Candidate[] {
  try {
    // Only `keep` writes it.
    return JSON.parse(readFileSync(path, 'utf8')) as readonly Candidate[]
  } catch {
    return []
  }
}

function keep(folder: string, path: string, list: readonly Candidate[]): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writePrivateFile(path, 'completion', JSON.stringify(list))
  } catch {
    // It is read anew the next time.
  }
}
