/** Changes one target: its record is read and saved if needed, its requests are sent, and their answers judged. */
import type { Answer } from '../../api/answers/answer.ts'
import { isSource, isSuccess } from '../../api/answers/forms.ts'
import type { Client } from '../../api/client.ts'
import { NotFoundError, RejectedError } from '../../errors.ts'
import type { Request } from '../../http/message.ts'
import type { Backup } from '../../jobs/backup.ts'
import type { Sending, Step } from '../../jobs/engine.ts'
import { codes, type Evidence, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import { isObject } from '../../json/exact.ts'
import type { Item, ObjectItem } from '../../json/read-item.ts'
import { changeOf, findUnapplied, refuseHidden } from '../../operations/change.ts'
import {
  changesIn,
  isDelete,
  type Operation,
  pathTo,
  requestOf,
  targetName,
  type Write,
} from '../../operations/operation.ts'
import { operationFor, type Run } from '../run.ts'
import { isMissing, isUnanswered, outcomeOfFailure } from './failures.ts'
import { lookFor, type Proof } from './proof.ts'

export interface Stepping extends Pick<Run, 'scope' | 'targets' | 'values' | 'journal' | 'operation'> {
  readonly client: Client
  readonly proof: Proof
  readonly backup: Backup | undefined
}

export function createStep(stepping: Stepping): Step {
  return async ([sending], outcomes, accepted) => {
    if (sending) outcomes.set(sending, await changeTarget(stepping, sending, accepted))
  }
}

export async function changeTarget(stepping: Stepping, sending: Sending, accepted: boolean): Promise<Outcome> {
  const { journal } = stepping
  const { target, id } = sending
  let { maybeDone } = sending
  try {
    for (let isAgain = false; ; isAgain = true) {
      let isSent = false
      try {
        return await send(stepping, sending, {
          check() {
            journal.begin(target)
            isSent = true
          },
          undone: () => (maybeDone ? undefined : journal.unsent(target)),
        })
      } catch (error) {
        // Reading the record changes nothing, so a lost answer does not matter.
        maybeDone ||= isSent && isUnanswered(error)
        if (!isMissing(error)) return outcomeOfFailure(error, { maybeDone, accepted })
        const proved = await prove(stepping, { ...sending, maybeDone }, error)
        if (proved) return proved
        if (isAgain) throw contradiction(id)
      }
    }
  } catch (error) {
    if (!maybeDone) journal.unsent(target)
    throw error
  }
}

/** After a 404. Undefined for an object that is there. Throws `Stop`. */
export async function prove(
  stepping: Stepping,
  { id, target, maybeDone }: Sending,
  failure: NotFoundError,
): Promise<Outcome | undefined> {
  if (!maybeDone) stepping.journal.unsent(target)
  try {
    const { by, names } = stepping.values.found ?? {}
    const name = names?.[target]
    const seen = await lookFor(id, by && name ? { by, name } : undefined, stepping)
    if (seen === 'there') return undefined
    return seen === 'gone' ? goneOutcome(failure, stepping.operation, maybeDone) : foundAgain(failure, maybeDone)
  } catch (error) {
    return outcomeOfFailure(error, { maybeDone, accepted: true })
  }
}

/** Of an object that is proved not to be there. */
function goneOutcome(failure: NotFoundError, { status, deletesEvents }: Operation, maybeDone: boolean): Outcome {
  const coded = (code: string, message: string) => new NotFoundError(message, { ...failure.facts, code })
  if (status !== 'deleted') return failedOutcome(coded(codes.notFound, failure.message))
  if (maybeDone) return { status: 'deleted', evidence: 'inferred' }
  if (!deletesEvents) return { status: 'gone', evidence: 'answered', failure }
  const unknown = 'it is not known whether its events were queued for deletion'
  return failedOutcome(coded(codes.eventsUnknown, `${failure.message}; ${unknown}`))
}

function foundAgain({ message }: NotFoundError, maybeDone: boolean): Outcome {
  const failure = new RejectedError(`${message}, and somebody else has its name now: the two were merged`, {
    code: codes.foundAgain,
    hint: 'Look the name up again',
  })
  return failedOutcome(failure, maybeDone)
}

export function contradiction(id: string): RejectedError {
  return new RejectedError(`Stopped: the service answers 404 to the request for ${id}, and shows it when it is read`, {
    code: codes.stillThere,
    hint: 'Check what stands between here and the service; what is left may still be there',
  })
}

/** `told` hears of each request that changes something. */
async function send(stepping: Stepping, sending: Sending, told: Pick<Request, 'check' | 'undone'>): Promise<Outcome> {
  const { client, scope } = stepping
  const { id, target } = sending
  const operation = operationFor(stepping, target)
  const path = pathTo(scope, id)
  const record = await prepare(stepping, sending)
  const before = record?.value
  let item: Item | undefined = record
  let evidence: Evidence = 'answered'
  for (const write of operation.writes(before)) {
    const answer = await client.answer({ ...requestOf(client, path, write), ...told })
    item = answer.item
    const verdict = judge(write, answer)
    if (verdict instanceof RejectedError) return { ...failedOutcome(verdict), item }
    if (verdict === 'accepted') evidence = verdict
  }
  if (operation.wipes && evidence === 'answered') await refuseKept(stepping, operation, id)
  return { status: operation.status, evidence, item: isDelete(operation) ? undefined : item }
}

/** Reads the record, and saves it before its own write. */
export async function prepare(stepping: Stepping, { id, target }: Sending): Promise<ObjectItem | undefined> {
  const { client, scope, backup } = stepping
  const operation = operationFor(stepping, target)
  if (!operation.readsFirst && !backup) return undefined
  const path = pathTo(scope, id)
  const record = await client.record(operation.of.read, { path })
  if (!backup) return record
  const before = record.value
  const parts = changesIn(operation.writes(before))
  refuseHidden(before, parts)
  await backup.save(id, record, isDelete(operation) ? null : changeOf(parts))
  return record
}

/** A failure where the answer shows that the change was not made. */
export function judge(
  { change, isOfFiles = false }: Pick<Write, 'change' | 'isOfFiles'>,
  { item, status }: Answer,
): Evidence | RejectedError {
  if (status === 202 || (isOfFiles && !isSource(item?.value))) return 'accepted'
  if (!isObject(item?.value) || isSuccess(item.value)) return 'answered'
  const unapplied = findUnapplied(change, item.value)
  if (!unapplied) return 'accepted'
  return unapplied.length > 0 ? notApplied(unapplied, status) : 'answered'
}

function notApplied(fields: readonly string[], status: number): RejectedError {
  const what = `The service accepted ${fields.join(', ')} and did not apply ${fields.length > 1 ? 'them' : 'it'}`
  return new RejectedError(what, {
    status,
    code: codes.notApplied,
    attr: fields[0],
    hint: 'Read the object to see how it is now',
  })
}

/** Newer servers keep the properties of a person that is split without a main distinct id. */
async function refuseKept({ client, scope }: Stepping, operation: Operation, id: string): Promise<void> {
  const { value: after } = await client.record(operation.of.read, { path: pathTo(scope, id) })
  refuseHidden(after, [{ path: 'properties.', value: undefined }])
  const kept = isObject(after.properties) ? Object.keys(after.properties) : []
  if (kept.length === 0) return
  throw new RejectedError(`The service split ${targetName(operation, id)} and kept the properties ${kept.join(', ')}`, {
    code: codes.notApplied,
    hint: `Delete them with: analytics persons delete-property ${id} --key KEY`,
  })
}
