import { findUnapplied, isKept, sameField } from '../../../api/answers/verify-applied.ts'
import type { Client } from '../../../api/client.ts'
import { projects } from '../../../api/endpoints.ts'
import type { Context } from '../../../context.ts'
import { Failure, RefusedError, RejectedError } from '../../../errors.ts'
import { codes, stopsRun } from '../../../jobs/outcome.ts'
import { runParallel } from '../../../jobs/run-parallel.ts'
import { decodeObject, encode, type JsonObject } from '../../../json/exact.ts'
import { kindOf } from '../../../json/pick.ts'
import { isUnanswered } from '../../../runs/steps/outcome-of-failure.ts'
import { compareSettings, patchBody, valuesOf } from '../../../settings/compare.ts'
import { maskBody } from '../../../settings/mask-changes.ts'
import { cut } from '../../../text/cells.ts'
import { type ComparedProject, maskedChanges } from './compare-projects.ts'
import { projectsAtOnce, readProject } from './read-project.ts'

/** Projects without an entry were not attempted. */
interface Applied {
  /** One sentence for each accepted field that was not applied. */
  readonly remarks: readonly string[]
  /** Number of these fields that the service set to another value. */
  readonly altered?: number
  /** Accepted, but the project could not be read afterwards. */
  readonly isUnread?: boolean
  /** Sent, but no answer tells the result. */
  readonly isUnknown?: boolean
  readonly failure?: Failure
}

export class ApplyRun {
  readonly results = new Map<ComparedProject, Applied>()
  readonly #client: Client
  readonly #context: Context
  readonly #keepGoing: boolean
  #stopped: Failure | undefined

  constructor(client: Client, context: Context, keepGoing: boolean) {
    this.#client = client
    this.#context = context
    this.#keepGoing = keepGoing
  }

  get stopped(): Failure | undefined {
    return this.#stopped
  }

  /** With `readsAgain`, a project that somebody changed since the comparison gets nothing. */
  async change(compared: readonly ComparedProject[], readsAgain: boolean): Promise<void> {
    await this.#each(compared, async project => {
      if (readsAgain && !this.#context.values.dryRun) await this.#refuseChanged(project)
      return this.#changeOne(project)
    })
  }

  async #refuseChanged({ id, where, desired, record }: ComparedProject): Promise<void> {
    const before = valuesOf(record, desired.values.keys())
    const now = decodeObject(await readProject(this.#client, id))
    const changed = compareSettings(before, now).map(({ field }) => field)
    if (changed.length === 0) return
    const message = `Somebody changed ${changed.join(', ')} of ${where} in the meantime; nothing was sent to it`
    throw new RefusedError(message, {
      code: codes.conflict,
      attr: changed[0],
      hint: 'Run it again to see the difference as it is now',
    })
  }

  async #each(
    compared: readonly ComparedProject[],
    act: (project: ComparedProject) => Promise<Applied>,
  ): Promise<void> {
    // The first failure stops the command, so only one request is sent at a time.
    const width = this.#keepGoing ? projectsAtOnce : 1
    await runParallel(compared, width, async project => {
      if (this.#stopped) return
      try {
        this.results.set(project, await act(project))
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure
        this.results.set(project, { remarks: [], failure })
      }
      const failure = this.results.get(project)?.failure
      if (failure && endsApply(failure, this.#keepGoing)) this.#stopped ??= failure
    })
  }

  async #changeOne(project: ComparedProject): Promise<Applied> {
    const { id, changes } = project
    const body = patchBody(changes)
    const request = this.#client.request(projects.update, { path: { id }, rawBody: body })
    const { secrets, values } = this.#context
    const masking = { ...project.desired, hide: secrets.hide }
    const shownBody = values.reveal ? undefined : maskBody(Buffer.from(encode(body)), masking)
    const answer = await this.#client.answer({ ...request, shownBody }).catch(unknownFailure)
    if (answer instanceof Failure) return { remarks: [], isUnknown: true, failure: answer }
    if (this.#context.values.dryRun) return { remarks: [] }
    const shown = answer.item && kindOf(answer.item) === 'object' ? decodeObject(answer.item) : {}
    // A task or `{"success":true}` does not contain the project.
    const isShown = Object.keys(body).every(field => Object.hasOwn(shown, field))
    const now = isShown ? shown : await this.#readChanged(id)
    return now instanceof Failure
      ? { remarks: [], isUnread: true, failure: now }
      : verifyChanges(this.#context, project, now, answer.status === 202)
  }

  async #readChanged(id: string): Promise<JsonObject | Failure> {
    try {
      return decodeObject(await readProject(this.#client, id))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return error.reworded(
        `The service accepted the change, and the project could not be read afterwards: ${error.message}`,
        'See with analytics projects diff whether it was applied',
      )
    }
  }
}

/** Returns a failure that leaves the result unknown; throws other ones. */
function unknownFailure(error: unknown): Failure {
  if (error instanceof Failure && (isUnanswered(error) || (error.facts.status ?? 0) >= 500)) return error
  throw error
}

function verifyChanges(context: Context, project: ComparedProject, now: JsonObject, isPending: boolean): Applied {
  const { changes } = project
  const fromOf = (field: string) => changes.find(change => change.field === field)?.from
  const isSame = (field: string, got: unknown) => sameField(field, fromOf(field), got)
  const unapplied = findUnapplied(patchBody(changes), now, (field, wanted, got) =>
    isKept(field, wanted, got, fromOf(field)),
  )
  if (unapplied.length === 0) return { remarks: [] }
  const remarks = unapplied.map(({ field, wanted, got }) => {
    const [was, asked, is] = [fromOf(field), wanted, got].map(value => shortValue(context, project, field, value))
    return `${field} was ${was}, ${asked} was asked for, and it is ${is}`
  })
  const namesOf = (found: typeof unapplied) => found.map(({ field }) => field).join(', ')
  const ignored = unapplied.filter(({ field, got }) => isSame(field, got))
  const altered = unapplied.filter(one => !ignored.includes(one))
  const parts = [
    ...(ignored.length === 0 ? [] : [`accepted and did not ${isPending ? 'yet ' : ''}apply ${namesOf(ignored)}`]),
    ...(altered.length === 0 ? [] : [`set ${namesOf(altered)} to another value`]),
  ]
  const hint = hintFor(changes.length - unapplied.length, altered.length, isPending && ignored.length > 0)
  const facts = { code: codes.notApplied, attr: unapplied[0]?.field, hint }
  const failure = new RejectedError(`The service ${parts.join(', and ')}`, facts)
  return { remarks, altered: altered.length, failure }
}

function hintFor(applied: number, altered: number, isPending: boolean): string {
  if (isPending) return 'The change may still come: look again with analytics projects diff'
  if (applied > 0) return 'The other changes were made'
  if (altered === 0) return 'Nothing was changed'
  return 'Write the value into the file as the service keeps it, or every run sends it again'
}

/** A key may be refused in one project and accepted in others. */
export function endsApply(failure: Failure, keepGoing: boolean): boolean {
  return !keepGoing || stopsRun(failure, true)
}

function shortValue(context: Context, { desired }: ComparedProject, field: string, value: unknown): string {
  const [change] = maskedChanges({ changes: [{ field, from: value ?? null, to: null }], desired }, context)
  return cut(encode(change?.from ?? null), 80)
}
