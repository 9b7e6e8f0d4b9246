/** A file that only grows by whole lines, such as a journal or a backup. */
import { closeSync, fdatasync, fdatasyncSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Failure, UnavailableError } from '../errors.ts'
import { openToAppend, writeAll } from '../files/regular-file.ts'
import { reasonOf, writing } from '../files/system-error.ts'
import type { Clock } from '../host.ts'

export type AppendFile = ReturnType<typeof openAppendFile>

const startSync = promisify(fdatasync)

const syncPeriodMs = 1000

/** `name`: such as `The journal`. `hint`: for a file that cannot be opened. With a clock, it is synced each second. */
export function openAppendFile(name: string, path: string, hint: string, clock?: Pick<Clock, 'elapsed'>) {
  const what = `${name} ${path} cannot be written`
  const file = writing(what, hint, () => openToAppend(path))
  /** The system reports lost writes only once, and what follows a line that was cut off could not be read. */
  let failure: Failure | undefined
  // Not a `UsageError`, which would say that nothing was changed.
  const failed = (cause: unknown) =>
    (failure ??= new UnavailableError(what + reasonOf(cause), { hint: 'Make room on the disk', cause }))
  /** Resolves when the lines are on disk. */
  const sync = async () => {
    try {
      await startSync(file)
    } catch (cause) {
      throw failed(cause)
    }
  }
  let synced = clock?.elapsed() ?? 0
  return {
    sync,
    append(lines: string): void {
      if (failure) throw failure
      try {
        writeAll(file, lines)
      } catch (cause) {
        throw failed(cause)
      }
      const now = clock?.elapsed() ?? synced
      if (now - synced < syncPeriodMs) return
      synced = now
      // The next lines, or the end, throw its failure.
      sync().catch(() => undefined)
    },
    close(): void {
      try {
        fdatasyncSync(file)
      } catch (cause) {
        failed(cause)
      } finally {
        closeSync(file)
      }
      if (failure) throw failure
    },
  }
}
