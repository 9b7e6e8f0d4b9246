import { encode, isObject, type Json, type JsonObject, valueAt } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { indented } from '../../json/layout.ts'
import { elementsOf } from '../../json/read-item.ts'
import { cells, cut, cutPath, fold } from '../../text/cells.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import type { Document, Renderer, RenderOptions, View } from '../document.ts'
import { type Columns, columnsNamed, columnsOf } from '../rows.ts'
import { type Cell, cellOf, isJson, shownOf, textIn } from '../table-parts/cell.ts'
import { drawChange } from '../table-parts/change.ts'
import { type Column, gap, layOut, total, widestPadded } from '../table-parts/columns.ts'
import { drawGrid } from '../table-parts/grid.ts'
import { headingOf, headingOfMember, headingsOf } from '../table-parts/headings.ts'

/** Streams: the first rows fix the columns. A wider cell is cut at a terminal; in a pipe it widens its column up to 40. */
export const tableRenderer: Renderer = (document, options) =>
  document.shape === 'list' ? list(document, options) : object(document, options)

/** Rows drawn at once, because the time of cli-table3 grows with their square. */
const chunk = 100

interface TableRows {
  readonly names: readonly string[]
  readonly kept: readonly string[]
  row(item: Item): readonly Cell[]
}

interface Rows extends Pick<TableRows, 'names' | 'kept'> {
  readonly headings?: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export function drawTable({ rows, ...shape }: Rows, options: RenderOptions): string[] {
  const { columns, leftOut } = columnsFor(shape, rows, options)
  if (leftOut.length > 0) options.onHiddenColumns?.(leftOut)
  const lines = createRowDrawer(columns, options)(rows.map(row => shape.names.map((_, i) => besideRemark(row[i]))))
  const drawn = lines.map((line, i) => addRemark(line, rows[i] ?? [], columns, options))
  return [drawHeader(columns, options).trimEnd(), ...drawn]
}

function besideRemark(cell: Cell | undefined): Cell {
  return !cell || cell.isRemark ? blank : cell
}

const blank: Cell = { text: '' }

function addRemark(line: string, row: readonly Cell[], columns: readonly Column[], { width }: RenderOptions): string {
  const place = row.findIndex(({ isRemark }) => isRemark)
  const remark = row[place]?.text
  if (remark === undefined) return line
  const before = columns.filter(({ index }) => index < place).map(column => column.width)
  const start = before.length === 0 ? 0 : total(before) + gap.length
  const shown = width === undefined ? remark : cut(remark, width - start)
  return line + ' '.repeat(Math.max(0, start - cells(line))) + shown
}

function list({ batches, view }: Pick<Document, 'batches' | 'view'>, options: RenderOptions): AsyncGenerator<string> {
  return rowsOf(batches, options, batch => plainRows(batch, view, options))
}

export async function* rowsOf(
  batches: Document['batches'],
  options: RenderOptions,
  decide: (first: readonly Item[]) => TableRows,
): AsyncGenerator<string> {
  let tableRows: TableRows | undefined
  let drawRows: RowDrawer | undefined
  for await (const batch of batches) {
    if (batch.length === 0) continue
    tableRows ??= decide(batch)
    for (let from = 0; from < batch.length; from += chunk) {
      const items = batch.slice(from, from + chunk)
      const rows = items.map(tableRows.row)
      let text = ''
      if (!drawRows) {
        const { columns, leftOut } = columnsFor(tableRows, rows, options)
        drawRows = createRowDrawer(columns, options)
        if (options.header) text = drawHeader(columns, options)
        if (leftOut.length > 0) options.onHiddenColumns?.(leftOut)
      }
      const lines = drawRows(rows)
      yield `${text}${lines.join('\n')}\n`
    }
  }
}

function columnsFor(
  { names, kept, headings: given }: Omit<Rows, 'rows'>,
  rows: readonly (readonly Cell[])[],
  options: RenderOptions,
) {
  const headings = options.header ? (given ?? headingsOf(names)) : names.map(() => '')
  const heads = names.map((name, i) => ({ name, heading: escapeControls(headings[i] ?? '') }))
  const quarter = Math.max(6, Math.floor((options.width ?? 0) / 4))
  // Chosen columns are always shown, even if cut.
  return layOut(heads, rows, { width: options.width, kept, least: Math.min(quarter, options.fields ? 8 : 12) })
}

type RowDrawer = (rows: readonly (readonly Cell[])[]) => string[]

function createRowDrawer(columns: readonly Column[], { width }: RenderOptions): RowDrawer {
  const widths = columns.map(column => column.width)
  return rows => {
    const texts = rows.map(row =>
      columns.map(({ index, textOf, width: most }) =>
        width === undefined ? textOf(row[index] ?? blank) : cutCell(row[index] ?? blank, textOf, most),
      ),
    )
    if (width === undefined) {
      for (const row of texts) widen(widths, row)
    }
    return drawGrid(texts, columns, widths)
  }
}

function cutCell(cell: Cell, textOf: Column['textOf'], width: number): string {
  if (cell.change) return drawChange(...cell.change, width)
  const text = textOf(cell)
  if (cell.list !== undefined && cells(text) > width) return cutList(cell.list, width)
  return cell.path === undefined || cells(text) <= width ? cut(text, width) : cutPath(cell.path, width)
}

/** Keeps the count of what is not shown: `device-00… +159`. */
function cutList(list: string, width: number): string {
  const count = list.slice(list.lastIndexOf(' +'))
  const room = width - cells(count)
  return room < 2 ? cut(list, width) : cut(list.slice(0, -count.length), room) + count
}

function widen(widths: number[], row: readonly string[]): void {
  for (const [i, text] of row.entries()) {
    const width = cells(text)
    if (width <= widestPadded) widths[i] = Math.max(widths[i] ?? 0, width)
  }
}

function drawHeader(columns: readonly Column[], options: RenderOptions): string {
  const widths = columns.map(column => column.width)
  const headings = columns.map(({ heading, width }) => (options.width === undefined ? heading : cut(heading, width)))
  const [line = ''] = drawGrid([headings], columns, widths)
  return `${bold(line, options)}\n`
}

export function plainRows(batch: readonly Item[], view: View, options: RenderOptions): TableRows {
  const { names, pick } = fieldsFor(batch, view, options)
  const row = (item: Item) => pick(item.value).map((value, i) => cellOf(value, names[i] ?? '', options))
  return { names, kept: [view.id, ...view.names].filter(name => names.includes(name)), row }
}

function fieldsFor(batch: readonly Item[], view: View, options: RenderOptions): Columns {
  if (options.fields) return columnsNamed(options.fields)
  const known = columnsNamed(view.columns)
  const fits =
    batch.every(({ value }) => isObject(value)) &&
    batch.some(({ value }) => known.pick(value).some(one => one !== undefined))
  return fits ? known : columnsOf(batch, [])
}

async function* object({ batches, view }: Document, options: RenderOptions): AsyncGenerator<string> {
  for await (const batch of batches) {
    for (const item of batch) {
      const { value } = item
      if (isObject(value)) yield record(fieldsOf(value, view, options), options)
      else if (Array.isArray(value)) yield* list({ batches: [elementsOf(item)], view }, options)
      else yield `${textIn(value, '', options)}\n`
    }
  }
}

type Field = readonly [name: string, value: Json | undefined]

/** With the headings of a list as labels. */
function record(fields: readonly Field[], options: RenderOptions): string {
  const names = fields.map(([name]) => name)
  const labels = headingsOf(names, options.fields ? headingOf : headingOfMember).map(escapeControls)
  const widest = labels.reduce((most, label) => Math.max(most, cells(label)), 0)
  // Values are cut first, because a cut name tells nothing.
  const left =
    options.width === undefined
      ? Math.min(widest, widestPadded)
      : Math.min(widest, Math.max(6, options.width - gap.length - 24))
  const right = options.width === undefined ? undefined : Math.max(8, options.width - left - gap.length)
  const rows = fields.flatMap(([name, value], i) => {
    const label = labels[i] ?? ''
    const shown = options.width === undefined ? label : cut(label, left)
    return linesOf(value, name, right, options).map((line, n) => [n === 0 ? shown : '', line])
  })
  let text = ''
  for (let from = 0; from < rows.length; from += chunk) {
    const some = rows.slice(from, from + chunk)
    const widths = [left, some.reduce((most, [, line = '']) => Math.max(most, cells(line)), 1)]
    for (const [i, line] of drawGrid(some, [], widths).entries()) {
      const { length } = some[i]?.[0] ?? ''
      text += `${length === 0 ? '' : bold(line.slice(0, length), options)}${line.slice(length)}\n`
    }
  }
  return text
}

/** Without chosen fields, documented ones come first, in order. */
function fieldsOf(record: JsonObject<Json>, view: View, options: RenderOptions): Field[] {
  if (options.fields) return options.fields.map(name => [name, valueAt(record, name)])
  const came = new Map(Object.entries(record))
  const known = view.fields.filter(name => came.has(name))
  return [...new Set([...known, ...came.keys()])].map(name => [name, came.get(name)])
}

function linesOf(value: Json | undefined, name: string, width: number | undefined, options: RenderOptions): string[] {
  const text = textIn(value, name, options)
  if (width === undefined || cells(text) <= width) return [text]
  if (value === undefined || !isJson(value)) return fold(text, width)
  const layout = indented(encode(shownOf(value, options)))
  return layout.split('\n').flatMap(line => fold(escapeControls(line), width))
}

function bold(text: string, options: RenderOptions): string {
  return options.color ? `\u001b[1m${text}\u001b[22m` : text
}
