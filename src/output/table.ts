import { encode, isNumber, isObject, type Json, textOf } from '../json/exact.ts'
import { type Item, isObjectItem } from '../json/read-item.ts'
import { indented } from '../json/tokens.ts'
import { cells } from '../text/cells.ts'
import { escapeControls, escapeRunnerCommands } from '../text/escape-controls.ts'
import { grouped } from '../text/grouped.ts'
import { readableMoment } from '../text/moment.ts'
import { type Column, drawRows, fitted, gap, widened } from './layout.ts'
import { masked, maskOf } from './mask.ts'
import type { PrintOptions, Renderer } from './renderer.ts'
import { columnsOf, inChunks, noteLeftOut, type Row, rowOf } from './rows.ts'
import type { View } from './views.ts'

/** In a pipe one very long value must not widen every line. */
const widestPadded = 40

type Value = Json | undefined

/** The first rows determine the columns. */
export const tableRenderer: Renderer = async function* ({ rows, isOne, view }, options) {
  const isTerminal = options.width !== undefined
  let names: readonly string[] = []
  let headings: readonly string[] = []
  let columns: readonly Column[] = []
  let isFirst = true
  for await (const items of inChunks(rows)) {
    const [record] = items
    if (isOne && record) return yield drawRecord(record, view, options)
    const records = items.map(rowOf)
    if (isFirst) {
      names = columnNames(records, view, options)
      headings = headingsOf(names).map(escapeControls)
    }
    const values = valuesAt(names, records, options)
    const texts = values.map(row => row.map(value => cellOf(value, isTerminal)))
    if (isFirst) columns = columnsFor(names, headings, values, view)
    if (isFirst && isTerminal) columns = fitting(widened(columns, texts), options)
    if (!isTerminal) columns = widened(columns, texts, widestPadded)
    if (isFirst && !options.noHeader) yield `${bold(drawRows([headings], columns, isTerminal), options)}\n`
    yield `${drawRows(texts, columns, isTerminal)}\n`
    isFirst = false
  }
}

function columnNames(rows: readonly Row[], { columns }: View, { fields }: PrintOptions): readonly string[] {
  const fits = rows.some(({ at }) => columns.some(name => at(name)))
  return fields ?? (fits ? columns : columnsOf(rows))
}

function valuesAt(names: readonly string[], rows: readonly Row[], { reveal }: PrintOptions): readonly Value[][] {
  const maskers = names.map(name => (reveal ? (value: Value) => value : maskOf(name)))
  return rows.map(({ at }) => names.map((name, i) => maskers[i]?.(at(name)?.value)))
}

function columnsFor(
  names: readonly string[],
  headings: readonly string[],
  rows: readonly (readonly Value[])[],
  view: View,
): readonly Column[] {
  return names.map((name, index) => {
    const values = rows.map(row => row[index]).filter(value => value !== undefined && value !== null)
    const isDate = values.every(value => typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value))
    const isNumeric = name !== view.id && values.length > 0 && values.every(isNumber)
    const isCuttable = !isNumeric && !isDate
    const rank = name === view.id ? 2 : view.names.includes(name) ? 1 : 0
    return { name, index, width: cells(headings[index] ?? ''), rank, isNumeric, isCuttable }
  })
}

const acronyms = new Set(['api', 'ca', 'http', 'id', 'ids', 'ip', 'ips', 'url', 'urls', 'uuid'])

/** The last name of each path. Equal headings show their paths. */
function headingsOf(paths: readonly string[]): string[] {
  const headings = paths.map(path => {
    const name = path.slice(path.lastIndexOf('.') + 1)
    const heading = headingOf(name)
    return heading === name ? path : heading
  })
  return headings.map((heading, i) => {
    const isUnique = headings.indexOf(heading) === headings.lastIndexOf(heading)
    return isUnique ? heading : (paths[i] ?? '')
  })
}

/** A name of another form, such as that of a file, is its own heading. */
function headingOf(name: string): string {
  if (!/^[a-z]+(_[a-z]+)*$/.test(name)) return name
  const words = name.replace(/^is_|_at$/g, '').split('_')
  const text = words.map(word => (acronyms.has(word) ? word.toUpperCase().replace(/S$/, 's') : word)).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function fitting(columns: readonly Column[], options: PrintOptions): readonly Column[] {
  const shown = fitted(columns, options.width ?? 0)
  const leftOut = columns.filter(({ name }) => shown.every(column => column.name !== name))
  noteLeftOut(
    leftOut.map(({ name }) => name),
    options,
  )
  return shown
}

/** A terminal breaks long lines itself, so nothing is cut. */
function drawRecord(record: Item, view: View, options: PrintOptions): string {
  if (!isObjectItem(record)) return `${cellOf(options.reveal ? record.value : masked(record.value), false)}\n`
  const row = rowOf(record)
  const documented = view.fields.filter(name => row.at(name))
  const paths = options.fields ?? view.shown
  const names = paths ?? columnsOf([row], documented)
  const labels = (paths ? headingsOf(paths) : names.map(headingOf)).map(escapeControls)
  const labelWidth = labels.reduce((most, label) => Math.max(most, cells(label)), 0)
  const lines = labels.map((label, i) => {
    const name = names[i] ?? ''
    const [[value] = []] = valuesAt([name], [row], options)
    const text = options.width === undefined ? cellOf(value, false) : firstItems(value, options.fields ? '' : name)
    const padding = ' '.repeat(labelWidth - cells(label))
    return `${bold(label, options)}${padding}${gap}${text.replaceAll('\n', `\n${' '.repeat(labelWidth)}${gap}`)}\n`
  })
  return escapeRunnerCommands(lines.join(''))
}

function bold(text: string, { color }: PrintOptions): string {
  return color ? `\u001b[1m${text}\u001b[22m` : text
}

const emptyCell = '-'

function cellOf(value: Value, omitsSeconds: boolean): string {
  if (value === undefined || value === null) return emptyCell
  if (isNestedValue(value)) return escapeControls(encode(value))
  const text = Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value)
  const moment = readableMoment(text)
  const shown = omitsSeconds ? moment?.slice(0, 'YYYY-MM-DD hh:mm'.length) : moment
  return escapeControls(shown ?? text) || emptyCell
}

const maxItems = 10

/** `field`: for the hint; empty if --fields was given, which shows all items. */
function firstItems(value: Value, field: string): string {
  if (field === '' || !Array.isArray(value) || value.length <= maxItems) return laidOut(value)
  const more = `… ${grouped(value.length - maxItems)} more (see all with --fields ${field})`
  return `${laidOut(value.slice(0, maxItems))}\n${escapeControls(more)}`
}

function laidOut(value: Value): string {
  if (value === undefined || !isNestedValue(value)) return cellOf(value, true)
  return indented(encode(value)).split('\n').map(escapeControls).join('\n')
}

function isNestedValue(value: Json): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(one => isObject(one) || Array.isArray(one)))
}
