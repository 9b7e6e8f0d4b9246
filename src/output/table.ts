/** Tables. At a terminal they fit; in a pipe nothing is cut. */
import { encode, isNumber, isObject, type Json, type JsonObject, textOf, valueAt } from '../json/exact.ts'
import { indented } from '../json/tokens.ts'
import { cells, cut } from '../text/cells.ts'
import { escapeControls, escapeRunnerCommands } from '../text/escape-controls.ts'
import { grouped } from '../text/grouped.ts'
import { readableMoment } from '../text/moment.ts'
import type { View } from './document.ts'
import { drawGrid } from './grid.ts'
import { headingsOf } from './headings.ts'
import { type Column, gap, layOut, type ShownColumn, widen } from './layout.ts'
import { masked, maskOf } from './mask.ts'
import type { PrintOptions } from './print-options.ts'
import type { Renderer } from './renderer.ts'
import { columnsOf, inChunks, memberNames, valueIn } from './rows.ts'

/** The first rows fix the columns. */
export const tableRenderer: Renderer = async function* ({ rows, isOne, view }, options) {
  const isTerminal = options.width !== undefined
  let names: readonly string[] | undefined
  let columns: ShownColumn[] = []
  for await (const items of inChunks(rows)) {
    const values = items.map(({ value }) => value)
    const [first] = values
    if (isOne && first !== undefined)
      return yield isObject(first)
        ? recordOf(first, view, options)
        : `${cellOf(options.reveal ? first : masked(first), false)}\n`
    const isBegin = names === undefined
    names ??= options.fields ?? columnsFor(values, view)
    const picks = names.map(name => pickOf(name, options))
    const chosen = values.map(value => picks.map(pick => pick(value)))
    const texts = chosen.map(row => row.map(value => cellOf(value, isTerminal)))
    if (isBegin) {
      const layout = layOut(describeColumns(names, chosen, view), texts, options.width)
      columns = layout.columns
      if (layout.leftOut.length > 0) options.onLeftOut(layout.leftOut)
      if (options.header) yield `${bold(drawHeader(columns), options)}\n`
    }
    if (!isTerminal) widen(columns, texts)
    yield `${drawRows(texts, columns, isTerminal)}\n`
  }
}

function drawHeader(columns: readonly ShownColumn[]): string {
  return drawGrid([columns.map(({ heading, width }) => cut(heading, width))], columns)
}

function drawRows(rows: readonly (readonly string[])[], columns: readonly ShownColumn[], isCut: boolean): string {
  const fitted = (text = nothing, width: number) => (isCut ? cut(text, width) : text)
  const shown = rows.map(row => columns.map(({ index, width }) => fitted(row[index], width)))
  return drawGrid(shown, columns)
}

function pickOf(name: string, { reveal }: PrintOptions): (row: Json) => Json | undefined {
  const hide = reveal ? undefined : maskOf(name)
  return row => {
    const value = valueIn(row, name)
    return hide ? hide(value) : value
  }
}

function columnsFor(values: readonly Json[], { columns }: View): readonly string[] {
  const fits = values.every(isObject) && values.some(value => columns.some(name => valueAt(value, name) !== undefined))
  return fits ? columns : columnsOf(values.map(memberNames))
}

function describeColumns(
  names: readonly string[],
  rows: readonly (readonly (Json | undefined)[])[],
  view: View,
): Column[] {
  const headings = headingsOf(names)
  return names.map((name, index) => {
    const own = rows.map(row => row[index]).filter(value => value !== undefined && value !== null)
    const isDate = own.every(value => typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value))
    const isNumeric = name !== view.id && own.length > 0 && own.every(isNumber)
    return {
      name,
      heading: escapeControls(headings[index] ?? ''),
      rank: name === view.id ? 2 : view.names.includes(name) ? 1 : 0,
      isNumeric,
      isCuttable: !isNumeric && !isDate,
    }
  })
}

/** With the headings of a list as labels. A terminal breaks long lines itself, so nothing is lost. */
function recordOf(record: JsonObject<Json>, view: View, options: PrintOptions): string {
  const names =
    options.fields ??
    view.shown ??
    columnsOf(
      [memberNames(record)],
      view.fields.filter(name => Object.hasOwn(record, name)),
    )
  const labels = headingsOf(names, !options.fields).map(escapeControls)
  const left = labels.reduce((most, label) => Math.max(most, cells(label)), 0)
  const lines = labels.map((label, i) => {
    const name = names[i] ?? ''
    const value = pickOf(name, options)(record)
    const text = options.width === undefined ? cellOf(value, false) : shortened(value, options.fields ? '' : name)
    const padding = ' '.repeat(left - cells(label))
    return `${bold(label, options)}${padding}${gap}${text.replaceAll('\n', `\n${' '.repeat(left)}${gap}`)}\n`
  })
  return escapeRunnerCommands(lines.join(''))
}

function bold(text: string, { color }: PrintOptions): string {
  return color ? `\u001b[1m${text}\u001b[22m` : text
}

/** Shown for `null`, empty values and missing fields, so that no cell is blank. */
const nothing = '-'

/** What a table shows for a value. `isShort`: at a terminal, where the seconds of a moment are left out. */
function cellOf(value: Json | undefined, isShort: boolean): string {
  if (value === undefined || value === null) return nothing
  if (isNested(value)) return escapeControls(encode(value))
  const text = Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value)
  const moment = readableMoment(text)
  const shown = isShort ? moment?.slice(0, 'YYYY-MM-DD hh:mm'.length) : moment
  return escapeControls(shown ?? text) || nothing
}

/** At most ten items of a list. `field`: the option that shows all; empty where it was given. */
function shortened(value: Json | undefined, field: string): string {
  if (field === '' || !Array.isArray(value) || value.length <= mostItems) return laidOut(value)
  const more = `… ${grouped(value.length - mostItems)} more (see all with --fields ${field})`
  return `${laidOut(value.slice(0, mostItems))}\n${escapeControls(more)}`
}

const mostItems = 10

function laidOut(value: Json | undefined): string {
  if (value === undefined || !isNested(value)) return cellOf(value, true)
  return indented(encode(value)).split('\n').map(escapeControls).join('\n')
}

function isNested(value: Json): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(one => isObject(one) || Array.isArray(one)))
}
