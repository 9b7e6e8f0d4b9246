import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { files } from './platform.ts'

/** Returns the file or folder that others can write to. */
export function writableByOthers(file: string): string | undefined {
  const folder = dirname(file)
  const [ofFile, ofFolder] = [file, folder].map(statsOf)
  if (ofFile?.isFile() && isWritable(ofFile)) return file
  if (!ofFolder || !isWritable(ofFolder)) return undefined
  // In a sticky folder such as /tmp, others can add files but not replace ours.
  const isSticky = (ofFolder.mode & 0o1000) !== 0
  return isSticky && (!ofFile || ofFile.uid === ownUser()) ? undefined : folder
}

export function isForeign(folder: string): boolean {
  const there = statsOf(folder)
  if (!there) return false
  const { uid } = lstatSync(folder, { throwIfNoEntry: false }) ?? there
  return isWritable(there) || there.uid !== ownUser() || uid !== ownUser()
}

/** Root is trusted: root could change any file. */
export function isOfAnotherUser(file: string): boolean {
  const owner = statsOf(file)?.uid
  return owner !== undefined && owner !== 0 && owner !== ownUser()
}

/** Undefined on Windows, where owners and modes protect nothing. */
function statsOf(path: string): Stats | undefined {
  if (!files.protects) return undefined
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isWritable({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0
}

/** Not a named import, which would fail on Windows. */
const { geteuid } = process

function ownUser(): number | undefined {
  return geteuid?.()
}
