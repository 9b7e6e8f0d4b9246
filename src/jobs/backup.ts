/** `--backup` saves each record on disk before it is changed: lines of `{"job","id","at","before","set"}`. */
import { isUtf8 } from 'node:buffer'
import { closeSync, existsSync, fdatasync } from 'node:fs'
import { promisify } from 'node:util'
import { UnavailableError } from '../errors.ts'
import { checkWritable, openToAppend, readLines, writeAll } from '../files/regular-file.ts'
import { cannotRead, reasonOf, writing } from '../files/system-error.ts'
import type { Clock } from '../host.ts'
import { decodeValid, encode, isObject, type JsonObject } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { oneLine } from '../json/tokens.ts'

export type Backup = ReturnType<typeof openBackup>

const sync = promisify(fdatasync)

/** Appends, since the file may hold the only copy of other records. Throws `UsageError` if it cannot be written. */
export function openBackup(path: string, job: string, clock: Pick<Clock, 'now'>) {
  const file = openedToAppend(path)
  // A target has several lines if it is read again before its write.
  const ids = new Set<string>()
  let waiting: string[] = []
  let group: Promise<void> | undefined
  // After a line that was cut off, the next one could not be read.
  let failure: UnavailableError | undefined
  // One sync for all records of a turn, because a sync takes as long as several requests.
  const write = async () => {
    await new Promise<void>(resolve => setImmediate(resolve))
    const lines = waiting.join('')
    waiting = []
    group = undefined
    if (failure) throw failure
    try {
      writeAll(file, lines)
      await sync(file)
    } catch (cause) {
      // Not a `UsageError`, which would say that nothing was changed.
      failure = new UnavailableError(`The backup ${path} cannot be written${reasonOf(cause)}`, {
        hint: 'Make room on the disk',
        cause,
      })
      throw failure
    }
  }
  return {
    /** Resolves when the line is on disk. `set`: null for a deletion. Rejects with `UnavailableError`. */
    async save(id: string, before: Item, set: JsonObject | null): Promise<void> {
      const header = JSON.stringify({ job, id, at: new Date(clock.now()).toISOString() }).slice(0, -1)
      waiting.push(`${header},"before":${oneLine(before.text)},"set":${encode(set)}}\n`)
      group ??= write()
      await group
      ids.add(id)
    },
    get saved() {
      return ids.size
    },
    close: () => closeSync(file),
  }
}

function openedToAppend(path: string): number {
  return writing(`The backup ${path} cannot be written`, 'Use another file', () => openToAppend(path))
}

/** Throws `UsageError` if it cannot be written. Creates no file, since a declined run would leave it empty. */
export function checkBackup(path: string): void {
  if (existsSync(path)) closeSync(openedToAppend(path))
  else checkWritable(path, '--backup')
}

interface BackupLine {
  readonly id: string
  /** Milliseconds; 0 in a line of an older version, which has no time. */
  readonly at: number
  readonly before: JsonObject
  readonly set: JsonObject | null
}

/** The lines of a job; lines of other jobs, and damaged or cut lines, are skipped. Throws `UsageError`. */
export function* readBackup(path: string, job: string): Generator<BackupLine> {
  try {
    for (const text of readLines(path)) {
      const line = lineIn(Buffer.from(text, 'latin1'), job)
      if (line) yield line
    }
  } catch (cause) {
    throw cannotRead(`--backup: ${path}`, cause, 'Check its name')
  }
}

function lineIn(bytes: Buffer, job: string): BackupLine | undefined {
  const value = isUtf8(bytes) ? decodeValid(bytes) : undefined
  if (!isObject(value)) return undefined
  const { job: own, id, at, before, set } = value
  if (own !== job || typeof id !== 'string' || !isObject(before)) return undefined
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return { id, at: Number.isNaN(time) ? 0 : time, before, set: isObject(set) ? set : null }
}
