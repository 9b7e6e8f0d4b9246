/** Files that other users of this machine can change. */
import { type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, sep } from 'node:path'

/** The file, or its folder, if others can write to it; undefined if they cannot. Modes mean something on Unix only. */
export function writableByOthers(file: string): string | undefined {
  if (sep !== '/') return undefined
  const folder = dirname(file)
  const [ofFile, ofFolder] = [file, folder].map(path => statSync(path, { throwIfNoEntry: false }))
  // What is no file is refused by whoever reads it.
  if (ofFile?.isFile() && isWritable(ofFile)) return file
  if (!ofFolder || !isWritable(ofFolder)) return undefined
  // In a sticky folder such as /tmp, others can add files but not replace ours.
  const isSticky = (ofFolder.mode & 0o1000) !== 0
  return isSticky && (!ofFile || ofFile.uid === ownUser()) ? undefined : folder
}

function isWritable({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0
}

/** Undefined where the system does not know the user, as in some containers. */
function ownUser(): number | undefined {
  try {
    return userInfo().uid
  } catch {
    return undefined
  }
}
