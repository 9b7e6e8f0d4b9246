/** What a response means for its target and for the run: pure functions over tables. Nothing here sends or reads. */
import { isSource, isSuccess, type ParsedResponse } from '../../api/responses/response.ts'
import {
  Failure,
  InterruptedError,
  isForbidden,
  NotFoundError,
  notTheService,
  RejectedError,
  UnexpectedError,
} from '../../errors.ts'
import type { Sent } from '../../http/message.ts'
import { codes, type Evidence } from '../../jobs/outcome.ts'
import { isObject } from '../../json/exact.ts'
import type { Item } from '../../json/read-item.ts'
import { findUnapplied } from '../../operations/change.ts'
import type { Write } from '../../operations/operation.ts'

export interface Done {
  readonly is: 'done'
  readonly evidence: Evidence
  readonly item: Item | undefined
}

export type Verdict =
  | Done
  | { readonly is: 'failed'; readonly failure: Failure; readonly item?: Item | undefined; readonly stops?: true }
  | { readonly is: 'look'; readonly failure: NotFoundError }
  /** The failure concerns every target. This one has no outcome, and stays open for a resume. */
  | { readonly is: 'stop'; readonly failure: Failure }

export type FailedVerdict = Exclude<Verdict, Done>

type Proof = Pick<Write, 'change' | 'shownBy'>

export function judge(write: Proof, sent: Sent<ParsedResponse>): Verdict {
  if (sent.certainty !== 'answered') return judgeFailure(sent.failure, sent.certainty, true)
  const { response } = sent
  if (response instanceof Failure) return judgeFailure(response, 'answered', true)
  const proof = proofIn(write, response)
  if (proof instanceof RejectedError) return { is: 'failed', failure: proof, item: response.item }
  return { is: 'done', evidence: proof, item: response.item }
}

/** Of a good response: the evidence, or a failure where it shows that the change was not made. */
export function proofIn({ change, shownBy }: Proof, { item, status }: ParsedResponse): Evidence | RejectedError {
  if (status === 202 || (shownBy === 'later' && status === 201)) return 'accepted'
  if (shownBy === 'files' && !isSource(item?.value)) return 'accepted'
  if (!isObject(item?.value) || isSuccess(item.value)) return 'answered'
  const unapplied = findUnapplied(change, item.value)
  if (!unapplied) return 'accepted'
  return unapplied.length > 0 ? notApplied(unapplied, status) : 'answered'
}

type Row = readonly [
  verdict: FailedVerdict['is'] | 'failed, and stop',
  holds: (failure: Failure, certainty: Sent['certainty'], isWrite: boolean) => boolean,
]

const rows: readonly Row[] = [
  ['failed', isOwnRefusal],
  ['stop', (_, certainty) => certainty === 'not-sent'],
  ['stop', failure => failure instanceof InterruptedError || failure instanceof UnexpectedError],
  ['failed', (_, certainty) => certainty === 'unknown'],
  ['look', failure => failure instanceof NotFoundError && failure.details.isMissingObject === true],
  // A gateway responded to a write with 2xx, for example with a web page.
  ['failed, and stop', (failure, _, isWrite) => isWrite && isNotFromServer(failure) && httpStatusOf(failure) < 300],
  ['stop', failure => isNotFromServer(failure) || failure instanceof NotFoundError],
  ['failed', isForbidden],
  [
    'failed',
    failure => failure instanceof RejectedError && httpStatusOf(failure) >= 400 && httpStatusOf(failure) !== 405,
  ],
  // A read whose response was cut off.
  ['failed', failure => failure.exit === 7],
  ['stop', () => true],
]

export function judgeFailure(
  failure: Failure,
  certainty: Sent['certainty'] = 'answered',
  isWrite = false,
): FailedVerdict {
  const [verdict] = rows.find(([, holds]) => holds(failure, certainty, isWrite)) ?? ['stop']
  if (verdict === 'failed, and stop') return { is: 'failed', failure, stops: true }
  if (verdict === 'look') return { is: verdict, failure: failure as NotFoundError }
  return { is: verdict, failure: failure instanceof NotFoundError ? unprovedMissing(failure) : failure }
}

const ownRefusals: readonly (string | undefined)[] = [codes.conflict, codes.notTheirs, codes.unknownTags]

/** This program refused to change the target. */
function isOwnRefusal({ details: { status, code } }: Failure): boolean {
  return status === undefined && ownRefusals.includes(code)
}

function isNotFromServer({ details: { code } }: Failure): boolean {
  return code === notTheService
}

function httpStatusOf({ details: { status = 0 } }: Failure): number {
  return status
}

/** A gateway may respond with 404 to everything. */
function unprovedMissing({ message, details }: NotFoundError): RejectedError {
  return new RejectedError(`${message}, but a proxy may have sent this response`, {
    ...details,
    code: notTheService,
    hint: 'Check the base URL and the project',
  })
}

function notApplied(fields: readonly string[], status: number): RejectedError {
  const what = `The server accepted ${fields.join(', ')} but did not apply ${fields.length > 1 ? 'them' : 'it'}`
  return new RejectedError(what, {
    status,
    code: codes.notApplied,
    attr: fields[0],
    hint: 'Read the object again to see its current values',
  })
}
