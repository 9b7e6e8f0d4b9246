/** A table of the first targets before they are changed: in a question, a dry run and a plan. */
import type { Client } from '../api/client.ts'
import { ifThere } from '../api/if-there.ts'
import { nameOfField } from '../api/property-path.ts'
import type { Connection, Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Output } from '../host.ts'
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
import type { RenderOptions, View } from '../output/document.ts'
import { type Cell, cellOf, nothing } from '../output/table-parts/cell.ts'
import { changeCell, drawChange } from '../output/table-parts/change.ts'
import { headingsOf } from '../output/table-parts/headings.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { cut } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'

export const mostShown = 3
const indent = '  '

/** In a pipe: a record of megabytes would fill the log and the memory. */
const longestCell = 2000

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
  const { drawTable } = await import('../output/tables/table.ts')
  const columns = columnsFor(targets, rowOf(operation).view)
  const unseen: string[] = []
  const options: RenderOptions = {
    ...optionsFor(host.stderr),
    onHiddenColumns: (names: readonly string[]) => void unseen.push(...names),
  }
  // Secrets are hidden before cells are cut, because a cut secret would not be found.
  const rows = targets.map(target => cellsOf(target, columns, options).map(cell => cutIn(hiddenIn(cell, secrets))))
  const headings = columns.headings.map(secrets.hide)
  for (const line of drawTable({ ...columns, headings, rows }, options)) say(indent + line)
  for (const { record } of targets) {
    const result = record && resultSentence(operation, record)
    if (result !== undefined) say(secrets.hide(result))
  }
  const unseenChanges = unseen.filter(path => columns.changed.includes(path)).map(nameOfField)
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

function columnsFor(targets: readonly PreviewedTarget[], { columns, id, names = ['name'] }: View) {
  const changed = [...new Set(targets.flatMap(({ changes }) => changes.map(({ path }) => path)))]
  const known = changed.length === 0 ? columns : [id, 'name'].filter(path => !changed.includes(path))
  return {
    known,
    changed,
    names: [...known, ...changed],
    // Changed fields have exact names, because names with dots are not paths.
    headings: [...headingsOf(known), ...changed.map(nameOfField)],
    // Changed values need the space more than a long name or id.
    kept: changed.length === 0 ? [id, ...names] : [],
  }
}

function cellsOf(
  { id, record, remark = '', changes }: PreviewedTarget,
  { known, changed }: ReturnType<typeof columnsFor>,
  options: RenderOptions,
): Cell[] {
  if (!record) return [{ text: id }, { text: escapeControls(remark), isRemark: true }]
  const before = fieldsIn(record)
  const after = new Map(changes.map(({ path, value }) => [path, value]))
  const changeOf = (path: string) => {
    if (!after.has(path)) return { text: nothing, isEmpty: true }
    const value = after.get(path)
    return changeCell(path, before.get(path), value, options)
  }
  return [...known.map(path => cellOf(valueAt(record.value, path), path, options)), ...changed.map(changeOf)]
}

/** Fields of the record, and properties of a person by their paths. */
function fieldsIn(record: Item): ReadonlyMap<string, Json> {
  const own = isObject(record.value) ? Object.entries(record.value) : []
  return new Map([...own, ...(propertiesIn(record) ?? [])])
}

function hiddenIn({ list, change, ...cell }: Cell, { hide }: Secrets): Cell {
  return {
    ...cell,
    text: hide(cell.text),
    ...(list === undefined ? {} : { list: hide(list) }),
    ...(change === undefined ? {} : { change: [hide(change[0]), hide(change[1])] }),
  }
}

/** A table in a pipe cuts nothing. */
function cutIn(cell: Cell): Cell {
  return { ...cell, text: cell.change ? drawChange(...cell.change, longestCell) : cut(cell.text, longestCell) }
}

function optionsFor({ columns, isTerminal }: Output): RenderOptions {
  return {
    header: true,
    reveal: false,
    escapeFormulas: false,
    color: false,
    width: isTerminal && columns ? columns - 1 - indent.length : undefined,
    // Lists are cut in a pipe too, since a person may have a thousand distinct ids.
    terminal: true,
  }
}
