import { isApplied, sameField } from '../../api/answers/compare.ts'
import { forms } from '../../api/answers/forms.ts'
import type { Client } from '../../api/client.ts'
import { Failure, unclear } from '../../errors.ts'
import type { Clock } from '../../host.ts'
import type { Request } from '../../http/message.ts'
import type { Backup } from '../../jobs/backup.ts'
import type { Missing } from '../../jobs/missing-targets.ts'
import { type Change, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import type { RunStep, Sending } from '../../jobs/step.ts'
import { timeLeft } from '../../jobs/time-left.ts'
import { marksOf } from '../../jobs/undo/marks.ts'
import { decodeObject, isObject, type JsonObject, valueAt } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import {
  comparedFields,
  fieldChanges,
  needsRecord,
  type Operation,
  operationForTarget,
  readTarget,
  rowOf,
  writesOf,
} from '../../operations/operation.ts'
import { checkOldValues } from '../../operations/person-properties.ts'
import { notApplied } from '../write-result.ts'
import { isUnanswered, outcomeOfFailure } from './outcome-of-failure.ts'
import { readBack } from './proof.ts'
import { type Reads, recent } from './reads.ts'

export interface StepOptions {
  readonly client: Client
  readonly operation: Operation
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>
  readonly signal: AbortSignal
  readonly isDryRun: boolean
  /** Looks whether an object is gone whose deletion got an unclear answer. */
  readonly confirm: (id: string, outcome: Outcome) => Promise<Outcome>
  readonly reads: Reads
  readonly backup: Backup | undefined
  /** Key of the job's marks; absent if the job has no marks. */
  readonly markKey: string | undefined
}

/** Each target has requests of its own. */
export function createStep(stepping: StepOptions): RunStep {
  const { operation, reads, confirm } = stepping
  const stepOf = async (before: Sending): Promise<Outcome | Missing> => {
    const { id } = before
    let prepared: Prepared | undefined
    let isBegun = false
    try {
      prepared = await prepare(stepping, before)
      const outcome = await send(stepping, prepared, id, async isPart => {
        isBegun = true
        if (isPart) await before.partAccepted()
      })
      const kept = stepping.isDryRun || !prepared.record ? undefined : await readBack(stepping, id, prepared.record)
      return kept ? { ...failedOutcome(kept), item: outcome.item } : outcome
    } catch (error) {
      if (isUnclear(error)) return confirm(id, { status: 'deleted', evidence: 'inferred' })
      // Reading the record changes nothing, so a lost answer does not matter.
      const maybeDone = before.maybeDone || isBegun || (prepared !== undefined && isUnanswered(error))
      const wasThere = prepared !== undefined && (prepared.isRecent() || reads.isRecent(id))
      return outcomeOfFailure(error, operation, { ...before, maybeDone, wasThere })
    }
  }
  return parcel => Promise.all(parcel.map(stepOf))
}

function isUnclear(error: unknown): boolean {
  return error instanceof Failure && error.facts.code === unclear
}

interface Prepared {
  readonly operation: Operation
  readonly record: Item | undefined
  /** The record was read less than a minute before. */
  readonly isRecent: () => boolean
}

/** Reads the record and saves it, if needed, and computes the values for this target. */
export async function prepare(stepping: StepOptions, before: Sending): Promise<Prepared> {
  const { operation: whole, clock, backup } = stepping
  const { id } = before
  const record = needsRecord(whole) || backup ? await readTarget(stepping.client, whole, id) : undefined
  const operation = operationForTarget(whole, record, { id, now: clock.now() })
  const left = timeLeft(clock, recent)
  if (record) await save(stepping, operation, record, before)
  return { operation, record, isRecent: () => record !== undefined && left() > 0 }
}

/** `onAnswer` is called for each successful request; `isPart`: it was only accepted, and others follow. */
async function send(
  { client }: StepOptions,
  { operation, record }: Prepared,
  id: string,
  onAnswer: (isPart: boolean) => Promise<void>,
): Promise<Outcome> {
  const { status, isExact, collection } = rowOf(operation)
  const writes = writesOf(client, operation, id)
  if (writes.length === 0) return { status, evidence: 'answered', item: record, change: 'unneeded' }
  let item: Item | undefined
  let answered = 0
  let change: Change = 'shown'
  for (const request of writes) {
    const answer = await client.answer(request)
    item = answer.item
    answered = answer.status
    const lacksChange = answered === 200 && collection === 'persons' && !showsChange(request, item)
    // If the answer lacks the change, it may come later (`docs/servers.md`: `delete_property` answers 201).
    const isAccepted = answered !== 200 || lacksChange
    if (lacksChange) change = 'unshown'
    else if (isAccepted && change === 'shown') change = 'accepted'
    await onAnswer(isAccepted && request !== writes.at(-1))
  }
  const fields = item && comparedFields(operation, item)
  const failure = fields && notApplied(fields, item, isExact ? sameField : isApplied)
  if (failure) return { ...failedOutcome(failure), item }
  const evidence = answered === 202 ? 'accepted' : 'answered'
  return status === 'updated' ? { status, evidence, item, change } : { status, evidence, item }
}

/** Backup first, then journal; both are on disk before the target is changed. */
async function save(
  { backup, markKey }: StepOptions,
  operation: Operation,
  record: Item,
  before: Sending,
): Promise<void> {
  if (!backup) return
  const changes = fieldChanges(operation) ?? []
  checkOldValues(record, changes)
  const sha256 = await backup.save(record)
  if (markKey !== undefined) await before.saved(sha256, marksOf(markKey, changes))
}

/** True if the returned person has the requested change, or the answer is no person. */
function showsChange({ method, body }: Request, item: Item | undefined): boolean {
  if (body === undefined || !item || forms.success.is(item.value)) return true
  const wanted = Object.entries(wantedBy(method, decodeObject(body)))
  const properties = valueAt(item.value, 'properties')
  const got = isObject(properties) ? properties : undefined
  return wanted.every(
    ([name, value]) => got && isApplied('properties', value, Object.hasOwn(got, name) ? got[name] : undefined),
  )
}

/** Expected properties after the request; undefined for a deleted one. */
function wantedBy(method: string, { $unset, key, value, properties }: JsonObject): JsonObject {
  if (typeof $unset === 'string') return { [$unset]: undefined }
  if (typeof key === 'string') return { [key]: value }
  return method === 'PATCH' && isObject(properties) ? properties : {}
}
