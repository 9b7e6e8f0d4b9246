import { closeSync, constants, fdatasync, fdatasyncSync } from 'node:fs'
import { type Failure, UnavailableError } from '../errors.ts'
import { openRegularFile } from '../files/regular-file.ts'
import { reasonOf } from '../files/system-error.ts'
import { isLastLineCut, writeAll } from '../files/write.ts'
import type { Clock } from '../host.ts'
import type { Lock } from '../locks/lock.ts'

const syncPeriodMs = 1000

/** Lines are appended, and synced each second. */
export class JournalFile {
  readonly #path: string
  readonly #file: number
  readonly #lock: Lock
  readonly #clock: Pick<Clock, 'elapsed'>
  #synced: number
  #isCut: boolean
  /** The system reports lost writes only once; the next sync succeeds. */
  #failure: Failure | undefined

  constructor(path: string, lock: Lock, clock: Pick<Clock, 'elapsed'>) {
    this.#path = path
    this.#file = openRegularFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
    this.#lock = lock
    this.#clock = clock
    this.#synced = clock.elapsed()
    this.#isCut = isLastLineCut(this.#file)
  }

  refuseUnkept(): void {
    if (this.#failure) throw this.#failure
    this.#lock.check()
  }

  append(lines: string): void {
    try {
      writeAll(this.#file, this.#isCut ? `\n${lines}` : lines)
      this.#isCut = false
    } catch (cause) {
      this.#isCut = true
      throw this.#unwritable(cause)
    }
    const now = this.#clock.elapsed()
    if (now - this.#synced < syncPeriodMs) return
    this.#synced = now
    fdatasync(this.#file, cause => {
      if (cause) this.#failure ??= this.#unwritable(cause)
    })
  }

  close(): void {
    try {
      fdatasyncSync(this.#file)
    } catch (cause) {
      throw this.#unwritable(cause)
    } finally {
      closeSync(this.#file)
    }
    if (this.#failure) throw this.#failure
  }

  #unwritable(cause: unknown): UnavailableError {
    return new UnavailableError(`The journal ${this.#path} cannot be written${reasonOf(cause)}`, {
      hint: 'Make room on the disk',
      cause,
    })
  }
}
