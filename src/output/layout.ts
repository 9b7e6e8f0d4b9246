import CliTable from 'cli-table3'
import { cells, cut } from '../text/cells.ts'
import { escapeRunnerCommands } from '../text/escape-controls.ts'

export const gap = '  '

type Texts = readonly (readonly string[])[]

export interface Column {
  readonly name: string
  /** In each row. */
  readonly index: number
  readonly width: number
  /** 2 for the id and 1 for names, which are shown whole; 0 for others. */
  readonly rank: 0 | 1 | 2
  readonly isNumeric: boolean
  /** A part of a text is useful, a part of a number or of a date is not. */
  readonly isCuttable: boolean
}

/** Widens the columns for the cells of these rows, except cells wider than `widest`. */
export function widened(columns: readonly Column[], rows: Texts, widest = Number.POSITIVE_INFINITY): Column[] {
  return columns.map(column => {
    const widths = rows.map(row => cells(row[column.index] ?? '')).filter(width => width <= widest)
    return { ...column, width: Math.max(column.width, ...widths) }
  })
}

const [narrowestCut, widestCut] = [8, 32]

/** Returns the columns that fit. Ids and names get their width first, and cut columns the rest. */
export function fitted(columns: readonly Column[], width: number): Column[] {
  const widths = new Map<Column, number>()
  let remaining = width + gap.length
  for (const column of columns.toSorted((a, b) => b.rank - a.rank)) {
    const room = remaining - gap.length
    const wanted = column.rank > 0 || !column.isCuttable ? column.width : Math.min(column.width, widestCut)
    const least = widths.size === 0 ? 1 : column.isCuttable ? Math.min(wanted, narrowestCut) : wanted
    if (least > room) continue
    const cellWidth = Math.min(wanted, room)
    widths.set(column, cellWidth)
    remaining -= cellWidth + gap.length
  }
  for (const [column, cellWidth] of widths) {
    const more = Math.min(column.width - cellWidth, remaining)
    widths.set(column, cellWidth + more)
    remaining -= more
  }
  return columns.flatMap(column => {
    const cellWidth = widths.get(column)
    return cellWidth === undefined ? [] : [{ ...column, width: cellWidth }]
  })
}

/** At a terminal, cuts a text that is too wide; elsewhere it pushes the next columns to the right. */
export function drawRows(rows: Texts, columns: readonly Column[], isTerminal: boolean): string {
  const shown = rows.map(row =>
    columns.map(({ index, width }) => (isTerminal ? cut(row[index] ?? '', width) : (row[index] ?? ''))),
  )
  const isWide = (row: readonly string[]) => columns.some(({ width }, i) => cells(row[i] ?? '') > width)
  const fitting = draw(
    shown.filter(row => !isWide(row)),
    columns,
  )
  return shown.map(row => (isWide(row) ? draw([row], columns).join('') : fitting.shift())).join('\n')
}

/** Several rows share a cell, because cli-table3 prepares the borders of each cell. */
const rowsPerCell = 10

/** Lines without borders, and without blanks at their ends. */
function draw(rows: Texts, columns: readonly Column[]): string[] {
  if (rows.length === 0) return []
  const table = new CliTable({
    chars: { ...noBorders, middle: gap },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: columns.map(({ width }, i) => Math.max(1, width, ...rows.map(row => cells(row[i] ?? '')))),
    colAligns: columns.map(({ isNumeric }) => (isNumeric ? 'right' : 'left')),
    // cli-table3 also cuts each cell to 10 for a debug log; a mark of length 10 avoids that work.
    truncate: ' '.repeat(10),
  })
  for (let from = 0; from < rows.length; from += rowsPerCell) {
    const some = rows.slice(from, from + rowsPerCell)
    table.push(columns.map((_, i) => some.map(row => row[i]).join('\n')))
  }
  return escapeRunnerCommands(table.toString().replace(/ +$/gm, '')).split('\n')
}

const noBorders = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right', 'mid-mid']
    .flatMap(side => [side, `${side}-left`, `${side}-mid`, `${side}-right`])
    .map(side => [side, '']),
)
