import type { JobState } from '../job-state.ts'
import type { JournalEntry } from './entry.ts'
import type { GenerationFile } from './generation-file.ts'

export interface Journal {
  readonly state: JobState
  /** Undefined if the target is already announced on disk. Throws or rejects without disk space or lease. */
  begin(target: number): Promise<void> | undefined
  /** Throws `TakenOverError` if another process works on the job or has finished it. */
  refuseLost(): void
  /** All entries of a turn are written together. */
  write(entry: JournalEntry): Promise<void>
  /** Resolves when the entry is on disk. */
  keep(entry: JournalEntry): Promise<void>
}

/** Number of targets announced at once; doubled whenever the run must wait for the disk. */
const window = { first: 8, most: 1024 }

/** Announces many targets on disk before they are sent: a sync for each would take as long as its request. */
export class FileJournal implements Journal {
  readonly state: JobState
  readonly #file: GenerationFile
  #waiting: JournalEntry[] = []
  #group: Promise<void> | undefined
  #synced: Promise<void> | undefined
  #window = window.first
  #announced = 0
  #wanted = 0
  #isWaitedFor = false
  #announcing: Promise<void> | undefined

  constructor(state: JobState, file: GenerationFile) {
    this.state = state
    this.#file = file
  }

  begin(target: number): Promise<void> | undefined {
    this.refuseLost()
    this.#file.refuseUnkept()
    // An announcement up to a target says nothing about one that is tried again.
    const isTriedAgain = this.state.outcomeOf(target) !== undefined || this.state.isSettled(target)
    this.state.begin(target)
    if (isTriedAgain) return this.keep(['sent', target])
    this.#wanted = Math.max(this.#wanted, target)
    if (target >= this.#announced) return this.#untilAnnounced(target)
    if (target >= this.#announced - this.#window / 2) this.#announce().catch(() => undefined)
    return undefined
  }

  refuseLost(): void {
    if (this.#file.isStale) this.#beginGeneration()
    this.#file.refuseLost()
  }

  async #untilAnnounced(target: number): Promise<void> {
    while (target >= this.#announced) {
      this.#isWaitedFor = true
      await this.#announce()
    }
  }

  #announce(): Promise<void> {
    this.#announcing ??= this.#announceWindow().finally(() => {
      this.#announcing = undefined
    })
    return this.#announcing
  }

  async #announceWindow(): Promise<void> {
    if (this.#isWaitedFor) this.#window = Math.min(window.most, this.#window * 2)
    this.#isWaitedFor = false
    const to = Math.min(this.state.total, Math.max(this.#announced, this.#wanted + 1) + this.#window)
    if (to <= this.#announced) return
    const { generation } = this.#file
    await this.write(['may-send', to])
    await this.#file.sync()
    if (generation === this.#file.generation) this.#announced = to
  }

  write(entry: JournalEntry): Promise<void> {
    this.#waiting.push(entry)
    this.#group ??= new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      this.#group = undefined
      this.#synced = undefined
      // After sleep, writes to the old generation may not count.
      this.refuseLost()
      this.#flush()
    })
    return this.#group
  }

  keep(entry: JournalEntry): Promise<void> {
    const written = this.write(entry)
    this.#synced ??= written.then(() => this.#file.sync())
    return this.#synced
  }

  /** Entries that failed to write are tried again with the next one; the state contains only written entries. */
  #flush(): void {
    const entries = this.#waiting
    this.#file.append(entries)
    this.#waiting = []
    for (const entry of entries) this.state.apply(entry)
  }

  /** Announces running targets again, since their entries in the old generation may not count. */
  #beginGeneration(): void {
    this.#file.beginNext()
    this.#announced = 0
    this.#waiting.unshift(...this.#sent())
    this.#flush()
  }

  #sent(): JournalEntry[] {
    return Array.from(this.state.underWay(), target => ['sent', target])
  }

  close(): void {
    try {
      this.#flush()
      this.#waiting.push(...this.#sent())
      this.#flush()
      this.#tryClosed()
    } finally {
      this.#file.close()
    }
  }

  /** This entry only saves readers time, so a full disk does no harm. */
  #tryClosed(): void {
    try {
      this.#file.append([['closed', this.state.counts]])
    } catch {}
  }
}

/** For runs that are not stored: a dry run, or one target where no job can be made. */
export function memoryJournal(state: JobState): Journal {
  const write = async (entry: JournalEntry) => state.apply(entry)
  return {
    state,
    begin(target) {
      state.begin(target)
      return undefined
    },
    refuseLost: () => undefined,
    write,
    keep: write,
  }
}
