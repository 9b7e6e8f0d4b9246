import { cells } from '../../text/cells.ts'
import type { Cell } from './cell.ts'

export const gap = '  '

interface ColumnHead {
  readonly name: string
  readonly heading: string
}

export interface Column {
  readonly index: number
  readonly heading: string
  readonly width: number
  /** Width that two thirds of the cells fit, so that one long name hides no column. */
  readonly usual: number
  readonly isNumeric: boolean
  /** Columns without values are left out first. */
  readonly isEmpty: boolean
  /** A part of a text is useful, a part of a number or date is not. */
  readonly isCuttable: boolean
  readonly textOf: Form
}

interface Layout {
  readonly columns: readonly Column[]
  readonly leftOut: readonly string[]
}

interface Room {
  /** Cells; undefined means that nothing is cut or left out. */
  readonly width: number | undefined
  /** Columns that are cut last, the very last one first. */
  readonly kept: readonly string[]
  /** Smallest width of a text column; with less space it is left out. */
  readonly least: number
}

type Form = (cell: Cell) => string

const inFull: Form = cell => cell.text
const withoutOrigin: Form = cell => cell.path ?? cell.text

interface Forms {
  readonly usual: Form
  readonly kept: Form
}

/** Forms of a usual cell and of one that is cut last, longest first: dates lose their time before lists lose items. */
const forms = [
  { usual: inFull, kept: inFull },
  { usual: (cell: Cell) => cell.date ?? withoutOrigin(cell), kept: withoutOrigin },
  { usual: cell => cell.date ?? cell.list ?? withoutOrigin(cell), kept: withoutOrigin },
] as const satisfies readonly Forms[]

/** If a column would be left out, even dates that are cut last lose their time. */
const shortest = { usual: forms[2].usual, kept: forms[1].usual }

/** In a pipe no column is padded beyond this; a longer cell is printed whole, and moves what follows in its line. */
export const widestPadded = 40

/** The first rows decide; later rows must fit. */
export function layOut(heads: readonly ColumnHead[], rows: readonly (readonly Cell[])[], room: Room): Layout {
  const { width } = room
  const most = width === undefined ? widestPadded : Number.POSITIVE_INFINITY
  const columnsIn = ({ usual, kept }: Forms) =>
    heads.map((head, index) => columnOf({ ...head, index, most }, rows, room.kept.includes(head.name) ? kept : usual))
  let columns: Column[] = []
  for (const form of forms) {
    columns = columnsIn(form)
    if (width === undefined || total(columns.map(column => column.width)) <= width) return { columns, leftOut: [] }
  }
  const narrow = { ...room, width: width ?? 0 }
  const layout = fitted(columns, heads, narrow)
  return layout.leftOut.length === 0 ? layout : fitted(columnsIn(shortest), heads, narrow)
}

interface Place extends ColumnHead {
  readonly index: number
  /** Wider cells do not widen the column. */
  readonly most: number
}

function columnOf({ name, heading, index, most }: Place, rows: readonly (readonly Cell[])[], textOf: Form): Column {
  const own = rows.flatMap(row => row[index] ?? []).filter(cell => !cell.isRemark)
  const lengths = own.map(cell => cells(textOf(cell))).sort((a, b) => a - b)
  const widest = (some: readonly number[]) =>
    [cells(heading), ...some].reduce((width, length) => (length <= most ? Math.max(width, length) : width), 0)
  const width = widest(lengths)
  const usual = widest(lengths.slice(0, Math.ceil((lengths.length * 2) / 3)))
  const isNumeric = !isId(name) && own.some(cell => cell.isNumber) && own.every(cell => cell.isNumber ?? cell.isEmpty)
  const isCuttable = !isNumeric && !own.every(cell => cell.date !== undefined || cell.isEmpty)
  const isEmpty = own.every(cell => cell.isEmpty)
  return { index, heading, width, usual, isNumeric, isEmpty, isCuttable, textOf }
}

/** Ids are digits, but nobody compares their size. */
function isId(name: string): boolean {
  return /(^|[._])id$/.test(name)
}

export function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1)
}

interface Bounded {
  readonly column: Column
  readonly floor: number
  /** Cut last. */
  readonly isKept: boolean
}

function fitted(columns: readonly Column[], heads: readonly ColumnHead[], room: Room & { width: number }): Layout {
  const nameOf = (column: Column) => heads[column.index]?.name ?? ''
  const place = (column: Column) => {
    const index = room.kept.indexOf(nameOf(column))
    return index >= 0 ? index : room.kept.length + Number(column.isEmpty)
  }
  const chosen: Bounded[] = []
  for (const column of columns.toSorted((a, b) => place(a) - place(b))) {
    const isFirst = chosen.length === 0
    const left = isFirst ? room.width : room.width - total([...chosen.map(({ floor }) => floor), 0])
    const floor = floorOf(column, nameOf(column), left, room)
    const isKept = place(column) < room.kept.length
    if (isFirst) chosen.push({ column, isKept, floor: Math.max(1, Math.min(floor, left)) })
    else if (floor <= left) chosen.push({ column, isKept, floor })
  }
  chosen.sort((a, b) => a.column.index - b.column.index)
  const widths = sharedOut(chosen, room.width)
  const shown = new Set(chosen.map(({ column }) => column))
  return {
    columns: chosen.map(({ column }, i) => ({ ...column, width: widths[i] ?? 1 })),
    leftOut: columns.filter(column => !shown.has(column)).map(nameOf),
  }
}

/** A name of this length is not cut to show more columns. */
const shortName = 26

/** The first column stays whole if possible; a name takes at most a third of the width, and others a half. */
function floorOf(column: Column, name: string, left: number, { kept, width, least }: Room & { width: number }): number {
  const place = kept.indexOf(name)
  if (place < 0) return column.isCuttable ? Math.min(column.width, least) : column.width
  if (place === 0) return Math.min(column.width, left)
  const most = Math.max(shortName, Math.floor(width / 3))
  const usual = column.width <= most ? column.width : isName(name) ? Math.min(column.usual, most) : column.usual
  const share = Math.min(usual, Math.floor(width / 2))
  return share <= left ? share : Math.min(column.width, Math.max(place === 1 ? 6 : least, left))
}

function isName(name: string): boolean {
  return /(^|[._])name$/.test(name)
}

/** One long name takes nothing from other columns, but what they leave. */
function sharedOut(chosen: readonly Bounded[], width: number): number[] {
  const first = narrowed(
    chosen.map(({ column, floor, isKept }) => ({ width: isKept ? floor : column.width, floor })),
    width,
  )
  const widest = chosen.map(({ column, isKept }, i) => {
    const floor = first[i] ?? 1
    return { width: isKept ? column.width : floor, floor }
  })
  return narrowed(widest, width)
}

interface Bounds {
  readonly width: number
  readonly floor: number
}

function narrowed(bounds: readonly Bounds[], most: number): number[] {
  const widths = bounds.map(({ width, floor }) => Math.max(floor, Math.min(width, most)))
  for (let over = total(widths) - most; over > 0; over--) {
    let widest = -1
    for (const [i, own] of widths.entries()) {
      if (own > (bounds[i]?.floor ?? 0) && own > (widths[widest] ?? 0)) widest = i
    }
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 1) - 1
  }
  return widths
}
