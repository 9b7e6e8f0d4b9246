/** Reads a list of targets from a file or stdin: plain lines, NDJSON, or a CSV column. A name stays text. */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../../errors.ts'
import { linesOf } from '../../files/lines.ts'
import type { Host } from '../../host.ts'
import { TargetCollector } from '../../jobs/target-collector.ts'
import type { TargetList } from '../../jobs/target-list.ts'
import { Malformed } from '../../json/item.ts'
import { compile, kindOf, textOf } from '../../json/pick.ts'
import { slice } from '../../json/slice.ts'
import { type Collection, checkId, type OtherNames } from '../../values/ids.ts'
import { columnIn, readColumn } from './csv-column.ts'
import { findFirstLine } from './first-line.ts'

/** How a list names persons, and in which CSV column or NDJSON member. */
export interface ListKind {
  readonly option: '--distinct-ids-from' | '--emails-from'
  readonly column: string
  /** Somebody named the column, so a list without it is another one. */
  readonly isNamed?: boolean
}

/** Ids have a fixed form. */
type AnyKind =
  | ListKind
  | { readonly option: '--from'; readonly column: 'id'; readonly ids: Collection; readonly isNamed?: false }

export interface ListedName {
  readonly text: string
  readonly line: number
}

export interface ReadList {
  /** Number of lines with a name, repeats included. */
  readonly lines: number
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string
  /** A pipe that ended within a line: its writer may have been stopped. */
  readonly mayBeCut: boolean
  readonly lastLine: number
}

/** Takes each name once. */
interface Names {
  readonly size: number
  add(text: string, line: number): void
}

/** More than anybody changes at once, and about what fits in memory. */
const mostNames = 1_000_000
const mostText = 256 * 1024 * 1024

const otherLists: Readonly<Partial<Record<Collection, OtherNames>>> = {
  persons: { email: '--emails-from', text: 'distinct ids use --distinct-ids-from' },
}

/** `file` is `-` for stdin. Throws `UsageError`, with the line, for every doubtful entry. */
export async function readIds(
  host: Host,
  file: string,
  ids: Collection,
): Promise<ReadList & { readonly targets: TargetList }> {
  const collector = new TargetCollector()
  const list = await readList(host, file, { option: '--from', column: 'id', ids }, collector)
  return { ...list, targets: collector.list() }
}

/** As `readIds`, for names without a fixed form, each with its first line. */
export async function readNames(
  host: Host,
  file: string,
  kind: ListKind,
): Promise<ReadList & { readonly names: readonly ListedName[] }> {
  const names = new Map<string, ListedName>()
  const list = await readList(host, file, kind, {
    get size() {
      return names.size
    },
    add: (text, line) => {
      if (!names.has(text)) names.set(text, { text, line })
    },
  })
  return { ...list, names: [...names.values()] }
}

async function readList(host: Host, file: string, kind: AnyKind, names: Names): Promise<ReadList> {
  const where = `${kind.option} ${file === '-' ? 'stdin' : file}`
  const digest = createHash('sha256')
  let last = newline
  async function* tapped(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytesOf(host, file, where)) {
      digest.update(chunk)
      last = chunk.at(-1) ?? last
      yield chunk
    }
  }
  let lines = 0
  let lastLine = 0
  let length = 0
  for await (const [found, line] of namesIn(linesOf(tapped(), where), kind, where)) {
    // A quoted distinct id may begin or end with a blank; an id or e-mail never does.
    const text = kind.option === '--distinct-ids-from' ? found : found.trim()
    if (text.trim() === '') throw new UsageError(`${where}: line ${line} has no ${kind.column}`)
    if (kind.option === '--from') checkId(kind.ids, text, otherLists[kind.ids], `${where}, line ${line}: `)
    else if (/\p{Cc}/u.test(text)) {
      throw new UsageError(`${where}: line ${line} holds a control character`, {
        hint: text.includes('\r') ? 'Save it with the line ends of Windows or Unix' : undefined,
      })
    }
    lines++
    lastLine = line
    const { size } = names
    names.add(text, line)
    if (names.size === size) continue
    length += text.length
    if (names.size > mostNames) throw new UsageError(`${where} names more than 1,000,000 targets`, { hint: 'Split it' })
    if (length > mostText) throw new UsageError(`${where} holds more than 256 MB of names`, { hint: 'Split it' })
  }
  const mayBeCut = names.size > 0 && last !== newline && isPipe(host, file)
  return { lines, sha256: digest.digest('hex'), mayBeCut, lastLine }
}

const newline = 10

function isPipe(host: Host, file: string): boolean {
  return file === '-' || !statSync(resolve(host.cwd, file)).isFile()
}

/** `-` is stdin. `where` names the place in the message of the `UsageError`. */
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

type Found = AsyncGenerator<readonly [name: string, line: number]>

async function* namesIn(lines: AsyncGenerator<string>, kind: AnyKind, where: string): Found {
  const begun = await findFirstLine(lines)
  if (begun) yield* readerFor(begun.first.trim(), kind, where)(begun.lines, begun.number)
}

function readerFor(first: string, kind: AnyKind, where: string): (lines: AsyncIterable<string>, from: number) => Found {
  if (first.startsWith('{')) return (lines, from) => fromJson(lines, from, kind, where)
  if (first.startsWith('[')) {
    throw new UsageError(`${where} holds a JSON array`, {
      hint: 'Give one object per line (-o ndjson), or one id per line (-o ids)',
    })
  }
  const column = columnIn(first, kind.column)
  if (column) return (lines, from) => readColumn(lines, column, from, where)
  if (kind.isNamed) {
    throw new UsageError(`${where} has no column ${kind.column}`, { hint: 'Check --column, or leave it out' })
  }
  if (kind.option !== '--distinct-ids-from' && /[,;\t]/.test(first)) {
    throw new UsageError(`${where} looks like CSV, but has no column ${kind.column}`, {
      hint: `Give that column the heading ${kind.column}${kind.option === '--from' ? '' : ', name another with --column'}, or give one per line`,
    })
  }
  return (lines, from) => fromText(lines, from, where)
}

async function* fromText(lines: AsyncIterable<string>, from: number, where: string): Found {
  let number = from
  for await (const line of lines) {
    const name = line.trim()
    if (name.startsWith('{'))
      throw new UsageError(`${where}: line ${number} is JSON, and the lines before it are not`, {
        hint: 'Give names or objects, not both',
      })
    if (name !== '') yield [name, number]
    number++
  }
}

async function* fromJson(lines: AsyncIterable<string>, from: number, { column }: AnyKind, where: string): Found {
  const { pick } = compile([column])
  let number = from
  for await (const line of lines) {
    if (line.trim() !== '') yield [nameOf(Buffer.from(line.trim()), pick, where, number), number]
    number++
  }
}

function nameOf(item: Buffer, pick: ReturnType<typeof compile>['pick'], where: string, line: number): string {
  try {
    slice(item)
    const [name] = kindOf(item) === 'object' ? pick(item) : []
    const kind = name && kindOf(name)
    if (name && (kind === 'string' || kind === 'number')) return textOf(name)
    return ''
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
    throw new UsageError(`${where}: line ${line} is not JSON`, { hint: 'Give one object per line', cause })
  }
}
