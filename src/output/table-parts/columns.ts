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
  /** Width that 90 % of the cells fit, so that one long name hides no column. */
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

/** The first rows decide; later rows must fit. */
export function layOut(heads: readonly ColumnHead[], rows: readonly (readonly Cell[])[], room: Room): Layout {
  const { width } = room
  const columnsIn = ({ usual, kept }: Forms) =>
    heads.map((head, index) => columnOf(head, index, rows, room.kept.includes(head.name) ? kept : usual))
  let columns: Column[] = []
  for (const form of forms) {
    columns = columnsIn(form)
    if (width === undefined || total(columns.map(column => column.width)) <= width) return { columns, leftOut: [] }
  }
  const narrow = { ...room, width: width ?? 0 }
  const layout = fitted(columns, heads, narrow)
  return layout.leftOut.length === 0 ? layout : fitted(columnsIn(shortest), heads, narrow)
}

function columnOf(
  { name, heading }: ColumnHead,
  index: number,
  rows: readonly (readonly Cell[])[],
  textOf: Form,
): Column {
  const own = rows.flatMap(row => row[index] ?? []).filter(cell => !cell.isRemark)
  const widths = own.map(cell => cells(textOf(cell))).sort((a, b) => a - b)
  const width = Math.max(cells(heading), widths.at(-1) ?? 0)
  const usual = Math.max(cells(heading), widths[Math.ceil(widths.length * 0.9) - 1] ?? 0)
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
}

function fitted(columns: readonly Column[], heads: readonly ColumnHead[], room: Room & { width: number }): Layout {
  const nameOf = (column: Column) => heads[column.index]?.name ?? ''
  const place = (column: Column) => {
    const index = room.kept.indexOf(nameOf(column))
    return index >= 0 ? index : room.kept.length + Number(column.isEmpty)
  }
  let chosen: Bounded[] = []
  for (const [i, column] of columns.toSorted((a, b) => place(a) - place(b)).entries()) {
    if (i > 0 && i === room.kept.length) chosen = raised(chosen, room.width)
    const taken = total([...chosen.map(({ floor }) => floor), 0])
    const isFirst = chosen.length === 0
    const left = isFirst ? room.width : room.width - taken
    const floor = floorOf(column, place(column), left, room)
    if (isFirst) chosen.push({ column, floor: Math.max(1, Math.min(floor, left)) })
    else if (floor <= left) chosen.push({ column, floor })
  }
  chosen.sort((a, b) => a.column.index - b.column.index)
  const widths = narrowed(chosen, room.width)
  const shown = new Set(chosen.map(({ column }) => column))
  return {
    columns: chosen.map(({ column }, i) => ({ ...column, width: widths[i] ?? 1 })),
    leftOut: columns.filter(column => !shown.has(column)).map(nameOf),
  }
}

/** Columns that name the row are cut last. */
function raised(chosen: readonly Bounded[], width: number): Bounded[] {
  const capped = chosen.map(({ column, floor }) => {
    const most = Math.max(floor, Math.min(column.width, Math.floor(width / 2)))
    return { column: { ...column, width: most }, floor }
  })
  const widths = narrowed(capped, width)
  return chosen.map((one, i) => ({ ...one, floor: widths[i] ?? one.floor }))
}

/** The first column stays whole if possible; others take at most half of the width. */
function floorOf(
  column: Column,
  place: number,
  left: number,
  { kept, width, least }: Room & { width: number },
): number {
  if (place === 0 && kept.length > 0) return Math.min(column.width, left)
  if (place < kept.length) {
    const half = Math.min(column.usual, Math.floor(width / 2))
    return half <= left ? half : Math.min(column.width, Math.max(place === 1 ? 6 : least, left))
  }
  return column.isCuttable ? Math.min(column.width, least) : column.width
}

function narrowed(chosen: readonly Bounded[], width: number): number[] {
  const widths = chosen.map(({ column, floor }) => Math.max(floor, Math.min(column.width, width)))
  for (let over = total(widths) - width; over > 0; over--) {
    let widest = -1
    for (const [i, own] of widths.entries()) {
      if (own > (chosen[i]?.floor ?? 0) && own > (widths[widest] ?? 0)) widest = i
    }
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 1) - 1
  }
  return widths
}
