import { closeSync, fdatasync, fdatasyncSync } from 'node:fs'
import { type Failure, UnavailableError } from '../errors.ts'
import { openToAppend, writeAll } from '../files/regular-file.ts'
import { reasonOf, writing } from '../files/system-error.ts'
import type { Clock } from '../host.ts'

const syncPeriodMs = 1000
const fullDiskHint = 'Make room on the disk'

export class JournalFile {
  readonly #what: string
  readonly #file: number
  readonly #clock: Pick<Clock, 'elapsed'>
  #synced: number
  /** The system reports lost writes only once, and what follows a line that was cut off could not be read. */
  #failure: Failure | undefined

  constructor(path: string, clock: Pick<Clock, 'elapsed'>) {
    this.#what = `The journal ${path} cannot be written`
    this.#file = writing(this.#what, fullDiskHint, () => openToAppend(path))
    this.#clock = clock
    this.#synced = clock.elapsed()
  }

  append(lines: string): void {
    if (this.#failure) throw this.#failure
    try {
      writeAll(this.#file, lines)
    } catch (cause) {
      throw this.#failed(cause)
    }
    const now = this.#clock.elapsed()
    if (now - this.#synced < syncPeriodMs) return
    this.#synced = now
    fdatasync(this.#file, cause => {
      if (cause) this.#failed(cause)
    })
  }

  close(): void {
    try {
      fdatasyncSync(this.#file)
    } catch (cause) {
      this.#failed(cause)
    } finally {
      closeSync(this.#file)
    }
    if (this.#failure) throw this.#failure
  }

  #failed(cause: unknown): Failure {
    this.#failure ??= new UnavailableError(this.#what + reasonOf(cause), { hint: fullDiskHint, cause })
    return this.#failure
  }
}

export function entryIn(line: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(line)
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}
