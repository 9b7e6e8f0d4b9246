/** Ids from a file or stdin: one a line, NDJSON, or CSV with a column for them. An id stays the text that it is. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import { linesOf } from '../files/lines.ts'
import type { Host } from '../host.ts'
import { Malformed } from '../json/item.ts'
import { compile, kindOf, textOf } from '../json/pick.ts'
import { slice } from '../json/slice.ts'
import { type Collection, checkId, type OtherNames } from '../values/ids.ts'
import { columnIn, readColumn } from './csv-column.ts'

/** What is looked for, under which name: `id`, or `distinct_id`. */
export interface IdColumn {
  readonly option: `--${string}`
  readonly name: 'id' | 'distinct_id'
  /** What the ids are of, where they have a form. */
  readonly of?: Collection
}

/** How else a list can name its objects. */
const listNames: Readonly<Partial<Record<Collection, OtherNames>>> = {
  persons: { text: 'distinct ids use --distinct-ids-from' },
}

/** More than anybody means to change at once, and about what fits in memory. */
const mostIds = 1_000_000

/** The distinct ids that a file holds, in its order. Throws `UsageError` for whatever may not be what it seems. */
export async function readIds(host: Host, file: string, wanted: IdColumn): Promise<string[]> {
  const where = `${wanted.option} ${file === '-' ? 'stdin' : file}`
  const ids = new Set<string>()
  for await (const [found, line] of idsIn(linesOf(bytesOf(host, file, where), where), wanted, where)) {
    // A distinct id in quotes may begin or end with a blank; an id never does, and with one nobody would be found.
    const id = wanted.name === 'id' ? found.trim() : found
    if (id.trim() === '') throw new UsageError(`${where}: line ${line} has no ${wanted.name}`)
    if (wanted.of) checkId(wanted.of, id, listNames[wanted.of], `${where}, line ${line}: `)
    ids.add(id)
    if (ids.size > mostIds) throw new UsageError(`${where} holds more than 1,000,000 ids`, { hint: 'Split it' })
  }
  return [...ids]
}

/** The bytes of a file, or of stdin for `-`. Throws `UsageError` where it cannot be read; `where` is in its words. */
export async function* bytesOf(host: Host, file: string, where: string): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    yield* host.stdin.read()
    return
  }
  try {
    for await (const chunk of createReadStream(resolve(host.cwd, file))) yield chunk as Buffer
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause
    throw new UsageError(`${where} cannot be read`, { hint: 'Check its name and whether you may read it', cause })
  }
}

type Found = AsyncGenerator<readonly [id: string, line: number]>

/** How spreadsheets tell each other what separates the cells of a file, before its header. */
const separator = /^sep=.$/i

async function* idsIn(lines: AsyncGenerator<string>, wanted: IdColumn, where: string): Found {
  let number = 0
  for (;;) {
    const { done, value: line } = await lines.next()
    if (done) return
    number++
    if (line.trim() === '' || separator.test(line)) continue
    yield* readerFor(line.trim(), wanted, where)(prepend(line, lines), number)
    return
  }
}

/** What the first line with anything on it says about all of them. */
function readerFor(
  first: string,
  wanted: IdColumn,
  where: string,
): (lines: AsyncIterable<string>, from: number) => Found {
  if (first.startsWith('{')) return (lines, from) => fromJson(lines, from, wanted, where)
  if (first.startsWith('[')) {
    throw new UsageError(`${where} holds a JSON array`, {
      hint: 'Give one object per line (-o ndjson), or one id per line (-o ids)',
    })
  }
  const column = columnIn(first, wanted.name)
  if (column) return (lines, from) => readColumn(lines, column, from, where)
  if (wanted.name === 'id' && /[,;\t]/.test(first)) {
    throw new UsageError(`${where} looks like CSV, but has no column ${wanted.name}`, {
      hint: columnIn(first, 'distinct_id')
        ? '--distinct-ids-from reads its column distinct_id'
        : 'Give the column of ids the heading id, or give one id per line',
    })
  }
  return (lines, from) => fromText(lines, from, where)
}

async function* fromText(lines: AsyncIterable<string>, from: number, where: string): Found {
  let number = from
  for await (const line of lines) {
    const id = line.trim()
    if (id.startsWith('{'))
      throw new UsageError(`${where}: line ${number} is JSON, and the lines before it are not`, {
        hint: 'Give ids or objects, not both',
      })
    if (id !== '') yield [id, number]
    number++
  }
}

async function* fromJson(lines: AsyncIterable<string>, from: number, { name }: IdColumn, where: string): Found {
  const { pick } = compile([name])
  let number = from
  for await (const line of lines) {
    if (line.trim() !== '') yield [idOf(Buffer.from(line.trim()), pick, where, number), number]
    number++
  }
}

function idOf(item: Buffer, pick: ReturnType<typeof compile>['pick'], where: string, line: number): string {
  try {
    slice(item)
    const [id] = kindOf(item) === 'object' ? pick(item) : []
    const kind = id && kindOf(id)
    if (id && (kind === 'string' || kind === 'number')) return textOf(id)
    return ''
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
    throw new UsageError(`${where}: line ${line} is not JSON`, { hint: 'Give one object per line', cause })
  }
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
