import { stringify } from 'csv-stringify/sync'
import { type Json, textOf } from '../../json/exact.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { holdsRunnerCommand, runnerCommand } from '../../text/runner-commands.ts'
import type { Renderer, RenderOptions } from '../document.ts'
import { type Columns, columnsNamed, columnsOf, rows } from '../rows.ts'

/** RFC 4180 with LF, which `wc`, `sort` and `psql` need. The first batch fixes the columns, so that rows stream. */
export const csvRenderer: Renderer = async function* (document, options) {
  const known = options.fields ?? document.view.fields
  const cell = cellFor(options)
  const headerOf = (names: readonly string[]) => (options.header ? write([names.map(cell)]) : '')
  let columns: Columns | undefined
  const late = new Set<string>()
  if (options.bom) yield '\ufeff'
  for await (const batch of rows(document)) {
    if (!columns) {
      columns = options.fields
        ? columnsNamed(options.fields)
        : columnsOf(batch, known, name => late.size < most && late.add(name))
      yield headerOf(columns.names)
    }
    const { pick } = columns
    for (let from = 0; from < batch.length; from += chunk) {
      const items = batch.slice(from, from + chunk)
      yield write(items.map(item => pick(item.value).map(value => cell(contentOf(value)))))
    }
  }
  if (!columns && known.length > 0) yield headerOf(known)
  if (late.size > 0) options.onLateColumns?.([...late])
}

const most = 20

/** Rows made at once; more would fill the memory with small strings. */
const chunk = 25

/** What a list of names drops or refuses outside of quotes. */
const marked = /^\s|\s$|[<>]|^mailto:/i

function write(lines: string[][]): string {
  // Quotes prevent a CI runner from reading the line as a command, and readers from dropping blanks.
  const commands = lines.some(([first = '']) => holdsRunnerCommand(first)) ? [runnerCommand()] : []
  const marks = lines.some(cells => cells.some(one => marked.test(one))) ? [marked] : []
  return stringify(lines, {
    // A row with one empty cell would be an empty line, which many readers skip.
    quoted_empty: lines[0]?.length === 1,
    quoted_match: [...commands, ...marks],
  })
}

function contentOf(value: Json | undefined): string {
  return value === undefined || value === null ? '' : textOf(value)
}

function cellFor(options: RenderOptions): (content: string) => string {
  return content => {
    const safe = options.escapeFormulas && runs(content) ? `'${content}` : content
    return options.terminal ? escapeControls(safe) : safe
  }
}

/** True if a spreadsheet would run the cell as a formula; plain numbers are not formulas. */
function runs(content: string): boolean {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(content) && !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(content)
}
