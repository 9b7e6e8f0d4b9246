import { stringify } from 'csv-stringify/sync'
import type { Item } from '../json/read-item.ts'
import { oneLine } from '../json/tokens.ts'
import { escapeControls } from '../text/escape-controls.ts'
import type { PrintOptions, Renderer } from './renderer.ts'
import { columnsOf, createEncoder, inChunks, mostLeftOut, noteLeftOut, type Row, rowOf } from './rows.ts'

/** RFC 4180 with LF, which `wc`, `sort` and `psql` need. The first rows fix the columns, so that rows stream. */
export const csvRenderer: Renderer = async function* ({ rows, view }, options) {
  const known = options.fields ?? view.fields
  const headerOf = (names: readonly string[]) =>
    options.noHeader ? [] : [names.map(name => toLatin1(safe(name, options)))]
  const late = new Set<string>()
  const asBytes = createEncoder()
  let columns: readonly string[] | undefined
  if (options.bom) yield '\ufeff'
  for await (const items of inChunks(rows)) {
    const parts = items.map(rowOf)
    if (columns && !options.fields) noteLate(parts, columns, late)
    const names: readonly string[] = columns ?? options.fields ?? columnsOf(parts, known)
    const lines = parts.map(({ at }) => names.map(name => cellOf(at(name), options)))
    if (names.length > 0) yield asBytes(csvText(columns ? lines : [...headerOf(names), ...lines]))
    columns = names
  }
  if (!columns && known.length > 0) yield asBytes(csvText(headerOf(known)))
  noteLeftOut([...late], options)
}

/** Many readers drop blanks outside of quotes; a CI runner takes a line that begins with `::` or `##[` for a command. */
const quoted = /^[\t-\r ]|[\t-\r ]$|^::|^##\[/

/** A row with one empty cell would be an empty line, which many readers skip. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return stringify([...rows], { quoted_empty: rows[0]?.length === 1, quoted_match: quoted })
}

/** Notes at most one more than a message names, since each row can have another name. */
function noteLate(rows: readonly Row[], columns: readonly string[], late: Set<string>): void {
  for (const name of columnsOf(rows)) if (!columns.includes(name) && late.size <= mostLeftOut) late.add(name)
}

/** As Latin-1. */
function cellOf(part: Item | undefined, options: PrintOptions): string {
  if (!part) return ''
  const { latin1 } = part
  let cell = latin1 === 'null' ? '' : oneLine(latin1)
  if (part.kind === 'string') cell = latin1.includes('\\') ? toLatin1(String(part.value)) : latin1.slice(1, -1)
  return options.escapeFormulas || options.terminal ? toLatin1(safe(fromLatin1(cell), options)) : cell
}

/** UTF-8 as a string with a character for each byte: it can be searched, cut and printed without decoding. */
function toLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function fromLatin1(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString()
}

function safe(cell: string, { escapeFormulas, terminal }: PrintOptions): string {
  const text = escapeFormulas && formula.test(cell) && !number.test(cell) ? `'${cell}` : cell
  return terminal ? escapeControls(text) : text
}

const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
