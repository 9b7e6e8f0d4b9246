/** Lists of ids and of names: one a line, a column of CSV, or a member of NDJSON. */
import { UsageError } from '../errors.ts'
import type { LineBatch } from '../files/lines.ts'
import type { Host } from '../host.ts'
import { columnIn, readColumn } from './csv.ts'
import type { ListedName } from './find-persons-by-name.ts'
import { type AnyKind, type Entry, type IdList, type ListKind, nameReader, otherOption } from './given-name.ts'
import { refuseOtherResource } from './other-resource.ts'
import { type BegunLines, findFirstLine, inputName, type ReadList, readAllEntries } from './read-entries.ts'
import { comparedHeading } from './spreadsheets.ts'
import { TargetCollector } from './target-collector.ts'

/** Ignores repeated names. */
interface Names {
  readonly size: number
  add(text: string, line: number): void
}

/** `file`: `-` is stdin. Throws `ListMistakes` for entries that are no ids, and `UsageError` for an unreadable list. */
export async function readIds(
  host: Host,
  file: string,
  kind: IdList,
): Promise<ReadList & { readonly targets: readonly string[] }> {
  const collector = new TargetCollector()
  const list = await readList(host, file, kind, collector)
  return { ...list, targets: collector.list() }
}

export interface NameList extends ReadList {
  /** One name per line: neither CSV nor NDJSON. */
  readonly isPlain: boolean
  /** Each has its first line. */
  readonly names: readonly ListedName[]
  /** Later lines of a name. */
  readonly repeats: ReadonlyMap<string, readonly number[]>
}

/** Like `readIds`, for names without a fixed form. */
export async function readNames(host: Host, file: string, kind: ListKind): Promise<NameList> {
  const names = new Map<string, ListedName>()
  const repeats = new Map<string, number[]>()
  const list = await readList(host, file, kind, {
    get size() {
      return names.size
    },
    add: (text, line) => {
      if (!names.has(text)) return void names.set(text, { text, line })
      const lines = repeats.get(text)
      if (lines) lines.push(line)
      else repeats.set(text, [line])
    },
  })
  return { ...list, names: [...names.values()], repeats }
}

/** About the number that fits in memory. */
const mostNames = 1_000_000
const mostText = 256 * 1024 * 1024

async function readList(host: Host, file: string, kind: AnyKind, names: Names) {
  const where = inputName(kind.option, file)
  let length = 0
  let isPlain = true
  const list = await readAllEntries<Entry, string>(host, file, {
    where,
    async *open(lines) {
      const begun = await findFirstLine(lines)
      if (!begun) return
      const form = formOf(begun, kind, where)
      isPlain = form === 'plain'
      if (typeof form === 'object') yield* readColumn(begun.batches, form, begun.number, where)
      else for await (const batch of begun.batches) yield linesIn(batch, form)
    },
    entryOf: entry => entry,
    read: nameReader(kind, where),
    keep(name, line) {
      const { size } = names
      names.add(name, line)
      if (names.size === size) return
      length += name.length
      if (names.size > mostNames) throw tooMany(`${where} names more than 1,000,000 targets`)
      if (length > mostText) throw tooMany(`${where} holds more than 256 MB of names`)
    },
  })
  return { ...list, isPlain }
}

function tooMany(message: string): UsageError {
  return new UsageError(message, { hint: 'Split it' })
}

function* linesIn({ from, lines }: LineBatch, form: 'plain' | 'json'): Generator<Entry> {
  let line = from
  for (const raw of lines) {
    if (raw.trim() !== '') yield { raw, line, form }
    line++
  }
}

/** `plain` is one name per line, an object a column of CSV. Throws `UsageError` for an unsuitable list. */
function formOf({ first: line, separator }: BegunLines, kind: AnyKind, where: string) {
  const first = line.trim()
  if (first.startsWith('{')) return 'json'
  // `[object Object]` is a distinct id.
  if (/^\[\s*($|["{[\]\d-])/.test(first)) {
    throw new UsageError(`${where} holds a JSON array`, {
      hint: 'Give one object per line (-o ndjson), or one id per line (-o ids)',
    })
  }
  const column = columnIn(first, kind.column, separator)
  if (column) {
    if (kind.option === '--from')
      refuseOtherResource(kind.ids)(line.split(column.delimiter).map(comparedHeading), where)
    return column
  }
  if (kind.isNamed) {
    throw new UsageError(`${where} has no column ${kind.column}`, { hint: 'Check --column, or leave it out' })
  }
  if (kind.option !== '--distinct-ids-from' && /[,;\t]/.test(first)) {
    throw new UsageError(`${where} looks like CSV, but has no column ${kind.column}`, {
      hint: `${otherOption(kind, first.split(/[,;\t]/))}Give that column the heading ${kind.column}, name another with --column, or give one per line`,
    })
  }
  return 'plain'
}
