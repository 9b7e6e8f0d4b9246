import CliTable from 'cli-table3'
import { cells } from '../text/cells.ts'
import { escapeRunnerCommands } from '../text/escape-controls.ts'
import { gap } from './layout.ts'

interface GridColumn {
  readonly width: number
  readonly isNumeric: boolean
}

/** Rows that share a cell, because cli-table3 prepares the borders of each cell. */
const linesOfCell = 10

/** Lines without borders, and without blanks at their ends. A text that is too wide moves what follows in its line. */
export function drawGrid(rows: readonly (readonly string[])[], columns: readonly GridColumn[]): string {
  const isWide = rows.map(row => row.some((text, i) => cells(text) > (columns[i]?.width ?? 0)))
  const fitting = rows.filter((_, i) => !isWide[i])
  const lines = fitting.length === 0 ? [] : drawFitting(fitting, columns).split('\n')
  const drawn = rows.map((row, i) => (isWide[i] ? drawAlone(row, columns) : lines.shift()))
  return escapeRunnerCommands(drawn.join('\n'))
}

function drawAlone(row: readonly string[], columns: readonly GridColumn[]): string {
  const own = columns.map((column, i) => ({ ...column, width: Math.max(column.width, cells(row[i] ?? '')) }))
  return drawFitting([row], own)
}

function drawFitting(rows: readonly (readonly string[])[], columns: readonly GridColumn[]): string {
  const table = new CliTable({
    chars: { ...noBorders, middle: gap },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: columns.map(({ width }) => Math.max(1, width)),
    colAligns: columns.map(({ isNumeric }) => (isNumeric ? 'right' : 'left')),
    // cli-table3 also cuts each cell to 10 for a debug log; a mark of length 10 avoids that work.
    truncate: ' '.repeat(10),
  })
  for (let from = 0; from < rows.length; from += linesOfCell) {
    const some = rows.slice(from, from + linesOfCell)
    table.push(columns.map((_, i) => some.map(row => row[i]).join('\n')))
  }
  return table.toString().replace(/ +$/gm, '')
}

const noBorders = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right', 'mid-mid']
    .flatMap(side => [side, `${side}-left`, `${side}-mid`, `${side}-right`])
    .map(side => [side, '']),
)
