/** Changes one target: reads its record if needed, sends its writes, and looks where a response leaves a doubt. */
import { isDeepStrictEqual } from 'node:util'
import type { ParsedResponse } from '../../api/responses/response.ts'
import { Failure, RejectedError, UnavailableError } from '../../errors.ts'
import type { Sent } from '../../http/message.ts'
import { codes } from '../../jobs/outcome.ts'
import { isObject, isText } from '../../json/exact.ts'
import type { ObjectItem } from '../../json/read-item.ts'
import { changeOf, changesIn } from '../../operations/change.ts'
import { pathTo } from '../../operations/collections.ts'
import { isDelete, targetName, type Write } from '../../operations/operation.ts'
import { operationFor } from '../run.ts'
import { actOn, conclude } from './conclude.ts'
import { type Done, judge, type Verdict } from './judge.ts'
import type { StepContext } from './proof.ts'
import { readTarget, withWrites } from './read-target.ts'

/** Gives the target its one outcome, or stops the run. A write that was done is never sent again. */
export async function changeTarget(run: StepContext, target: number): Promise<void> {
  const prepared = await actOn(run, target, present => prepare(run, target, present))
  if (!prepared) return
  let done: Done = { is: 'done', evidence: 'answered', item: prepared.record }
  for (const write of prepared.writes) {
    const verdict = await actOn(run, target, present =>
      present ? sendAgain(run, target, write, present) : sendWrite(run, target, write),
    )
    if (!verdict) return
    done = verdict.evidence === 'answered' ? { ...verdict, evidence: done.evidence } : verdict
  }
  conclude(run, target, done)
  if (run.operation.wipes) await checkWiped(run, target)
}

async function sendWrite(run: StepContext, target: number, write: Write): Promise<Verdict> {
  return judge(write, await sendRecorded(run, [target], run.targets[target] ?? '', write))
}

/** Derives the write from the present record: another user may have changed it since it was read. */
async function sendAgain(run: StepContext, target: number, write: Write, present: ObjectItem): Promise<Verdict> {
  const prepared = await prepare(run, target, present)
  if (prepared.is !== 'there') return prepared
  const same = prepared.writes.find(one => one.endpoint === write.endpoint && isDeepStrictEqual(one.query, write.query))
  return same ? sendWrite(run, target, same) : { is: 'done', evidence: 'answered', item: present }
}

/** Reads the record if it is needed and not present, and saves it before its write. Rejects if the backup cannot be written. */
export async function prepare(run: StepContext, target: number, present?: ObjectItem) {
  const { backup, targets, journal } = run
  const operation = operationFor(run, target)
  const id = targets[target] ?? ''
  if (!operation.readsFirst && !backup) return { is: 'there' as const, record: undefined, writes: operation.writes() }
  const current = present && { is: 'there' as const, record: present }
  const read = withWrites(current ?? (await readTarget(run, operation.collection, id)), operation, backup !== undefined)
  if (read.is !== 'there') return read
  const { record, writes } = read
  const { uuid } = record.value
  if (isText(uuid) && uuid !== id) journal.noteUuid(target, uuid)
  if (backup) {
    journal.noteSeen()
    await backup.save(id, record, isDelete(operation) ? null : changeOf(changesIn(writes)))
  }
  return read
}

/** The journal around a write: a line before each attempt, and one behind it if it certainly did nothing. */
export function sendRecorded(
  { client, scope, journal, state }: StepContext,
  targets: readonly number[],
  id: string,
  { endpoint, query = {}, body }: Write,
): Promise<Sent<ParsedResponse>> {
  return client.send({
    ...client.request(endpoint, { path: pathTo(scope, id), query, body }),
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

/** After a split, which is done whatever this read shows. Newer servers keep the properties. */
async function checkWiped(run: StepContext, target: number): Promise<void> {
  const { operation, targets, state } = run
  const id = targets[target] ?? ''
  const name = targetName(operation, id)
  const read = await readTarget(run, operation.collection, id)
  if (read.is !== 'there') {
    const { message, details, exit } = read.failure
    const Kind = exit === 7 || exit === 6 ? UnavailableError : RejectedError
    const failure = new Kind(`Split ${name}, but reading it afterwards failed: ${message}`, {
      ...details,
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
