/** Targets that the service answered with 404, which counts only once it is proved that they do not exist. */
import { type Failure, UnavailableError } from '../errors.ts'
import type { Clock } from '../host.ts'
import type { Outcome, Status } from './outcome.ts'
import { runParallel } from './run-parallel.ts'

export interface Missing {
  readonly status: 'missing'
  /** The outcome once it is proved. */
  readonly proved: Outcome
  /** An earlier request may have done it. */
  readonly maybeDone: boolean
}

/** What the service must answer after a 404: a list, and then the object's 404 once more. */
export interface Proof {
  /** Throws unless the service answers the list of the targets. */
  list(): Promise<void>
  /** False for a 404 of the service; throws for any other failure. */
  exists(id: string): Promise<boolean>
}

interface MissingTarget extends Missing {
  readonly target: number
  readonly id: string
  readonly confirming: boolean
  /** It was there after its first 404, and was sent again. */
  readonly isSentAgain: boolean
}

/** Targets are proved in groups of at most so many, or of so many milliseconds. */
const together = { count: 100, ms: 30_000 }

interface Proving {
  readonly proof: Proof
  readonly clock: Clock
  readonly concurrency: number
}

export class MissingTargets {
  readonly #proof: Proof
  readonly #clock: Clock
  readonly #concurrency: number
  readonly #targets: MissingTarget[] = []
  #since = 0
  /** The reason why a target could not be proved, and was left over. */
  unproved: Failure | undefined

  constructor({ proof, clock, concurrency }: Proving) {
    this.#proof = proof
    this.#clock = clock
    this.#concurrency = concurrency
  }

  add(target: MissingTarget): void {
    if (this.#targets.length === 0) this.#since = this.#clock.elapsed()
    this.#targets.push(target)
  }

  get isEmpty(): boolean {
    return this.#targets.length === 0
  }

  /** `mostFailures`: so many would end the run, so they must be proved first. */
  isDue(mostFailures: number): boolean {
    if (this.isEmpty) return false
    const isLong = this.#clock.elapsed() - this.#since >= together.ms
    return isLong || this.#targets.length >= together.count || this.count('failed') >= mostFailures
  }

  /** How many have this status once it is proved. */
  count(status: Status): number {
    return this.#targets.filter(({ proved }) => proved.status === status).length
  }

  /** Proves one group. Throws if the service does not answer the list, or refuses to show an object. */
  async prove(onKnown: (target: MissingTarget, isThere: boolean) => Promise<void>): Promise<void> {
    const targets = this.#targets.splice(0, together.count)
    if (targets.length === 0) return
    let { gone, there } = await this.#read(targets)
    if (there.length > 0 && gone.length > 0) {
      // Some of the 404s were wrong, so the others are read once more.
      const again = await this.#read(gone)
      gone = again.gone
      there = [...there, ...again.there]
    }
    // A gateway may answer 404 to everything since the first list. A full group gets no second one: 100 targets cost one list.
    if (gone.length > 0 && targets.length < together.count) await this.#proof.list()
    await runParallel(gone, this.#concurrency, one => onKnown(one, false))
    await runParallel(there, this.#concurrency, one => onKnown(one, true))
  }

  async #read(targets: readonly MissingTarget[]) {
    const gone: MissingTarget[] = []
    const there: MissingTarget[] = []
    await this.#proof.list()
    await runParallel(targets, this.#concurrency, async one => {
      const isThere = await this.#exists(one.id)
      if (isThere !== undefined) (isThere ? there : gone).push(one)
    })
    return { gone, there }
  }

  /** A service that fails at one object may answer for the others. */
  async #exists(id: string): Promise<boolean | undefined> {
    try {
      return await this.#proof.exists(id)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      this.unproved ??= error
      return undefined
    }
  }
}
