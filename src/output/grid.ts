/** Columns side by side: how wide each is, and a line of them. */
import { cells, cut } from './text.ts'

/** What stands between two columns. */
export const gap = '  '

/** No column is made narrower than this to fit a terminal; where that is not enough, lines run over. */
const least = 6

/**
 * The width of each column in cells: that of its widest cell, and where `available` is given and they do not fit, less
 * for the widest. The first of the columns `kept` is not cut unless it takes more than half: a cut id is none. Nor are
 * the others, as long as there is room for the rest.
 */
export function widthsOf(
  rows: readonly (readonly string[])[],
  available: number | undefined,
  kept: readonly number[],
): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cells(cell))
  }
  if (available === undefined) return widths
  const room = available - gap.length * (widths.length - 1)
  const floor = widths.map(width => Math.min(width, least))
  for (const [place, i] of kept.entries()) {
    const width = widths[i]
    if (width === undefined || width > available / 2) continue
    const taken = floor.reduce((sum, least) => sum + least, 0) - (floor[i] ?? 0) + width
    if (place === 0 || taken <= room) floor[i] = width
  }
  const fitted = widths.map((width, i) => Math.max(floor[i] ?? 0, Math.min(width, room)))
  for (let over = fitted.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const widest = widestAbove(floor, fitted)
    if (widest < 0) break
    fitted[widest] = (fitted[widest] ?? 0) - 1
  }
  return fitted
}

function widestAbove(floor: readonly number[], widths: readonly number[]): number {
  let widest = -1
  widths.forEach((width, i) => {
    if (width > (floor[i] ?? 0) && width > (widths[widest] ?? 0)) widest = i
  })
  return widest
}

/** A line without blanks at its end. Cells wider than their column are cut where `available` is given. */
export function lineOf(row: readonly string[], widths: readonly number[], available: number | undefined): string {
  let line = ''
  for (let i = 0; i < row.length; i++) {
    const width = widths[i] ?? 0
    const cell = available === undefined ? (row[i] ?? '') : cut(row[i] ?? '', width)
    line += i === 0 ? cell : gap + cell
    if (i < row.length - 1) line += ' '.repeat(Math.max(0, width - cells(cell)))
  }
  return line.trimEnd()
}
