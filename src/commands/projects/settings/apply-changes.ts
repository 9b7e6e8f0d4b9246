/** Changes compared projects: reads each again, sends one PATCH, and compares the answer. */
import { otherRecordFailure } from '../../../api/answer.ts'
import type { Client } from '../../../api/client.ts'
import { projects } from '../../../api/endpoints.ts'
import { findUnapplied, isApplied, sameField } from '../../../api/verify-applied.ts'
import type { Context } from '../../../cli/command.ts'
import { AuthError, Failure, InterruptedError, RefusedError, RejectedError } from '../../../errors.ts'
import { runParallel } from '../../../jobs/run-parallel.ts'
import { decodeObject, encode } from '../../../json/exact.ts'
import { kindOf } from '../../../json/pick.ts'
import { compareSettings, patchBody, valuesOf } from '../../../settings/compare.ts'
import { maskChanges } from '../../../settings/mask-changes.ts'
import { cut } from '../../../text/cells.ts'
import { type ComparedProject, projectsAtOnce, readProject, shownChanges } from './compare-projects.ts'

/** A project without an entry was not attempted. */
interface Applied {
  /** One sentence for each field that was accepted and not applied. */
  readonly remarks: readonly string[]
  readonly failure?: Failure
}

export class ApplyRun {
  readonly results = new Map<ComparedProject, Applied>()
  readonly #client: Client
  readonly #context: Context
  readonly #keepGoing: boolean
  #stopped = false

  constructor(client: Client, context: Context, keepGoing: boolean) {
    this.#client = client
    this.#context = context
    this.#keepGoing = keepGoing
  }

  /** Whether a failure stops the projects that have not begun. */
  get stopped(): boolean {
    return this.#stopped
  }

  /** Finds changes since the comparison. Without `--keep-going` one of them stops all projects. */
  async readAgain(compared: readonly ComparedProject[]): Promise<void> {
    await this.#each(compared, async project => {
      const { id, where, desired, record } = project
      const before = valuesOf(record, desired.values.keys())
      const now = decodeObject(await readProject(this.#client, id))
      const moved = compareSettings(before, now).map(({ field }) => field)
      if (moved.length === 0) return undefined
      throw new RefusedError(
        `Somebody changed ${moved.join(', ')} of ${where} in the meantime; nothing was sent to it`,
        {
          attr: moved[0],
          hint: 'Run it again to see the difference as it is now',
        },
      )
    })
  }

  async change(compared: readonly ComparedProject[]): Promise<void> {
    const open = compared.filter(project => !this.results.has(project))
    await this.#each(open, project => this.#changeOne(project))
  }

  /** Failures that stop everything come first. */
  failures(): Failure[] {
    return [...this.results.values()].flatMap(({ failure }) => failure ?? [])
  }

  async #each(
    compared: readonly ComparedProject[],
    act: (project: ComparedProject) => Promise<Applied | undefined>,
  ): Promise<void> {
    await runParallel(compared, projectsAtOnce, async project => {
      if (this.#stopped) return
      try {
        const applied = await act(project)
        if (applied) this.results.set(project, applied)
        this.#stopped ||= applied?.failure !== undefined && !this.#keepGoing
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure
        this.results.set(project, { remarks: [], failure })
        this.#stopped ||= !this.#keepGoing || stopsAll(failure)
      }
    })
  }

  async #changeOne(project: ComparedProject): Promise<Applied> {
    const { id, changes } = project
    const body = patchBody(changes)
    const request = this.#client.request(projects.update, { path: { id }, rawBody: body })
    const shownBody = encode(patchBody(shownChanges(project, this.#context)))
    const answer = await this.#client.answer({ ...request, shownBody })
    if (this.#context.values.dryRun) return { remarks: [] }
    const other = otherRecordFailure(request, answer, id, projects.get.returns.of)
    if (other) throw other
    const { item } = answer
    const record = item && kindOf(item) === 'object' ? item : await readProject(this.#client, id)
    const fromOf = (field: string) => changes.find(change => change.field === field)?.from
    // An object without members is within every other one, and so within what was there before.
    const isChanged: typeof isApplied = (field, wanted, got) =>
      isApplied(field, wanted, got) && !sameField(field, fromOf(field), got)
    const ignored = findUnapplied(body, decodeObject(record), isChanged)
    if (ignored.length === 0) return { remarks: [] }
    const remarks = ignored.map(({ field, wanted, got }) => {
      const [was, asked, is] = [fromOf(field), wanted, got].map(value => shortValue(project, field, value))
      return `${field} was ${was}, ${asked} was asked for, and it is ${is}`
    })
    const names = ignored.map(({ field }) => field)
    const failure = new RejectedError(`The service accepted and did not apply ${names.join(', ')}`, {
      attr: names[0],
      hint: changes.length > ignored.length ? 'The other changes were made' : 'Nothing was changed',
    })
    return { remarks, failure }
  }
}

/** After a refused key or an interruption every other project would fail too. */
function stopsAll(failure: Failure): boolean {
  return failure instanceof InterruptedError || (failure instanceof AuthError && failure.facts.status !== 403)
}

/** One line of JSON, with secrets masked even with `--reveal`, because logs are kept. */
function shortValue({ desired }: ComparedProject, field: string, value: unknown): string {
  const [change] = maskChanges([{ field, from: value ?? null, to: null }], desired)
  return cut(encode(change?.from ?? null), 80)
}
