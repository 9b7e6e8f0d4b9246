import { findUnapplied, isKept, sameField } from '../../../api/answers/verify-applied.ts'
import type { Client } from '../../../api/client.ts'
import { projects } from '../../../api/endpoints.ts'
import type { Context } from '../../../context.ts'
import { Failure, RefusedError, RejectedError } from '../../../errors.ts'
import { codes, stopsRun } from '../../../jobs/outcome.ts'
import { runParallel } from '../../../jobs/run-parallel.ts'
import { encode, isObject, type JsonObject } from '../../../json/exact.ts'
import { isUnanswered } from '../../../runs/steps/outcome-of-failure.ts'
import { compareSettings, patchBody, valuesOf } from '../../../settings/compare.ts'
import { maskBody } from '../../../settings/mask-changes.ts'
import { cut } from '../../../text/cells.ts'
import { type ComparedProject, maskedChanges, projectsAtOnce } from './compare-projects.ts'

export type Applied =
  | { readonly kind: 'done' }
  /** Accepted: a remark for each field that was not applied, `altered` of them set to another value. */
  | {
      readonly kind: 'unapplied'
      readonly remarks: readonly string[]
      readonly altered: number
      readonly failure: Failure
    }
  /** `unread`: accepted, but the project could not be read afterwards. `unknown`: sent, but no answer tells the result. */
  | { readonly kind: 'unread' | 'unknown' | 'failed'; readonly failure: Failure }

export interface ApplyRun {
  /** Projects without an entry were not attempted. */
  readonly results: ReadonlyMap<ComparedProject, Applied>
  readonly stopped: Failure | undefined
}

interface Manner {
  readonly keepGoing: boolean
  /** A project that somebody changed since the comparison gets nothing. */
  readonly readsAgain: boolean
}

export async function applyChanges(
  client: Client,
  context: Context,
  compared: readonly ComparedProject[],
  { keepGoing, readsAgain }: Manner,
): Promise<ApplyRun> {
  const results = new Map<ComparedProject, Applied>()
  let stopped: Failure | undefined
  // The first failure stops the command, so only one request is sent at a time.
  await runParallel(compared, keepGoing ? projectsAtOnce : 1, async project => {
    if (stopped) return
    const applied = await changeOne(client, context, project, readsAgain)
    results.set(project, applied)
    if ('failure' in applied && endsApply(applied.failure, keepGoing)) stopped ??= applied.failure
  })
  return { results, stopped }
}

async function changeOne(
  client: Client,
  context: Context,
  project: ComparedProject,
  readsAgain: boolean,
): Promise<Applied> {
  const { id, changes, desired } = project
  const { secrets, values } = context
  const body = patchBody(changes)
  const shownBody = values.reveal ? undefined : maskBody(body, { ...desired, hide: secrets.hide })
  try {
    if (readsAgain && !values.dryRun) await refuseChanged(client, project)
    const request = client.request(projects.update, { path: { id }, rawBody: body })
    const answer = await client.answer({ ...request, shownBody }).catch(unknownFailure)
    if (answer instanceof Failure) return { kind: 'unknown', failure: answer }
    const { item, status } = answer
    if (values.dryRun) return { kind: 'done' }
    const shown = item && isObject(item.value) ? item.value : {}
    // A task or `{"success":true}` does not contain the project.
    const isShown = Object.keys(body).every(field => Object.hasOwn(shown, field))
    const now = isShown ? shown : await readChanged(client, id)
    if (now instanceof Failure) return { kind: 'unread', failure: now }
    return verifyChanges(context, project, now, status === 202)
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    return { kind: 'failed', failure }
  }
}

/** Returns a failure that leaves the result unknown; throws other ones. */
function unknownFailure(error: unknown): Failure {
  if (error instanceof Failure && (isUnanswered(error) || (error.facts.status ?? 0) >= 500)) return error
  throw error
}

async function refuseChanged(client: Client, { id, where, desired, record }: ComparedProject): Promise<void> {
  const before = valuesOf(record, desired.values.keys())
  const now = (await client.record(projects.get, { path: { id } })).value
  const changed = compareSettings(before, now).map(({ field }) => field)
  if (changed.length === 0) return
  const message = `Somebody changed ${changed.join(', ')} of ${where} in the meantime; nothing was sent to it`
  throw new RefusedError(message, {
    code: codes.conflict,
    attr: changed[0],
    hint: 'Run it again to see the difference as it is now',
  })
}

async function readChanged(client: Client, id: string): Promise<JsonObject | Failure> {
  try {
    return (await client.record(projects.get, { path: { id } })).value
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.reworded(
      `The service accepted the change, and the project could not be read afterwards: ${error.message}`,
      'See with analytics projects diff whether it was applied',
    )
  }
}

function verifyChanges(context: Context, project: ComparedProject, now: JsonObject, isPending: boolean): Applied {
  const { changes } = project
  const fromOf = (field: string) => changes.find(change => change.field === field)?.from
  const isSame = (field: string, got: unknown) => sameField(field, fromOf(field), got)
  const unapplied = findUnapplied(patchBody(changes), now, (field, wanted, got) =>
    isKept(field, wanted, got, fromOf(field)),
  )
  if (unapplied.length === 0) return { kind: 'done' }
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
  return { kind: 'unapplied', remarks, altered: altered.length, failure }
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
