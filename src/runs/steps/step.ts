/** Changes one target: reads its record if needed, sends its writes, and looks where a response leaves a doubt. */
import type { Answer } from '../../api/answers/answer.ts'
import type { Client } from '../../api/client.ts'
import { Failure, NotFoundError, RejectedError, UnavailableError } from '../../errors.ts'
import type { Request, Sent } from '../../http/message.ts'
import type { Backup } from '../../jobs/backup.ts'
import type { RunState } from '../../jobs/engine.ts'
import { codes, type Evidence, failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import { isObject, isText } from '../../json/exact.ts'
import type { Item } from '../../json/read-item.ts'
import { changeOf, refuseHidden } from '../../operations/change.ts'
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
import { judge, judgeFailure, type Verdict } from './judge.ts'
import { type Lists, type Looked, lookFor } from './proof.ts'
import { type Read, readTarget } from './read-target.ts'

export interface Stepping extends Pick<Run, 'scope' | 'targets' | 'values' | 'journal' | 'operation'> {
  /** After the stop of the run it sends nothing more. */
  readonly client: Client
  readonly lists: Lists
  readonly backup: Backup | undefined
  readonly state: RunState
  /** Of persons that were read, and whose ids are numbers. */
  readonly uuids: Map<number, string>
}

/** Gives the target its one outcome, or stops the run. */
export async function changeTarget(run: Stepping, target: number): Promise<void> {
  const { operation, state, targets } = run
  const progress: Progress = { left: undefined, evidence: 'answered' }
  // A write that got a 404 is sent once more if the target is there. `null`: none got one yet.
  for (let missedAt: Progress['left'] | null = null; ; missedAt = progress.left) {
    const verdict = await sendWrites(run, target, progress)
    if (verdict.is !== 'look') {
      conclude(run, target, verdict)
      if (verdict.is === 'done' && operation.wipes) await checkWiped(run, target)
      return
    }
    const looked = await look(run, target, verdict.failure)
    if (looked !== 'there') return
    if (missedAt === progress.left) return state.stop.abort(contradiction(targets[target] ?? ''))
  }
}

interface Progress {
  /** The writes after those that were done; undefined until the first one is done. */
  left: readonly Write[] | undefined
  evidence: Evidence
}

/** Each write of the target, until one is not done. One that was done is never sent again. */
async function sendWrites(run: Stepping, target: number, progress: Progress): Promise<Verdict> {
  const { client, scope, targets, state } = run
  const operation = operationFor(run, target)
  const path = pathTo(scope, targets[target] ?? '')
  const read = progress.left ? undefined : await prepare(run, target)
  if (read && read.is !== 'there') return read
  let item: Item | undefined = read?.record
  const writes = progress.left ?? orVerdict(() => operation.writes(read?.record.value))
  if ('is' in writes) return writes
  for (const [i, write] of writes.entries()) {
    const sent = await sendRecorded(run, [target], requestOf(client, path, write))
    const verdict = judge(write, sent, state.hasSucceeded)
    if (verdict.is !== 'done') return verdict
    item = verdict.item
    progress.left = writes.slice(i + 1)
    if (verdict.evidence !== 'answered') progress.evidence = verdict.evidence
  }
  return { is: 'done', evidence: progress.evidence, item }
}

/** Or what it means that the record must not be changed. */
function orVerdict<T>(act: () => T): T | ReturnType<typeof judgeFailure> {
  try {
    return act()
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure
    return judgeFailure({ certainty: 'answered', failure, isWrite: false, hasSucceeded: true })
  }
}

/** Reads the record, and saves it before its write. Undefined where none is needed. Rejects if the backup cannot be written. */
export async function prepare(run: Stepping, target: number): Promise<Read | undefined> {
  const { backup, targets, journal, uuids } = run
  const operation = operationFor(run, target)
  if (!operation.readsFirst && !backup) return undefined
  const id = targets[target] ?? ''
  const read = await readTarget({ ...run, of: operation.of, hasSucceeded: run.state.hasSucceeded }, id)
  if (read.is !== 'there') return read
  const { value: record } = read.record
  if (isText(record.uuid) && record.uuid !== id) uuids.set(target, record.uuid)
  if (!backup) return read
  journal.noteSeen()
  const parts = orVerdict(() => {
    const changes = changesIn(operation.writes(record))
    refuseHidden(record, changes)
    return changes
  })
  if ('is' in parts) return parts
  await backup.save(id, read.record, isDelete(operation) ? null : changeOf(parts))
  return read
}

/** The journal around a write: a line before each attempt, and one behind it if it certainly did nothing. */
export function sendRecorded(
  { client, journal, state }: Pick<Stepping, 'client' | 'journal' | 'state'>,
  targets: readonly number[],
  request: Request,
): Promise<Sent<Answer>> {
  return client.send({
    ...request,
    async aroundAttempt(attempt) {
      try {
        journal.begin(targets)
        const sent = await attempt()
        if (sent.certainty === 'unknown') journal.noteUnknown(targets)
        else if (sent.certainty === 'not-sent' || isRefusal(sent.response)) journal.noteNothing(targets)
        return sent
      } catch (error) {
        // Without a journal nothing may be sent.
        state.stop.abort(error)
        throw error
      }
    },
  })
}

function isRefusal(response: { readonly status: number } | Failure): boolean {
  return !(response instanceof Failure) && response.status >= 300
}

/** Writes the outcome, or stops the run. */
export function conclude(run: Stepping, target: number, verdict: Exclude<Verdict, { readonly is: 'look' }>): void {
  const { operation, state } = run
  if (verdict.is === 'done') {
    const { evidence, item } = verdict
    settle(run, target, { status: operation.status, evidence, item: isDelete(operation) ? undefined : item })
  } else if (verdict.is === 'failed') {
    settle(run, target, failedOutcome(verdict.failure, verdict.item))
    if (verdict.stops) state.stop.abort(verdict.failure)
  } else state.stop.abort(verdict.failure)
}

export function settle(run: Stepping, target: number, outcome: Outcome): void {
  run.state.settle(new Map([[target, withUuid(run, target, outcome)]]))
}

export function withUuid({ uuids, values }: Stepping, target: number, outcome: Outcome): Outcome {
  const uuid = uuids.get(target) ?? values.uuids?.[target] ?? undefined
  uuids.delete(target)
  return uuid === undefined ? outcome : { ...outcome, uuid }
}

/** Looks for the target after a 404, and gives it its outcome unless it is there. */
export async function look(run: Stepping, target: number, failure: NotFoundError): Promise<'there' | 'concluded'> {
  const { operation, journal, state } = run
  const looked: Looked = await lookFor(target, { ...run, hasSucceeded: state.hasSucceeded })
  if (looked.is === 'there') {
    journal.noteSeen()
    return 'there'
  }
  if (looked.is === 'gone') settle(run, target, goneOutcome(failure, operation, journal.isUncertain(target)))
  else if (looked.is === 'merged') settle(run, target, failedOutcome(merged(failure)))
  else conclude(run, target, looked)
  return 'concluded'
}

/** Of an object that is proved not to be there. */
function goneOutcome(failure: NotFoundError, { status, deletesEvents }: Operation, isUncertain: boolean): Outcome {
  const coded = (code: string, message: string) => new NotFoundError(message, { ...failure.facts, code })
  if (status !== 'deleted') return failedOutcome(coded(codes.notFound, failure.message))
  if (isUncertain) return { status: 'deleted', evidence: 'inferred' }
  if (!deletesEvents) return { status: 'gone', evidence: 'answered', failure }
  const unknown = 'unknown whether its events were queued for deletion'
  return failedOutcome(coded(codes.eventsUnknown, `${failure.message}; ${unknown}`))
}

function merged({ message }: NotFoundError): RejectedError {
  return new RejectedError(`${message}, and another person has its email or distinct id now: they were merged`, {
    code: codes.foundAgain,
    hint: 'Look up the person again',
  })
}

export function contradiction(id: string): RejectedError {
  return new RejectedError(
    `Stopped: the server responds with 404 to the request for ${id}, but returns it when it is read`,
    {
      code: codes.stillThere,
      hint: 'Check any proxy in front of the server. Pending targets may still be there',
    },
  )
}

/** After a split, which is done whatever this read shows. Newer servers keep the properties. */
async function checkWiped(run: Stepping, target: number): Promise<void> {
  const { operation, targets, state } = run
  const id = targets[target] ?? ''
  const name = targetName(operation, id)
  const read = await readTarget({ ...run, of: operation.of, hasSucceeded: true }, id)
  if (read.is !== 'there') {
    const { message, facts } = read.failure
    const Kind = read.failure.exit === 7 || read.failure.exit === 6 ? UnavailableError : RejectedError
    const failure = new Kind(`Split ${name}, but reading it afterwards failed: ${message}`, {
      ...facts,
      hint: `To check its properties: analytics persons get ${id}`,
    })
    return state.stop.abort(failure)
  }
  const { properties } = read.record.value
  const kept = isObject(properties) ? Object.keys(properties) : []
  if (isObject(properties) && kept.length === 0) return
  const what = isObject(properties) ? `kept the properties ${kept.join(', ')}` : 'did not show its properties'
  state.stop.abort(
    new RejectedError(`The server split ${name} and ${what}`, {
      code: codes.notApplied,
      hint: `Delete them with: analytics persons delete-property ${id} --key KEY`,
    }),
  )
}
