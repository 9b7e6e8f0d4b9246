import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { geteuid } from 'node:process'

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

/** True for a folder that another user made, or could have changed beside its group. */
export function isStrangers(folder: string): boolean {
  const { uid, mode } = statSync(folder)
  return [uid, lstatSync(folder).uid].some(owner => owner !== ownUser()) || (mode & 0o002) !== 0
}

/** Undefined also without permission to look. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isWritable({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0
}

/** Undefined on Windows. */
export function ownUser(): number | undefined {
  return geteuid?.()
}
