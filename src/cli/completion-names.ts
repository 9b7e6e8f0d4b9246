/** Caches names from the service, so that not every press of the Tab key sends a request. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { digestOfBytes } from '../files/digest.ts'
import { makePrivateFolder } from '../files/make-folder.ts'
import { writePrivateFile } from '../files/private-file.ts'
import { readRegularFile } from '../files/regular-file.ts'
import type { Candidate } from './completion.ts'

/** Milliseconds that a cached list is used. */
const fresh = 60_000

/** Reads an old or damaged list again; if that fails, uses the old one. */
export async function cachedNames(
  folder: string,
  name: string,
  read: () => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const path = join(folder, `${digestOfBytes(name).slice(0, 32)}.json`)
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  const kept = keptList(path)
  if (kept && age < fresh) return kept
  try {
    const list = await read()
    keep(folder, path, list)
    return list
  } catch {
    return kept ?? []
  }
}

function keptList(path: string): readonly Candidate[] | undefined {
  try {
    const list: unknown = JSON.parse(readRegularFile(path).toString())
    return Array.isArray(list) && list.every(isCandidate) ? list : undefined
  } catch {
    return undefined
  }
}

function isCandidate(one: unknown): one is Candidate {
  return typeof one === 'object' && one !== null && 'value' in one && typeof one.value === 'string'
}

function keep(folder: string, path: string, list: readonly Candidate[]): void {
  try {
    makePrivateFolder(folder)
    writePrivateFile(path, 'completion', JSON.stringify(list))
  } catch {
    // Without a cached list, the next press of the key reads it again.
  }
}
