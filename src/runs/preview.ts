/** The first targets before they are changed, one line each: id, names, and old and new value. */
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { batchesOf } from '../jobs/run-parallel.ts'
import { encode, type JsonObject } from '../json/exact.ts'
import { nameOfField } from '../json/property-path.ts'
import { changesIn, type Part, partValue } from '../operations/change.ts'
import { isDelete } from '../operations/operation.ts'
import { maskChange } from '../output/mask.ts'
import { maskUrls } from '../secrets/secret-names.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { cells, cut } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { operationFor, type Run } from './run.ts'
import { judgeFailure } from './steps/judge.ts'
import { readTarget } from './steps/read-target.ts'

export const mostShown = 10

/** In a pipe: a record of megabytes would fill the log. */
const longestLine = 2000

const shortestName = 12

/** Reads the first targets. `writes`: requests that change one of them. Throws `NotFoundError` for a single one that is not there. */
export async function readPreview(context: Context, run: Run) {
  const { secrets, host } = context
  const { columns, isTerminal } = host.stderr
  const lines: string[] = []
  let writes = 1
  const shown = (words: readonly unknown[]) => maskUrls(secrets.hide(words.map(word => `  ${word}`).join('')))
  const [first = []] = batchesOf(run.journal.remaining(), mostShown)
  for (const target of first) {
    const seen = await see(run, target, secrets.hide)
    writes = Math.max(writes, seen.writes)
    const width = isTerminal && columns ? columns - 1 : longestLine
    const [id, changes] = [shown([run.targets[target]]), shown(seen.changes)]
    // A long name must not push the values off the line.
    const names = cut(shown(seen.names), Math.max(shortestName, width - cells(id + changes)))
    lines.push(cut(id + names + changes, width))
  }
  return { lines, writes }
}

/** `changes`: old and new values, or why they cannot be seen. Throws a failure that would stop the run. */
async function see(run: Run, target: number, hide: Secrets['hide']) {
  const { connection, scope, targets } = run
  const operation = operationFor(run, target)
  const unseen = (why: string, writes = 1) => ({ names: [], changes: [why], writes })
  const read = await readTarget({ client: connection.client, scope }, operation.of, targets[target] ?? '')
  if (read.is !== 'there') {
    if (targets.length === 1 || read.is === 'stop') throw read.failure
    return unseen(read.is === 'look' ? 'not found' : `could not be read: ${read.failure.message}`)
  }
  const { value: record } = read.record
  try {
    const writes = operation.writes(record)
    const changes = isDelete(operation) ? [] : changesIn(writes).map(part => changeOf(part, record, hide))
    // Old and new values need the room of a second name.
    const names = namesIn(record).slice(0, changes.length > 0 ? 1 : undefined)
    return { names, changes, writes: writes.length }
  } catch (failure) {
    if (!(failure instanceof Failure) || targets.length === 1) throw failure
    if (judgeFailure(failure).is === 'stop') throw failure
    return unseen(failure.message, 0)
  }
}

/** An e-mail that is the name too is shown once. */
function namesIn(record: JsonObject): readonly string[] {
  const names = ['name', 'properties.email'].map(path => partValue(record, path))
  return [...new Set(names.filter(name => typeof name === 'string' && name !== ''))].map(String)
}

/** Cells of each value. */
const widest = 24

/** `plan: "pro" → "team"`. `hide` takes secrets out of a value before it is cut. */
function changeOf({ path, value }: Part, record: JsonObject, hide: Secrets['hide']): string {
  const before = partValue(record, path)
  const change = { field: path, from: before ?? null, to: value ?? null }
  const isSame = (before === undefined) === (value === undefined) && encode(change.from) === encode(change.to)
  const { from, to } = maskChange(change)
  const text = (whole: unknown, shown: unknown) =>
    whole === undefined ? 'none' : cut(hide(escapeControls(encode(shown))), widest)
  return `${nameOfField(path)}: ${text(before, from)} → ${isSame ? 'same' : text(value, to)}`
}
