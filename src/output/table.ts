import { indented } from '../json/layout.ts'
import { compile, elements, kindOf, members } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import { escapeControls } from '../values/escape-controls.ts'
import { cellOf, isJson, shownOf, wordOf } from './cell.ts'
import type { Document, Renderer, RenderOptions, View } from './document.ts'
import { gap, lineOf, widthsOf } from './grid.ts'
import { type Columns, columnsNamed, columnsOf } from './rows.ts'
import { cells, cut, fold } from './text.ts'

/**
 * A list as columns with a header, an object as a field a line. A terminal is never wider than its lines are made; in
 * a pipe nothing is cut. Rows stream: columns and widths are fixed by the first of them, and a later cell that is
 * wider is cut at a terminal and runs over in a pipe. Prints nothing for an empty list.
 */
export const table: Renderer = (document, look) =>
  document.shape === 'list' ? list(document, look) : object(document, look)

/** Rows that widths are taken from, and the most that are printed at once. */
export const chunk = 100

/** What is drawn of each item of a list. */
export interface Drawing {
  readonly names: readonly string[]
  /** The columns that are cut last, and the last of all first. */
  readonly kept: readonly string[]
  row(item: Item): readonly string[]
  /** Lines under the row of an item, each with its end. */
  below?(item: Item): string
}

function list({ batches, view }: Pick<Document, 'batches' | 'view'>, look: RenderOptions): AsyncGenerator<string> {
  return rowsOf(batches, look, batch => plainRows(batch, view, look))
}

/** Rows as they come; the first that do decide how all are drawn. */
export async function* rowsOf(
  batches: Document['batches'],
  look: RenderOptions,
  decide: (first: readonly Item[]) => Drawing,
): AsyncGenerator<string> {
  let drawing: Drawing | undefined
  let widths: readonly number[] | undefined
  for await (const batch of batches) {
    if (batch.length === 0) continue
    drawing ??= decide(batch)
    const { names, kept, row: rowOf, below } = drawing
    for (let from = 0; from < batch.length; from += chunk) {
      const items = batch.slice(from, from + chunk)
      const grid = items.map(rowOf)
      let lines = ''
      if (!widths) {
        const header = names.map(escapeControls)
        widths = widthsOf(
          look.header ? [header, ...grid] : grid,
          look.width,
          kept.map(name => names.indexOf(name)),
        )
        if (look.header) lines = `${bold(lineOf(header, widths, look.width), look)}\n`
      }
      for (const [i, row] of grid.entries()) {
        lines += `${lineOf(row, widths, look.width)}\n`
        if (below) lines += below(items[i] as Item)
      }
      yield lines
    }
  }
}

/** A row for each item, and nothing else. */
export function plainRows(batch: readonly Item[], view: View, look: RenderOptions): Drawing {
  const { names, pick } = columnsFor(batch, view, look)
  const row = (item: Item) => pick(item).map((value, i) => cellOf(value, names[i] ?? '', look))
  return { names, kept: [view.id], row }
}

/** The chosen columns, else the view's, else whatever keys came: also where none of the view's did. */
function columnsFor(batch: readonly Item[], view: View, look: RenderOptions): Columns {
  if (look.fields) return columnsNamed(look.fields)
  const known = columnsNamed(view.columns)
  const fits = batch.every(item => kindOf(item) === 'object') && batch.some(item => known.pick(item).some(Boolean))
  return fits ? known : columnsOf(batch, [])
}

async function* object({ batches, view }: Document, look: RenderOptions): AsyncGenerator<string> {
  for await (const batch of batches) {
    for (const item of batch) {
      const kind = kindOf(item)
      if (kind === 'object') yield record(fieldsOf(item, view, look), look)
      else if (kind === 'array') yield* list({ batches: [elements(item)], view }, look)
      else yield `${wordOf(item, '', look)}\n`
    }
  }
}

type Field = readonly [name: string, value: Item | undefined]

/** A field a line. */
export function record(fields: readonly Field[], look: RenderOptions): string {
  const widest = fields.reduce((most, [name]) => Math.max(most, cells(escapeControls(name))), 0)
  // A name that is cut cannot be copied into the next command, so the values give way first.
  const left = look.width === undefined ? widest : Math.min(widest, Math.max(6, look.width - gap.length - 24))
  const right = look.width === undefined ? undefined : Math.max(8, look.width - left - gap.length)
  const lines = fields.flatMap(([name, value]) => {
    const shown = cut(escapeControls(name), left)
    const first = bold(shown, look) + ' '.repeat(left - cells(shown))
    const below = ' '.repeat(left)
    return linesOf(value, name, right, look).map((line, i) => (i === 0 ? first : below) + gap + line)
  })
  return lines.map(line => `${line.trimEnd()}\n`).join('')
}

/** The fields of the service's document in its order, then any others; or those that were chosen. */
function fieldsOf(item: Item, view: View, look: RenderOptions): Field[] {
  if (look.fields) {
    const values = compile(look.fields).pick(item)
    return look.fields.map((name, i) => [name, values[i]])
  }
  const came = new Map(members(item))
  const known = view.fields.filter(name => came.has(name))
  return [...new Set([...known, ...came.keys()])].map(name => [name, came.get(name)])
}

/** A value on one line where it fits; else JSON is indented, and what is too long goes on below. */
function linesOf(value: Item | undefined, name: string, width: number | undefined, look: RenderOptions): string[] {
  const word = wordOf(value, name, look)
  if (width === undefined || cells(word) <= width) return [word]
  if (!value || !isJson(value)) return fold(word, width)
  const text = indented(shownOf(value, look)).toString()
  return text.split('\n').flatMap(line => fold(escapeControls(line), width))
}

export function bold(text: string, look: RenderOptions): string {
  return look.color ? `\u001b[1m${text}\u001b[22m` : text
}
