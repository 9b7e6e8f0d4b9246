import { stringify } from 'csv-stringify/sync'
import { RejectedError } from '../../errors.ts'
import { type Json, textOf } from '../../json/exact.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { holdsRunnerCommand, runnerCommand } from '../../text/runner-commands.ts'
import type { Document, Renderer, RenderOptions } from '../document.ts'
import { columnsNamed, columnsOf, rows } from '../rows.ts'

/** RFC 4180 with LF, which `wc`, `sort` and `psql` need. */
export const csvRenderer: Renderer = (document, options) =>
  columned(document, options, { write: writeCsv, inCell: text => text })

/** A row is one line, and a tab is always between two cells, for `cut` and `awk`. */
export const tsvRenderer: Renderer = (document, options) =>
  columned(document, options, { write: lines => writeTsv(lines, options.ci), inCell: escapeTsv })

interface Form {
  readonly write: (lines: string[][]) => string
  readonly inCell: (text: string) => string
}

/** The first batch fixes the columns, so that rows stream. */
async function* columned(document: Document, options: RenderOptions, { write, inCell }: Form) {
  const known = options.fields ?? document.view.fields
  const cell = cellFor(options, inCell)
  const headerOf = (names: readonly string[]) => (options.header ? write([names.map(cell)]) : '')
  const flat = options.flatten
    ? await (await import('./flatten.ts')).flatten(rows(document), options.fields, known)
    : undefined
  let columns = flat?.columns
  const late = new Set<string>()
  if (options.bom) yield '\ufeff'
  if (columns && columns.names.length > 0) yield headerOf(columns.names)
  for await (const batch of flat?.batches ?? rows(document)) {
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

function writeCsv(lines: string[][]): string {
  // Quotes prevent a CI runner from reading the line as a command, and readers from dropping blanks.
  const commands = lines.some(([first = '']) => holdsRunnerCommand(first)) ? [runnerCommand()] : []
  const marks = lines.some(cells => cells.some(one => marked.test(one))) ? [marked] : []
  return stringify(lines, {
    // A row with one empty cell would be an empty line, which many readers skip.
    quoted_empty: lines[0]?.length === 1,
    quoted_match: [...commands, ...marks],
  })
}

function writeTsv(rows: string[][], ci = false): string {
  const lines = rows.map(cells => `${cells.join('\t')}\n`)
  const command = ci ? lines.find(holdsRunnerCommand) : undefined
  if (command === undefined) return lines.join('')
  throw new RejectedError('A row begins with what CI takes for a command, which TSV has no quotes for', {
    hint: 'Choose another format with -o, or other --fields',
  })
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' }

function escapeTsv(text: string): string {
  return text.replace(/[\t\n\r\\]/g, character => escapes[character] ?? character)
}

function contentOf(value: Json | undefined): string {
  return value === undefined || value === null ? '' : textOf(value)
}

function cellFor(options: RenderOptions, inCell: Form['inCell']): (content: string) => string {
  return content => {
    const safe = options.escapeFormulas && runs(content) ? `'${content}` : content
    return options.terminal ? escapeControls(inCell(safe)) : inCell(safe)
  }
}

/** True if a spreadsheet would run the cell as a formula; plain numbers are not formulas. */
function runs(content: string): boolean {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(content) && !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(content)
}
