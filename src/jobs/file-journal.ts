/**
 * The journal of a job. What may be sent is announced on disk before it is sent, many targets at a time: a sync for each
 * would take as long as the request. Outcomes of one turn of the event loop are written at once: a killed process loses
 * none of them, and a power loss those of the last second at most.
 */
import type { GenerationFile } from './generation-file.ts'
import type { Entry, JobState } from './job-state.ts'
import type { Journal } from './journal.ts'

/** How many targets are announced at once: twice as many whenever the run has to wait for the disk. */
const window = { first: 8, most: 1024 }

export class FileJournal implements Journal {
  readonly state: JobState
  readonly #file: GenerationFile
  readonly #underWay = new Set<number>()
  #waiting: Entry[] = []
  #group: Promise<void> | undefined
  #window = window.first
  /** The targets before this one may be sent. */
  #announced = 0
  #wanted = 0
  #isWaitedFor = false
  #announcing: Promise<void> | undefined

  constructor(state: JobState, file: GenerationFile) {
    this.state = state
    this.#file = file
  }

  async begin(target: number): Promise<void> {
    if (this.#file.isStale) this.#beginGeneration()
    this.#file.refuseLost()
    this.#underWay.add(target)
    this.#wanted = Math.max(this.#wanted, target)
    while (target >= this.#announced) {
      this.#isWaitedFor = true
      await this.#announce()
    }
    // The next ones are announced in good time, so that nobody waits for the disk.
    if (target >= this.#announced - this.#window / 2) this.#announce().catch(() => undefined)
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

  write(entry: Entry): Promise<void> {
    this.#waiting.push(entry)
    this.#group ??= new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      this.#group = undefined
      this.#flush()
    })
    return this.#group
  }

  note(entry: Entry): void {
    this.write(entry).catch(() => undefined)
  }

  /** What the disk did not take is tried again with the next entry; the state has only what is written. */
  #flush(): void {
    const entries = this.#waiting
    this.#file.append(entries)
    this.#waiting = []
    for (const entry of entries) {
      this.state.apply(entry)
      if (entry[0] !== 'may-send' && typeof entry[1] === 'number') this.#underWay.delete(entry[1])
    }
  }

  /** What is under way is announced in the new generation as well: what the old one says of it may not count. */
  #beginGeneration(): void {
    const underWay = [...this.#underWay]
    this.#flush()
    this.#file.beginNext()
    this.#announced = 0
    this.#waiting = underWay.map(target => ['sent', target])
    this.#flush()
    for (const target of underWay) this.#underWay.add(target)
  }

  close(): void {
    try {
      this.#flush()
      for (const target of this.#underWay) this.#waiting.push(['sent', target])
      this.#flush()
      this.#tryClosed()
    } finally {
      this.#file.close()
    }
  }

  /** It spares readers the rest of the file: where the disk has no room for it, they read the rest. */
  #tryClosed(): void {
    try {
      this.#file.append([['closed', this.state.counts]])
    } catch {}
  }
}
