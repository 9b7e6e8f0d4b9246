/** What a job knows of its attempts to change a target: the records that it saved, and marks of what it set. */
import { RefusedError } from '../errors.ts'
import { decode, encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { grouped } from '../values/grouped.ts'
import { type Job, readSaved } from './job.ts'
import type { SavedEntry } from './job-state.ts'
import type { Marks } from './marks.ts'
import { codes } from './outcome.ts'
import { readBackup } from './read-backup.ts'

/** Entries of the targets that may have been changed, by target. */
function changingEntries(job: Job): Map<number, SavedEntry[]> {
  const byTarget = new Map<number, SavedEntry[]>()
  const shareMarks = sharing<Marks>()
  readSaved(job, ([saved, target, sha256, at, marks]) => {
    const entry: SavedEntry = [saved, target, sha256, at, shareMarks(marks)]
    const own = byTarget.get(target)
    if (own) own.push(entry)
    else byTarget.set(target, [entry])
  })
  const found = [...byTarget].filter(([target, entries]) => mayBeChanged(job, target, entries))
  return new Map(found.sort(([a], [b]) => a - b))
}

/** The service surely did nothing where it refused the only request. */
function mayBeChanged({ state }: Job, target: number, entries: readonly SavedEntry[]): boolean {
  const [[, , , , marks], ...more] = entries as [SavedEntry, ...SavedEntry[]]
  const outcome = state.outcomeOf(target)
  const unset = Object.values(marks).filter(mark => mark.length === 0).length
  const isOne = more.length === 0 && (unset === 0 || Object.keys(marks).length === 1)
  if (!isOne || state.isOpen(target)) return Object.keys(marks).length > 0
  if (!outcome) return false
  if (outcome.status !== 'failed') return Object.keys(marks).length > 0
  const { status, code } = outcome.fault
  return code === codes.notApplied || status === null || status < 400 || status >= 500
}

/** A record that the job saved: its fields that the job changed, and what it set then. */
export interface Attempt {
  readonly before: Readonly<Record<string, unknown>>
  readonly marks: Marks
  readonly at: number
}

/** The attempts of each target that the job may have changed. Throws `RefusedError` where the file lacks a record. */
export async function readAttempts(
  job: Job,
  path: string,
  fieldsOf: (record: Item) => ReadonlyMap<string, Item>,
): Promise<Map<number, Attempt[]>> {
  const saved = changingEntries(job)
  const wanted = new Map<string, SavedEntry[]>()
  for (const entry of [...saved.values()].flat()) wanted.set(entry[2], [...(wanted.get(entry[2]) ?? []), entry])
  const found = new Map<SavedEntry, Attempt['before']>()
  const shareBefore = sharing<Attempt['before']>()
  await readBackup(path, new Set(wanted.keys()), (sha256, record) => {
    const fields = fieldsOf(record)
    for (const entry of wanted.get(sha256) ?? []) {
      const paths = new Set((saved.get(entry[1]) ?? []).flatMap(([, , , , marks]) => Object.keys(marks)))
      const values = [...paths].flatMap((path): [string, unknown][] => {
        const item = fields.get(path)
        return item ? [[path, decode(item)]] : []
      })
      found.set(entry, shareBefore(Object.fromEntries(values)))
    }
  })
  const missing = [...wanted.values()].filter(entries => !entries.some(entry => found.has(entry))).length
  if (missing > 0) {
    throw new RefusedError(`${grouped(missing)} of the ${grouped(wanted.size)} records of the job are not in ${path}`, {
      hint: 'Give the file that the job wrote; if a resume had another --backup, join the files',
    })
  }
  return new Map(
    [...saved].map(([target, entries]) => [
      target,
      entries.map(entry => ({ before: found.get(entry) ?? {}, marks: entry[4], at: entry[3] })),
    ]),
  )
}

/** Returns the same object for equal values, because most targets of a run have few different ones. */
function sharing<T>(): (value: T) => T {
  const known = new Map<string, T>()
  return value => {
    const text = encode(value)
    const shared = known.get(text) ?? value
    known.set(text, shared)
    return shared
  }
}
