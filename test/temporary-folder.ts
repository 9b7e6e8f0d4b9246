/** All files of a run of the suite are in one folder, which is removed at the end. Tests need not remove their own. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes the folder, sets TMPDIR for the workers and their programs, and returns the function that removes it. */
export default function setup(): () => void {
  const folder = makeTemporaryFolder(process.env.TMPDIR ? tmpdir() : (inMemory('/dev/shm') ?? tmpdir()))
  process.env.TMPDIR = folder
  return () => removeTemporaryFolder(folder)
}

/** `folder`, if it has room and programs can run there. In memory, syncs take no time. */
function inMemory(folder: string): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < 2 ** 30) return undefined
    const tried = makeTemporaryFolder(folder)
    try {
      writeFileSync(join(tried, 'program'), '#!/bin/sh\n', { mode: 0o700 })
      execFileSync(join(tried, 'program'))
    } finally {
      removeTemporaryFolder(tried)
    }
    return folder
  } catch {
    return undefined
  }
}

export function makeTemporaryFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'analytics-tests-'))
  // Some tests run a program as another user.
  chmodSync(folder, 0o711)
  return folder
}

export function removeTemporaryFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, maxRetries: 5 })
  } catch {
    openFolders(folder)
    rmSync(folder, { recursive: true, maxRetries: 5 })
  }
}

/** A folder that its owner cannot enter or write to cannot be removed. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name))
  }
}
