import { cells } from '../text/cells.ts'

export const gap = '  '

export interface Column {
  readonly name: string
  readonly heading: string
  /** 2 for the id and 1 for what names a thing, which are whole; 0 for others. */
  readonly rank: 0 | 1 | 2
  readonly isNumeric: boolean
  /** A part of a text is useful, a part of a number or of a date is not. */
  readonly isCuttable: boolean
}

export interface ShownColumn extends Column {
  readonly index: number
  width: number
}

interface Layout {
  readonly columns: ShownColumn[]
  readonly leftOut: readonly string[]
}

const [narrowest, widest] = [8, 32]

/** In a pipe a longer cell moves what follows in its line: with one value of 16,000 characters, each row would be as long. */
const widestPadded = 40

/** The first rows decide. Without a width, nothing is cut or left out. */
export function layOut(columns: readonly Column[], rows: readonly (readonly string[])[], width?: number): Layout {
  const most = width === undefined ? widestPadded : undefined
  const all = columns.map((column, index) => ({ ...column, index, width: widthOf(column.heading, index, rows, most) }))
  if (width === undefined) return { columns: all, leftOut: [] }
  const shown: (ShownColumn & { readonly full: number })[] = []
  let left = width + gap.length
  for (const column of all.toSorted((a, b) => b.rank - a.rank)) {
    const room = left - gap.length
    const wanted = column.rank > 0 || !column.isCuttable ? column.width : Math.min(column.width, widest)
    const least = shown.length === 0 ? 1 : column.isCuttable ? Math.min(wanted, narrowest) : wanted
    if (least > room) continue
    const taken = Math.min(wanted, room)
    shown.push({ ...column, width: taken, full: column.width })
    left -= taken + gap.length
  }
  for (const column of shown) {
    const more = Math.min(column.full - column.width, left)
    column.width += more
    left -= more
  }
  const names = new Set(shown.map(({ name }) => name))
  return {
    columns: shown.sort((a, b) => a.index - b.index),
    leftOut: all.flatMap(({ name }) => (names.has(name) ? [] : [name])),
  }
}

/** In a pipe, later rows may be wider. */
export function widen(columns: readonly ShownColumn[], rows: readonly (readonly string[])[]): void {
  for (const column of columns) column.width = Math.max(column.width, widthOf('', column.index, rows, widestPadded))
}

function widthOf(heading: string, index: number, rows: readonly (readonly string[])[], most?: number): number {
  return rows.reduce((widest, row) => {
    const width = cells(row[index] ?? '')
    return most !== undefined && width > most ? widest : Math.max(widest, width)
  }, cells(heading))
}
