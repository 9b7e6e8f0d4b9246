/** Draws cells below each other. */
import CliTable from 'cli-table3'
import { gap } from './columns.ts'

/** Columns drawn at once, because the time of cli-table3 grows with their square too. */
const columnChunk = 50

/** Lines of cells without borders or blanks at the end. No cell is wider than its column. */
export function drawGrid(
  rows: readonly (readonly string[])[],
  columns: readonly { readonly isNumeric: boolean }[],
  widths: readonly number[],
): string[] {
  const parts: string[][] = []
  for (let from = 0; from < widths.length; from += columnChunk) {
    const slice = <T>(of: readonly T[]) => of.slice(from, from + columnChunk)
    parts.push(drawnAtOnce(rows.map(slice), slice(columns), slice(widths)))
  }
  return rows.map((_, i) =>
    parts
      .map(lines => lines[i])
      .join(gap)
      .trimEnd(),
  )
}

/** Rows that share their cells, because cli-table3 prepares borders for each cell; it measures a cell for each line. */
const linesOfCell = 10

function drawnAtOnce(
  rows: readonly (readonly string[])[],
  columns: readonly { readonly isNumeric: boolean }[],
  widths: readonly number[],
): string[] {
  const grid = new CliTable({
    chars: withoutBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: [...widths],
    colAligns: columns.map(({ isNumeric }) => (isNumeric ? 'right' : 'left')),
    // cli-table3 also cuts each cell to 10 for a log that nobody reads; a mark of 10 saves that work.
    truncate: ' '.repeat(10),
  })
  for (let from = 0; from < rows.length; from += linesOfCell) {
    const some = rows.slice(from, from + linesOfCell)
    grid.push(widths.map((_, i) => some.map(row => row[i]).join('\n')))
  }
  return grid.toString().split('\n')
}

const withoutBorders = {
  ...Object.fromEntries(
    ['top', 'bottom', 'mid'].flatMap(edge =>
      [edge, `${edge}-left`, `${edge}-mid`, `${edge}-right`].map(at => [at, '']),
    ),
  ),
  left: '',
  'left-mid': '',
  right: '',
  'right-mid': '',
  middle: gap,
}
