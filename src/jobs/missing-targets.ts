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

/** One list serves for so many targets, or for those of so many milliseconds. */
const together = { count: 100, ms: 30_000 }

export class MissingTargets {
  readonly #proof: Proof
  readonly #clock: Clock
  #targets: MissingTarget[] = []
  #since = 0
  /** The reason why a target could not be proved, and was left over. */
  unproved: Failure | undefined

  constructor(proof: Proof, clock: Clock) {
    this.#proof = proof
    this.#clock = clock
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

  /** Throws if the service does not answer the list, or refuses to show an object. */
  async prove(width: number, onKnown: (target: MissingTarget, isThere: boolean) => Promise<void>): Promise<void> {
    const targets = this.#targets
    this.#targets = []
    if (targets.length === 0) return
    let { gone, there } = await this.#read(targets, width)
    if (there.length > 0 && gone.length > 0) {
      // Some of the answers were false, so the others are no proof yet.
      const again = await this.#read(gone, width)
      gone = again.gone
      there = [...there, ...again.there]
    }
    // A gateway may have begun to answer 404 to everything; hardly so long that it hides a full group.
    if (gone.length > 0 && targets.length < together.count) await this.#proof.list()
    await runParallel(gone, width, one => onKnown(one, false))
    await runParallel(there, width, one => onKnown(one, true))
  }

  async #read(targets: readonly MissingTarget[], width: number) {
    const gone: MissingTarget[] = []
    const there: MissingTarget[] = []
    await this.#proof.list()
    await runParallel(targets, width, async one => {
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
