import { stringify } from 'csv-stringify/sync'
import type { Item } from '../json/read-item.ts'
import { oneLine } from '../json/tokens.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { isNumberText } from '../values/number.ts'
import type { PrintOptions, Renderer } from './renderer.ts'
import { columnsOf, createEncoder, inChunks, maxNamed, noteLeftOut, type Row, rowOf } from './rows.ts'

/** RFC 4180 with LF, which `wc`, `sort` and `psql` need. The first rows fix the columns, so that rows stream. */
export const csvRenderer: Renderer = async function* ({ rows, view }, options) {
  const known = options.fields ?? view.fields
  const headerOf = (names: readonly string[]) =>
    options.noHeader ? [] : [names.map(name => toLatin1(protectCell(name, options)))]
  const late = new Set<string>()
  const asBytes = createEncoder()
  let columns: readonly string[] | undefined
  if (options.bom) yield '\ufeff'
  for await (const items of inChunks(rows)) {
    const parsed = items.map(rowOf)
    if (columns && !options.fields) noteLate(parsed, columns, late)
    const names: readonly string[] = columns ?? options.fields ?? columnsOf(parsed, known)
    const lines = parsed.map(({ at }) => names.map(name => csvCell(at(name), options)))
    if (names.length > 0) yield asBytes(csvText(columns ? lines : [...headerOf(names), ...lines]))
    columns = names
  }
  if (!columns && known.length > 0) yield asBytes(csvText(headerOf(known)))
  noteLeftOut([...late], options)
}

const riskyStart = /^(?:[\t-\r ]|::|##\[)/
const blank = /[\t-\r ]/

/** Many readers drop blanks outside quotes; a CI runner runs a line that begins with `::` or `##[`. */
function quotedIfNeeded(value: string) {
  // One expression with `[\t-\r ]$` would search the whole text.
  return riskyStart.test(value) || blank.test(value.slice(-1)) ? { value, quoted: true } : value
}

/** A row with one empty cell would be an empty line, which many readers skip. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return stringify([...rows], { quoted_empty: rows[0]?.length === 1, cast: { string: quotedIfNeeded } })
}

/** Each row can have other fields, so the set holds at most one more than a message names. */
function noteLate(rows: readonly Row[], columns: readonly string[], late: Set<string>): void {
  for (const { names } of rows) {
    for (const name of names) if (!columns.includes(name) && late.size <= maxNamed) late.add(name)
  }
}

/** Returns Latin-1. */
function csvCell(item: Item | undefined, options: PrintOptions): string {
  if (!item) return ''
  const { latin1 } = item
  let cell = latin1 === 'null' ? '' : oneLine(latin1)
  if (item.kind === 'string') cell = latin1.includes('\\') ? toLatin1(String(item.value)) : latin1.slice(1, -1)
  return options.escapeFormulas || options.isTerminal ? toLatin1(protectCell(fromLatin1(cell), options)) : cell
}

/** Returns a character for each byte of UTF-8, which can be searched, cut and printed without decoding. */
function toLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function fromLatin1(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString()
}

function protectCell(cell: string, { escapeFormulas, isTerminal }: PrintOptions): string {
  const text = escapeFormulas && formula.test(cell) && !isNumberText(cell) ? `'${cell}` : cell
  return isTerminal ? escapeControls(text) : text
}

const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
