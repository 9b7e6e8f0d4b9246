import type { Answer } from '../../api/answers/answer.ts'
import { sameField } from '../../api/answers/verify-applied.ts'
import type { Client } from '../../api/client.ts'
import { acceptingCsv, type ServerFormat } from '../../cli/server-format.ts'
import { collectAtMost } from '../../files/read.ts'
import type { Clock } from '../../host.ts'
import type { Request } from '../../http/message.ts'
import type { Backup } from '../../jobs/backup.ts'
import type { StepContext } from '../../jobs/engine.ts'
import { failedOutcome, type Outcome } from '../../jobs/outcome.ts'
import { marksOf } from '../../jobs/undo/marks.ts'
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
} from '../operation.ts'
import { checkOldValues } from '../person-properties.ts'
import { isUnanswered, judgeFailure } from './judge-failure.ts'
import { readBack } from './read-back.ts'
import { showsChange } from './shows-change.ts'
import { notApplied } from './write-result.ts'

interface StepOptions {
  readonly client: Client
  readonly operation: Operation
  /** Throws if a 404 for a target is not reliable. */
  readonly checkList: () => Promise<void>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly signal: AbortSignal
  readonly isDryRun: boolean
  readonly backup?: Backup | undefined
  /** Key of the job's marks; absent if the job has no marks. */
  readonly markKey?: string | undefined
  /** Requests the server's own body, which becomes the `item` of the outcome. */
  readonly serverFormat?: ServerFormat | undefined
}

export function createStep(stepping: StepOptions): (id: string, before: StepContext) => Promise<Outcome> {
  const { operation, checkList } = stepping
  const check = async (unanswered: boolean) => {
    const isProject = rowOf(operation).scope === undefined
    // A missing project is never a success, unless an earlier answer was lost.
    if (!isProject || unanswered) await checkList()
  }
  return async (id, before) => {
    let isSent = false
    let isBegun = false
    try {
      const prepared = await prepare(stepping, id, before)
      isSent = true
      const outcome = await send(stepping, prepared, id, async isPart => {
        isBegun = true
        if (isPart) await before.partAccepted()
      })
      const kept = stepping.isDryRun || !prepared.record ? undefined : await readBack(stepping, id, prepared.record)
      return kept ? { ...failedOutcome(kept), item: outcome.item } : outcome
    } catch (error) {
      // Reading the record changes nothing, so a lost answer does not matter.
      const unanswered = before.resent || isBegun || (isSent && isUnanswered(error))
      return judgeFailure(error, operation, { ...before, unanswered }, check)
    }
  }
}

interface Prepared {
  readonly operation: Operation
  readonly record: Item | undefined
}

/** Reads the record and saves it, if needed, and computes the values for this target. */
async function prepare(stepping: StepOptions, id: string, before: StepContext): Promise<Prepared> {
  const { operation: whole, clock, backup } = stepping
  const record = needsRecord(whole) || backup ? await readTarget(stepping.client, whole, id) : undefined
  const operation = operationForTarget(whole, record, { id, now: clock.now() })
  if (record) await save(stepping, operation, record, before)
  return { operation, record }
}

/** `onAnswer` is called for each successful request; `isPart`: it was only accepted, and others follow. */
async function send(
  { client, serverFormat }: StepOptions,
  { operation, record }: Prepared,
  id: string,
  onAnswer: (isPart: boolean) => Promise<void>,
): Promise<Outcome> {
  const { status, isExact } = rowOf(operation)
  const writes = writesOf(client, operation, id)
  if (writes.length === 0)
    return { status, evidence: 'answered', item: serverFormat ? undefined : record, isUnsent: true }
  let item: Item | undefined
  let isAccepted = false
  let isUnshown = false
  for (const request of writes) {
    const answer = serverFormat ? await formatted(client, request, serverFormat) : await client.answer(request)
    item = answer.item
    const lacksChange = answer.status === 200 && !serverFormat && !showsChange(request, answer.item)
    // If the answer lacks the change, it may come later (`docs/servers.md`: `delete_property` answers 201).
    const isOnlyAccepted = answer.status !== 200 || lacksChange
    isUnshown ||= lacksChange
    isAccepted ||= isOnlyAccepted
    await onAnswer(isOnlyAccepted && request !== writes.at(-1))
  }
  const fields = serverFormat || !item ? undefined : comparedFields(operation, item)
  const failure = fields && notApplied(fields, item, isExact ? sameField : undefined)
  if (failure) return { ...failedOutcome(failure), item }
  return {
    status,
    evidence: 'answered',
    item,
    isAccepted: isAccepted && status === 'updated',
    isUnshown,
  }
}

/** Backup first, then journal; both are on disk before the target is changed. */
async function save(
  { backup, markKey }: StepOptions,
  operation: Operation,
  record: Item,
  before: StepContext,
): Promise<void> {
  if (!backup) return
  const changes = fieldChanges(operation) ?? []
  checkOldValues(record, changes)
  const sha256 = await backup.save(record)
  if (markKey !== undefined) await before.saved(sha256, marksOf(markKey, changes))
}

const largest = 256 * 1024 * 1024

async function formatted(client: Client, request: Request, serverFormat: ServerFormat): Promise<Answer> {
  const url = new URL(request.url)
  url.searchParams.append('format', serverFormat)
  const response = await client.send(acceptingCsv({ ...request, url }))
  const item = await collectAtMost(response.body, largest)
  return { status: response.status, item }
}
