/** `--backup` saves each record on disk before it is changed: lines of `{"job","id","at","before","set"}`. */
import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import { checkWritable, readLines } from '../files/regular-file.ts'
import { cannotRead } from '../files/system-error.ts'
import type { Clock } from '../host.ts'
import { decodeValid, encode, isObject, type JsonObject } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { oneLine } from '../json/tokens.ts'
import { type AppendFile, openAppendFile } from './append-file.ts'

export type Backup = ReturnType<typeof openBackup>

/** Appends, since the file may hold the only copy of other records. Throws `UsageError` if it cannot be written. */
export function openBackup(path: string, job: string, clock: Pick<Clock, 'now'>) {
  const file = openFile(path)
  // A target has several lines if it is read again before its write.
  const ids = new Set<string>()
  let waiting: string[] = []
  let group: Promise<void> | undefined
  // One sync for all records of a turn, because a sync takes as long as several requests.
  const write = async () => {
    await new Promise<void>(resolve => setImmediate(resolve))
    const lines = waiting.join('')
    waiting = []
    group = undefined
    file.append(lines)
    await file.sync()
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
    close: file.close,
  }
}

function openFile(path: string): AppendFile {
  return openAppendFile('The backup', path, 'Use another file')
}

/** Throws `UsageError` if it cannot be written. Creates no file, since a declined run would leave it empty. */
export function checkBackup(path: string): void {
  if (existsSync(path)) openFile(path).close()
  else checkWritable(path, '--backup')
}

/** The lines of a job; lines of other jobs, and damaged or cut lines, are skipped. Throws `UsageError`. */
export function* readBackup(path: string, job: string) {
  try {
    for (const text of readLines(path)) {
      const line = lineIn(Buffer.from(text, 'latin1'), job)
      if (line) yield line
    }
  } catch (cause) {
    throw cannotRead(`--backup: ${path}`, cause, 'Check its name')
  }
}

/** `at`: milliseconds; 0 in a line of an older version, which has no time. */
function lineIn(bytes: Buffer, job: string) {
  const value = isUtf8(bytes) ? decodeValid(bytes) : undefined
  if (!isObject(value)) return undefined
  const { job: own, id, at, before, set } = value
  if (own !== job || typeof id !== 'string' || !isObject(before)) return undefined
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN
  return { id, at: Number.isNaN(time) ? 0 : time, before, set: isObject(set) ? set : null }
}
