/** The journal file that this process writes; it is also its lease on the job. */
import { closeSync, existsSync, fdatasync, fdatasyncSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Failure, RefusedError, UnavailableError } from '../../errors.ts'
import { isInPlace } from '../../files/file-identity.ts'
import { reasonOf } from '../../files/system-error.ts'
import { writeAll } from '../../files/write.ts'
import type { Host } from '../../host.ts'
import { ownHolder } from '../../locks/holder.ts'
import type { JournalEntry } from './entry.ts'
import { type Beginning, createGeneration, generationPath, type OpenGeneration, seedOf } from './generation.ts'
import { encodeLine } from './journal-line.ts'
import { digestOf } from './read-journal.ts'

interface JournalOwner {
  readonly folder: string
  readonly jobDigest: string
  readonly host: Pick<Host, 'clock' | 'processes'>
}

const syncPeriod = 1000

const renewalPeriod = 5000

/** Milliseconds after its last renewal, when a holder starts no more targets: before `leasePeriod` ends. */
const restPeriod = 20_000

/** Milliseconds between checks whether another process has taken over the job. */
const lookPeriod = 500

const syncData = promisify(fdatasync)

export class GenerationFile {
  readonly #owner: JournalOwner
  readonly #watch: NodeJS.Timeout
  #open: OpenGeneration
  /** Reused for each write, because V8 frees separate buffers only in a full garbage collection. */
  #lines = Buffer.allocUnsafeSlow(4096)
  #synced: number
  #renewed: number
  #lost: Failure | undefined
  /** The system reports lost writes only once; the next sync succeeds. */
  #failedSync: Failure | undefined

  constructor(owner: JournalOwner, open: OpenGeneration) {
    this.#owner = owner
    this.#open = open
    this.#synced = owner.host.clock.elapsed()
    this.#renewed = owner.host.clock.now()
    this.#watch = setInterval(() => this.#keepLease(), lookPeriod).unref()
  }

  get generation(): number {
    return this.#open.generation
  }

  append(entries: readonly JournalEntry[]): void {
    this.refuseLost()
    const { file, bytes, generation } = this.#open
    const seed = seedOf(this.#owner.jobDigest, generation)
    let text = ''
    for (const entry of entries) text += encodeLine(entry, seed, bytes + text.length)
    const lines = this.#bytesOf(text)
    this.#reporting(() => writeAll(file, lines, bytes))
    this.#open = { ...this.#open, bytes: bytes + lines.length }
    const now = this.#owner.host.clock.elapsed()
    if (now - this.#synced < syncPeriod) return
    this.#synced = now
    this.sync().catch(() => undefined)
  }

  #bytesOf(text: string): Buffer {
    if (text.length > this.#lines.length) this.#lines = Buffer.allocUnsafeSlow(text.length * 2)
    return this.#lines.subarray(0, this.#lines.write(text, 'latin1'))
  }

  async sync(): Promise<void> {
    const { file, generation } = this.#open
    await syncData(file).catch((cause: unknown) => {
      // A closed file was synced before, and its number may belong to a newer file.
      if (generation !== this.generation) return
      this.#failedSync ??= this.#unwritable(cause)
      throw this.#failedSync
    })
  }

  /** Throws if written entries are not on disk, so no target may be started. */
  refuseUnkept(): void {
    if (this.#failedSync) throw this.#failedSync
  }

  refuseLost(): void {
    if (this.#lost) throw this.#lost
  }

  /** This process slept so long that another one may take over the job. */
  get isStale(): boolean {
    return this.#sinceRenewal() >= restPeriod
  }

  #sinceRenewal(): number {
    return Math.abs(this.#owner.host.clock.now() - this.#renewed)
  }

  /** Only one process can create the next generation. Throws `RefusedError` if another one did. */
  beginNext(): void {
    this.refuseLost()
    const { folder, jobDigest, host } = this.#owner
    const now = host.clock.now()
    const { file, bytes } = this.#open
    const next = this.#open.generation + 1
    const opened = this.#reporting(() => {
      if (!this.#isInPlace()) return undefined
      fdatasyncSync(file)
      const before = { bytes, sha256: digestOf(generationPath(folder, this.generation), bytes) }
      const beginning: Beginning = ['generation', next, ownHolder(host.processes), before]
      return createGeneration(folder, beginning, seedOf(jobDigest, next))
    })
    if (!opened) this.#lost = new TakenOverError()
    this.refuseLost()
    if (opened) this.#open = opened
    closeSync(file)
    this.#renewed = now
  }

  /** Writes the first byte again, so that only the clock of the folder decides about the lease. */
  #keepLease(): void {
    const { folder, host } = this.#owner
    try {
      if (!this.#isInPlace() || existsSync(generationPath(folder, this.generation + 1)))
        this.#lost ??= new TakenOverError()
      if (this.#lost || this.isStale || this.#sinceRenewal() < renewalPeriod) return
      const now = host.clock.now()
      writeSync(this.#open.file, '[', 0, 'latin1')
      this.sync().catch(() => undefined)
      this.#renewed = now
    } catch {
      // The next check tries again; no target is started until a write succeeds.
    }
  }

  #isInPlace(): boolean {
    return isInPlace(generationPath(this.#owner.folder, this.generation), this.#open.file)
  }

  close(): void {
    clearInterval(this.#watch)
    try {
      this.#reporting(() => fdatasyncSync(this.#open.file))
      if (this.#failedSync) throw this.#failedSync
    } finally {
      closeSync(this.#open.file)
    }
  }

  #reporting<T>(act: () => T): T {
    try {
      return act()
    } catch (cause) {
      throw this.#unwritable(cause)
    }
  }

  #unwritable(cause: unknown): UnavailableError {
    const path = generationPath(this.#owner.folder, this.generation)
    return new UnavailableError(`The journal ${path} cannot be written${reasonOf(cause)}`, {
      hint: 'Make room on the disk',
      cause,
    })
  }
}

export class TakenOverError extends RefusedError {
  constructor() {
    super('Another process has taken over this job, or removed it', { hint: 'See analytics jobs list' })
  }
}
