import { stringify } from 'csv-stringify/sync'
import { isObject, type Json, textOf } from '../json/exact.ts'
import { escapeControls } from '../text/escape-controls.ts'
import type { PrintOptions } from './print-options.ts'
import type { Renderer } from './renderer.ts'
import { columnsOf, inChunks, valueIn } from './rows.ts'

/** RFC 4180 with LF, which `wc`, `sort` and `psql` need. The first rows fix the columns, so that rows stream. */
export const csvRenderer: Renderer = async function* ({ rows, view }, options) {
  const known = options.fields ?? view.fields
  let names: readonly string[] | undefined
  const late = new Set<string>()
  if (options.bom) yield '\ufeff'
  for await (const items of inChunks(rows)) {
    const values = items.map(({ value }) => value)
    const lines = []
    if (!names) {
      names = options.fields ?? columnsOf(values, known)
      if (options.header) lines.push(names.map(name => safe(name, options)))
    } else if (!options.fields) {
      for (const value of values) noteLate(value, names, late)
    }
    const columns = names
    for (const value of values) lines.push(columns.map(name => safe(contentOf(valueIn(value, name)), options)))
    // A row with one empty cell would be an empty line, which many readers skip.
    if (columns.length > 0) yield stringify(lines, { quoted_empty: columns.length === 1, quoted_match: blanks })
  }
  if (!names && options.header && known.length > 0) yield stringify([known.map(name => safe(name, options))])
  if (late.size > 0) options.onLeftOut([...late].slice(0, mostNamed), late.size > mostNamed)
}

/** Many readers drop blanks outside of quotes. */
const blanks = /^\s|\s$/

/** Names may be as many as the rows. */
const mostNamed = 20

function noteLate(row: Json, names: readonly string[], late: Set<string>): void {
  if (isObject(row))
    for (const name of Object.keys(row)) if (!names.includes(name) && late.size <= mostNamed) late.add(name)
}

function contentOf(value: Json | undefined): string {
  return value === undefined || value === null ? '' : textOf(value)
}

function safe(cell: string, { escapeFormulas, terminal }: PrintOptions): string {
  const text = escapeFormulas && formula.test(cell) && !number.test(cell) ? `'${cell}` : cell
  return terminal ? escapeControls(text) : text
}

const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
