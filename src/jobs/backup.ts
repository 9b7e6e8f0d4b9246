/** `--backup` saves each record on disk before it is changed. */
import { closeSync, constants, existsSync, fchmodSync, fdatasync, fstatSync, ftruncateSync, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { UnsentError, UsageError } from '../errors.ts'
import { digestOfBytes } from '../files/digest.ts'
import { isInPlace } from '../files/file-identity.ts'
import { linkTarget } from '../files/link-target.ts'
import { checkWritable } from '../files/private-file.ts'
import { openRegularFile } from '../files/regular-file.ts'
import { reasonOf, writing } from '../files/system-error.ts'
import { writeAll } from '../files/write.ts'
import type { Item } from '../json/item.ts'
import { oneLine } from '../json/layout.ts'

/** `name` as typed, `path` as it is opened. */
export interface BackupFile {
  readonly name: string
  readonly path: string
}

export interface Backup {
  /** Resolves with the line's SHA-256 when it is on disk. Rejects with `UnsentError`, also if the file was moved. */
  save(record: Item): Promise<string>
  readonly saved: number
  close(): boolean
}

const sync = promisify(fdatasync)

/** Appends, since the file may hold the only copy of other records. Throws `UsageError` if it cannot be written. */
export function openBackup(path: string): Backup {
  const file = writing(`The backup ${path} cannot be written`, 'Give another file', () => openForAppend(path))
  let saved = 0
  let waiting: Buffer[] = []
  let group: Promise<void> | undefined
  // An unreadable path counts as missing.
  const isThere = () => {
    try {
      return isInPlace(path, file)
    } catch {
      return false
    }
  }
  // One sync for all records of a turn, because a sync takes as long as several requests.
  const write = async () => {
    await new Promise<void>(resolve => setImmediate(resolve))
    const lines = Buffer.concat(waiting)
    waiting = []
    group = undefined
    try {
      append(file, lines)
      await sync(file)
    } catch (cause) {
      // Not a `UsageError`, which would say that nothing was changed.
      throw new UnsentError(`The backup ${path} cannot be written${reasonOf(cause)}`, {
        hint: 'Make room on the disk',
        cause,
      })
    }
    if (isThere()) return
    throw new UnsentError(`The backup ${path} was moved or removed, so nothing more is sent`, {
      hint: 'Put it back, or resume with --backup and another file',
    })
  }
  return {
    async save(record) {
      const line = Buffer.from(oneLine(record.text))
      waiting.push(line, newline)
      group ??= write()
      await group
      saved++
      return digestOfBytes(line)
    },
    get saved() {
      return saved
    },
    close() {
      const wasThere = isThere()
      closeSync(file)
      return wasThere
    },
  }
}

/** Writes all or nothing, so that the file ends with a complete line if the disk is full. */
function append(file: number, lines: Buffer): void {
  const { size } = fstatSync(file)
  try {
    writeAll(file, lines)
  } catch (error) {
    const part = Buffer.alloc(Math.max(0, fstatSync(file).size - size))
    readSync(file, part, 0, part.length, size)
    // Another process may have added records too.
    if (part.equals(lines.subarray(0, part.length))) ftruncateSync(file, size)
    throw error
  }
}

/** Throws `UsageError` if it cannot be written. Creates no file, since a declined run would leave it empty. */
export function checkBackup(path: string): void {
  if (existsSync(path)) openBackup(path).close()
  else checkWritable(path, '--backup')
}

function openForAppend(path: string): number {
  const file = openRegularFile(linkTarget(path), constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
  restrict(file, path)
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  // An incomplete line from a crash must not join the next one.
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) writeAll(file, newline)
  return file
}

function restrict(file: number, path: string): void {
  if ((fstatSync(file).mode & 0o077) === 0) return
  try {
    fchmodSync(file, 0o600)
  } catch (cause) {
    closeSync(file)
    throw new UsageError(`The backup ${path} is open to other users, and its mode cannot be changed`, {
      hint: 'Give another file',
      cause,
    })
  }
}

const newline = Buffer.from('\n')
