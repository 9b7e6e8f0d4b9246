/** A job's attempts to change its targets: records that it saved, and marks of the values that it set. */
import { createReadStream, statSync } from 'node:fs'
import { RefusedError } from '../../errors.ts'
import { digestOfBytes } from '../../files/digest.ts'
import { checkRegular } from '../../files/regular-file.ts'
import { cannotRead } from '../../files/system-error.ts'
import { isLostAnswer } from '../../http/message.ts'
import { encode, type Json, type JsonObject } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { readItem } from '../../json/read-item.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import { type Job, readSaved } from '../job.ts'
import { codes, type OutcomeError } from '../outcome.ts'
import type { Marks } from './marks.ts'

interface SavedAttempts {
  /** Only targets that may have been changed. */
  readonly byTarget: Map<number, [SavedAttempt, ...SavedAttempt[]]>
  /** The key is the digest of the record's line in the backup. */
  readonly byDigest: Map<string, SavedAttempt | SavedAttempt[]>
  readonly paths: ReadonlySet<string>
}

function savedAttempts(job: Job): SavedAttempts {
  const byTarget: SavedAttempts['byTarget'] = new Map()
  const byDigest: SavedAttempts['byDigest'] = new Map()
  const paths = new Set<string>()
  const shareMarks = sharing<Marks>()
  readSaved(job, ([, target, sha256, , marks]) => {
    const attempt = { target, marks: shareMarks(marks), before: {} }
    for (const path of Object.keys(marks)) paths.add(path)
    const own = byTarget.get(target)
    if (own) own.push(attempt)
    else byTarget.set(target, [attempt])
    const alike = byDigest.get(sha256)
    byDigest.set(sha256, alike ? [alike, attempt].flat() : attempt)
  })
  for (const [target, attempts] of byTarget) if (!mayBeChanged(job, target, attempts)) byTarget.delete(target)
  for (const [sha256, attempts] of byDigest) {
    if (![attempts].flat().some(({ target }) => byTarget.has(target))) byDigest.delete(sha256)
  }
  return { byTarget, byDigest, paths }
}

/** A single request that the service refused changed nothing. */
function mayBeChanged({ state }: Job, target: number, [{ marks }, ...more]: readonly [Attempt, ...Attempt[]]): boolean {
  const outcome = state.outcomeOf(target)
  const unset = Object.values(marks).filter(mark => mark.length === 0).length
  const isOne = more.length === 0 && (unset === 0 || Object.keys(marks).length === 1)
  if (!isOne || state.maybeDone(target)) return Object.keys(marks).length > 0
  if (!outcome) return false
  if (outcome.status !== 'failed') return Object.keys(marks).length > 0
  return outcome.error.code === codes.notApplied || !isRefused(outcome.error)
}

function isRefused({ status }: OutcomeError): boolean {
  return status !== null && status >= 400 && status < 500 && !isLostAnswer(status)
}

/** Fields of a saved record that the job changed, and the values that it set. */
export interface Attempt {
  readonly before: JsonObject
  readonly marks: Marks
}

interface SavedAttempt extends Attempt {
  readonly target: number
  before: Attempt['before']
}

interface Attempts {
  readonly target: number
  readonly attempts: readonly Attempt[]
}

/** In the order of the targets. Throws `RefusedError` if the files lack a record or a field. */
export async function readAttempts(
  job: Job,
  backups: readonly string[],
  fieldsOf: (record: Item) => ReadonlyMap<string, Json> | undefined,
): Promise<Iterable<Attempts>> {
  const { byTarget, byDigest, paths } = savedAttempts(job)
  const { size } = byDigest
  const shareBefore = sharing<Attempt['before']>()
  let unknown = 0
  const onRecord = (sha256: string, record: Item) => {
    const fields = fieldsOf(record)
    if (!fields) unknown++
    const changed = [...(fields ?? [])].filter(([path]) => paths.has(path))
    const before = shareBefore(Object.fromEntries(changed))
    for (const attempt of [byDigest.get(sha256) ?? []].flat()) attempt.before = before
    // Frees memory: this digest is not needed any more.
    byDigest.delete(sha256)
  }
  for (const path of backups) await readBackup(path, byDigest, onRecord)
  const names = backups.join(', ')
  const among = (count: number) => `${grouped(count)} of the ${countOf(size, 'record', 'records')} of the job`
  if (byDigest.size > 0) {
    throw new RefusedError(`${among(byDigest.size)} ${byDigest.size === 1 ? 'is' : 'are'} not in ${names}`, {
      hint: 'Give the file that the job wrote; if a resume had another --backup, give both',
    })
  }
  if (unknown > 0) {
    throw new RefusedError(`${among(unknown)} ${unknown === 1 ? 'has' : 'have'} no properties in ${names}`, {
      hint: 'The service left them out, so nothing tells what was there before',
    })
  }
  return inOrder(byTarget, job.header.total)
}

/**
 * Calls `onRecord` for each line whose digest is in `digests`, which may change meanwhile: a backup may contain records of
 * many jobs. Throws `UsageError`.
 */
async function readBackup(
  path: string,
  digests: { has(sha256: string): boolean },
  onRecord: (sha256: string, record: Item) => void,
): Promise<void> {
  try {
    checkRegular(statSync(path))
    for await (const line of byteLinesOf(createReadStream(path, { highWaterMark: chunkSize }))) {
      const sha256 = digestOfBytes(line)
      if (digests.has(sha256)) onRecord(sha256, readItem(line))
    }
  } catch (cause) {
    throw cannotRead(`--backup: ${path}`, cause, 'Check its name')
  }
}

const chunkSize = 256 * 1024

/** Yields bytes, since the digest is computed from bytes. */
async function* byteLinesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const last = chunk.subarray(from, end)
      yield pieces.length > 0 ? Buffer.concat([...pieces, last]) : last
      pieces = []
      from = end + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
  }
  if (pieces.length > 0) yield Buffer.concat(pieces)
}

const lineFeed = 0x0a

/** Frees each attempt after it is read, because there may be many. */
function* inOrder(byTarget: SavedAttempts['byTarget'], total: number): Generator<Attempts> {
  for (let target = 0; target < total; target++) {
    const attempts = byTarget.get(target)
    if (!attempts) continue
    byTarget.delete(target)
    yield { target, attempts }
  }
}

/** Equal values share one object, because most targets of a run have few different values. */
function sharing<T>(): (value: T) => T {
  const known = new Map<string, T>()
  return value => {
    const text = encode(value)
    const shared = known.get(text) ?? value
    known.set(text, shared)
    return shared
  }
}
