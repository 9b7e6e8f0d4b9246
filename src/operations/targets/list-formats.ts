import { UsageError } from '../../errors.ts'
import type { LineBatch } from '../../files/lines.ts'
import { refuseRepeated } from '../../json/given.ts'
import { Malformed } from '../../json/item.ts'
import { compile, kindOf, textOf } from '../../json/pick.ts'
import { slice } from '../../json/slice.ts'
import type { Collection } from '../../values/ids.ts'
import { columnIn, readColumn } from './csv-column.ts'
import { findFirstLine } from './first-line.ts'

export interface ListKind {
  readonly option: '--distinct-ids-from' | '--emails-from'
  readonly column: string
  /** The user named the column, so a list without it is the wrong one. */
  readonly isNamed?: boolean
}

export type AnyKind =
  | ListKind
  | { readonly option: '--from'; readonly column: 'id'; readonly ids: Collection; readonly isNamed?: false }

type Found = readonly [name: string, line: number]

interface Names {
  readonly isPlain: boolean
  /** Batches are lazy, so that the first of several faults is thrown. */
  readonly batches: AsyncIterable<Iterable<Found>>
}

export async function openNames(lines: AsyncGenerator<LineBatch>, kind: AnyKind, where: string): Promise<Names> {
  const begun = await findFirstLine(lines)
  if (!begun) return { isPlain: true, batches: mapped(lines, () => []) }
  const { first, number, batches } = begun
  if (first.trim().startsWith('{')) {
    const nameIn = readName(kind.column)
    return { isPlain: false, batches: mapped(batches, batch => fromJson(batch, nameIn, where)) }
  }
  const column = columnOf(first.trim(), kind, where)
  if (column) return { isPlain: false, batches: readColumn(batches, column, number, where) }
  return { isPlain: true, batches: mapped(batches, batch => fromText(batch, where)) }
}

async function* mapped<T>(batches: AsyncIterable<LineBatch>, read: (batch: LineBatch) => T): AsyncGenerator<T> {
  for await (const batch of batches) yield read(batch)
}

/** Undefined for one name per line. Throws `UsageError` for an unsuitable list. */
function columnOf(first: string, kind: AnyKind, where: string): ReturnType<typeof columnIn> {
  if (first.startsWith('[')) {
    throw new UsageError(`${where} holds a JSON array`, {
      hint: 'Give one object per line (-o ndjson), or one id per line (-o ids)',
    })
  }
  const column = columnIn(first, kind.column)
  if (column) return column
  if (kind.isNamed) {
    throw new UsageError(`${where} has no column ${kind.column}`, { hint: 'Check --column, or leave it out' })
  }
  if (kind.option !== '--distinct-ids-from' && /[,;\t]/.test(first)) {
    throw new UsageError(`${where} looks like CSV, but has no column ${kind.column}`, {
      hint: `Give that column the heading ${kind.column}${kind.option === '--from' ? '' : ', name another with --column'}, or give one per line`,
    })
  }
  return undefined
}

function* fromText({ from, lines }: LineBatch, where: string): Generator<Found> {
  let number = from
  for (const line of lines) {
    const name = line.trim()
    if (name.startsWith('{'))
      throw new UsageError(`${where}: line ${number} is JSON, and the lines before it are not`, {
        hint: 'Give every line in the same form',
      })
    if (name !== '') yield [name, number]
    number++
  }
}

type NameIn = (item: Buffer, at: string) => string

function* fromJson({ from, lines }: LineBatch, nameIn: NameIn, where: string): Generator<Found> {
  let number = from
  for (const line of lines) {
    if (line.trim() !== '') yield [nameIn(Buffer.from(line.trim()), `${where}: line ${number}`), number]
    number++
  }
}

function readName(column: string): NameIn {
  const { pick } = compile([column])
  return (item, at) => {
    try {
      slice(item)
      refuseRepeated(item, `${at}: `)
      const [name] = kindOf(item) === 'object' ? pick(item) : []
      const kind = name && kindOf(name)
      return name && (kind === 'string' || kind === 'number') ? textOf(name) : ''
    } catch (cause) {
      if (!(cause instanceof Malformed)) throw cause
      throw new UsageError(`${at} is not JSON`, { hint: 'Give one object per line', cause })
    }
  }
}
