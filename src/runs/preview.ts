/** A table of the first targets before they are changed: in a question, a dry run and a plan. */
import type { Client } from '../api/client.ts'
import { ifThere } from '../api/if-there.ts'
import { nameOfField } from '../api/property-path.ts'
import type { Connection, Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { isLeftAlone, stopsRun } from '../jobs/outcome.ts'
import { isObject, type Json, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import {
  fieldChanges,
  type Operation,
  operationForTarget,
  readTarget,
  resultSentence,
  rowOf,
  writesOf,
} from '../operations/operation.ts'
import type { FieldChange } from '../operations/operation-row.ts'
import { propertiesIn } from '../operations/person-properties.ts'
import { cellOf, nothing } from '../output/cell.ts'
import { changeText } from '../output/change.ts'
import type { View } from '../output/document.ts'
import { headingsOf } from '../output/headings.ts'
import { masked } from '../output/mask.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { cut } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'

export const mostShown = 3
const indent = '  '

/** Cells: a record of megabytes would fill the log. */
const longestCell = 200

export interface PreviewedTarget {
  readonly id: string
  /** Undefined if nothing changes, for the reason in `remark`. */
  readonly record?: Item
  readonly remark?: string
  readonly failure?: Failure
  readonly changes: readonly FieldChange[]
  /** Number of requests that change it. */
  readonly writes: number
}

interface Previewing {
  readonly operation: Operation
  readonly ids: readonly string[]
  /** An unreadable target stops nothing. */
  readonly isAgreed: boolean
}

/** Reads the first targets. */
export async function readPreview(
  { host }: Pick<Context, 'host'>,
  { client }: Connection,
  { operation, ids, isAgreed }: Previewing,
): Promise<readonly PreviewedTarget[]> {
  const targets: PreviewedTarget[] = []
  for (let i = 0; i < Math.min(mostShown, ids.length); i++) {
    const id = ids.at(i) ?? ''
    const target = targetOf(client, operation, id, host.clock.now())
    targets.push(await (isAgreed ? target.catch(error => unreadTarget(id, error)) : target))
  }
  const isOneRead = targets.some(({ record }) => record)
  for (const { failure } of targets) if (failure && stopsRun(failure, isOneRead)) throw failure
  return targets
}

export async function drawPreview(
  { host, secrets }: Pick<Context, 'host' | 'secrets'>,
  operation: Operation,
  targets: readonly PreviewedTarget[],
  say: (line: string) => void,
): Promise<void> {
  const { drawTable } = await import('../output/table.ts')
  const shown = columnsFor(targets, rowOf(operation).view)
  // Secrets are hidden before cells are cut, because a cut secret would not be found.
  const rows = targets.map(target =>
    cellsOf(target, shown, secrets.hide).map(cell => cut(secrets.hide(cell), longestCell)),
  )
  const { isTerminal, columns } = host.stderr
  const width = isTerminal && columns ? columns - 1 - indent.length : undefined
  const { lines, leftOut } = drawTable(shown.columns, rows, width)
  for (const line of lines) say(indent + secrets.hide(line))
  for (const { record } of targets) {
    const result = record && resultSentence(operation, record)
    if (result !== undefined) say(secrets.hide(result))
  }
  const unseenChanges = leftOut.filter(path => shown.changed.includes(path)).map(nameOfField)
  if (unseenChanges.length > 0) say(`${indent}Also changes: ${unseenChanges.join(', ')}`)
}

async function targetOf(client: Client, operation: Operation, id: string, now: number): Promise<PreviewedTarget> {
  const record = await ifThere(readTarget(client, operation, id))
  if (!record) return { id, remark: 'not found', changes: [], writes: 1 }
  try {
    const own = operationForTarget(operation, record, { id, now })
    return { id, record, changes: fieldChanges(own) ?? [], writes: writesOf(client, own, id).length }
  } catch (error) {
    if (isLeftAlone(error)) return { id, remark: error.message, changes: [], writes: 0 }
    throw error
  }
}

function unreadTarget(id: string, error: unknown): PreviewedTarget {
  if (!(error instanceof Failure) || stopsRun(error, true)) throw error
  return { id, remark: `could not be read: ${error.message}`, failure: error, changes: [], writes: 1 }
}

function columnsFor(targets: readonly PreviewedTarget[], { columns, id, names }: View) {
  const changed = [...new Set(targets.flatMap(({ changes }) => changes.map(({ path }) => path)))]
  const known = changed.length === 0 ? columns : [id, 'name'].filter(path => !changed.includes(path))
  // Changed fields have exact names, because names with dots are not paths.
  const headings = [...headingsOf(known), ...changed.map(nameOfField)]
  const whole = changed.length === 0 ? [id, ...names] : [id, ...changed]
  return {
    known,
    changed,
    columns: [...known, ...changed].map((name, i) => ({
      name,
      heading: escapeControls(headings[i] ?? ''),
      isWhole: whole.includes(name),
      isNumeric: false,
      isCuttable: !name.endsWith('_at'),
    })),
  }
}

function cellsOf(
  { id, record, remark = '', changes }: PreviewedTarget,
  { known, changed }: ReturnType<typeof columnsFor>,
  hide: Secrets['hide'],
): string[] {
  if (!record) return [id, escapeControls(remark)]
  const before = fieldsIn(record)
  const after = new Map(changes.map(({ path, value }) => [path, value]))
  const changeOf = (path: string) =>
    after.has(path) ? changeText(path, [before.get(path), after.get(path) as Json | undefined], hide) : nothing
  const shown = masked(record.value)
  return [...known.map(path => cellOf(valueAt(shown, path), true)), ...changed.map(changeOf)]
}

/** Fields of the record, and properties of a person by their paths. */
function fieldsIn(record: Item): ReadonlyMap<string, Json> {
  const own = isObject(record.value) ? Object.entries(record.value) : []
  return new Map([...own, ...(propertiesIn(record) ?? [])])
}
