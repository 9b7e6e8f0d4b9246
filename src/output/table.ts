/** Tables. At a terminal they fit; in a pipe nothing is cut. */
import { isObject, type Json, valueAt } from '../json/exact.ts'
import { cells } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { cellOf, isNumber, linesOf, nothing } from './cell.ts'
import { drawGrid } from './grid.ts'
import { headingsOf } from './headings.ts'
import { type Column, gap, layOut, type ShownColumn, widen } from './layout.ts'
import { masked } from './mask.ts'
import type { Look, Renderer, View } from './renderer.ts'
import { chunksOf, columnsOf } from './rows.ts'

/** The first rows fix the columns. */
export const tableRenderer: Renderer = async function* ({ rows, isOne, view }, look) {
  let names: readonly string[] = []
  let columns: ShownColumn[] | undefined
  for await (const items of chunksOf(rows)) {
    const values = items.map(({ value }) => (look.reveal ? value : masked(value)))
    if (isOne && isObject(values[0])) return yield recordOf(values[0], view, look)
    if (!columns) names = look.fields ?? columnsFor(values, view)
    const chosen = values.map(value => names.map(name => (name === whole ? value : valueAt(value, name))))
    const texts = chosen.map(row => row.map(value => cellOf(value, look.width !== undefined)))
    let head = ''
    if (!columns) {
      const layout = layOut(describeColumns(names, chosen, view), texts, look.width)
      columns = layout.columns
      if (layout.leftOut.length > 0) look.onLeftOut(layout.leftOut)
      if (look.header) head = `${bold(drawTable([headingsIn(columns)], columns, look.width), look)}\n`
    }
    yield `${head}${drawTable(texts, columns, look.width)}\n`
  }
}

/** Stands for a row that is no object. */
const whole = ''

function columnsFor(values: readonly Json[], { columns }: View): readonly string[] {
  const fits = values.every(isObject) && values.some(value => columns.some(name => valueAt(value, name) !== undefined))
  return fits ? columns : columnsOf(values)
}

function describeColumns(names: readonly string[], rows: readonly (readonly (Json | undefined)[])[], view: View): Column[] {
  const headings = headingsOf(names)
  return names.map((name, index) => {
    const own = rows.map(row => row[index]).filter(value => value !== undefined && value !== null)
    const isDate = own.every(value => typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value))
    const isNumeric = name !== view.id && own.length > 0 && own.every(isNumber)
    return {
      name,
      heading: escapeControls(headings[index] ?? ''),
      isWhole: name === view.id || view.names.includes(name),
      isNumeric,
      isCuttable: !isNumeric && !isDate,
    }
  })
}

function headingsIn(columns: readonly ShownColumn[]): string[] {
  const row: string[] = []
  for (const { index, heading } of columns) row[index] = heading
  return row
}

/** Lines of a table, of which each row holds all columns. */
export function drawTable(rows: readonly (readonly string[])[], columns: readonly ShownColumn[], width?: number): string {
  if (width === undefined) widen(columns, rows)
  return drawGrid(
    rows.map(row => columns.map(({ index }) => row[index] ?? nothing)),
    columns,
  )
}

/** With the headings of a list as labels. */
function recordOf(record: Json, view: View, look: Look): string {
  const names = look.fields ?? view.shown ?? columnsOf([record], view.fields)
  const labels = headingsOf(names).map(escapeControls)
  const left = labels.reduce((most, label) => Math.max(most, cells(label)), 0)
  const right = look.width === undefined ? Number.POSITIVE_INFINITY : Math.max(8, look.width - left - gap.length)
  const rows = names.map((name, i) => {
    const value = valueAt(record, name)
    return [bold(labels[i] ?? '', look), look.width === undefined ? cellOf(value, false) : linesOf(value)]
  })
  return `${drawGrid(rows, [{ width: left }, { width: right }], true)}\n`
}

function bold(text: string, { color }: Look): string {
  return color ? `\u001b[1m${text}\u001b[22m` : text
}
