import CliTable from 'cli-table3'
import { cells } from '../../text/cells.ts'
import { gap } from './columns.ts'

/** Columns drawn at once, because the time of cli-table3 grows with their square. */
const columnChunk = 50

/** Draws no borders and no trailing blanks. A cell that is wider than its column moves what follows in its line. */
export function drawGrid(
  rows: readonly (readonly string[])[],
  columns: readonly { readonly isNumeric: boolean }[],
  widths: readonly number[],
): string[] {
  const own = rows.map(row => row.map((text, i) => Math.max(widths[i] ?? 0, cells(text))))
  const fits = own.map(row => row.every((width, i) => width === widths[i]))
  const drawn = drawFitting(
    rows.filter((_, i) => fits[i]),
    columns,
    widths,
  )
  let next = 0
  return rows.flatMap((row, i) => (fits[i] ? (drawn[next++] ?? '') : drawFitting([row], columns, own[i] ?? [])))
}

function drawFitting(
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

/** Rows that share cells, because cli-table3 prepares borders for each cell, and measures it for each line. */
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
    // cli-table3 also cuts each cell to 10 for a debug log; a mark of length 10 avoids that work.
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
