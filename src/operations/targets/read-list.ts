import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { type LineBatch, linesOf } from '../../files/lines.ts'
import { inputChunks, isPipe } from '../../files/read-input.ts'
import type { Host } from '../../host.ts'
import { TargetCollector } from '../../jobs/targets/target-collector.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { grouped } from '../../text/grouped.ts'
import { type AnyKind, dropBlanks, type Entry, type IdList, type ListKind, nameReader } from './given-name.ts'
import { openEntries } from './list-formats.ts'
import type { ListedName } from './look-up.ts'

export interface ReadList {
  /** One name per line: neither CSV nor NDJSON. */
  readonly isPlain: boolean
  /** Number of lines with a name, including repeats. */
  readonly lines: number
  readonly sha256: string
  /** The last line of a pipe has no end: its writer may have been stopped. */
  readonly mayBeCut: boolean
  readonly lastLine: number
}

export function warnOfCut({ messages }: Pick<Context, 'messages'>, option: string, list: ReadList): void {
  if (!list.mayBeCut) return
  messages.warn(`${option}: the last line, number ${list.lastLine}, has no end: the list may be cut off`)
}

/** Ignores repeated names. */
interface Names {
  readonly size: number
  add(text: string, line: number): void
}

/** About the number that fits in memory. */
const mostNames = 1_000_000
const mostText = 256 * 1024 * 1024

/** `file`: `-` is stdin. Throws `ListMistakes` for entries that are no ids, and `UsageError` for an unreadable list. */
export async function readIds(
  host: Host,
  file: string,
  kind: IdList,
): Promise<ReadList & { readonly targets: Targets }> {
  const collector = new TargetCollector()
  const list = await readList(host, file, kind, collector)
  return { ...list, targets: collector.list() }
}

export interface NameList extends ReadList {
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

interface ReadLines {
  readonly lines: AsyncGenerator<LineBatch>
  /** Both only after the last line. */
  sha256(): string
  mayBeCut(): boolean
}

export function readLines(host: Host, file: string, where: string): ReadLines {
  const digest = createHash('sha256')
  let last = newline
  async function* tapped(): AsyncGenerator<Uint8Array> {
    for await (const chunk of inputChunks(host, { file, where })) {
      digest.update(chunk)
      last = chunk.at(-1) ?? last
      yield chunk
    }
  }
  return {
    lines: linesOf(tapped(), where),
    sha256: () => digest.digest('hex'),
    mayBeCut: () => last !== newline && isPipe(host, file),
  }
}

const newline = 10

async function readList(host: Host, file: string, kind: AnyKind, names: Names): Promise<ReadList> {
  const where = `${kind.option} ${file === '-' ? 'stdin' : file}`
  const read = readLines(host, file, where)
  let lines = 0
  let lastLine = 0
  let length = 0
  const mistakes: WrongEntry[] = []
  const nameIn = nameReader(kind, where)
  const { isPlain, batches } = await openEntries(read.lines, kind, where)
  try {
    for await (const entries of batches) {
      for (const entry of entries) {
        lines++
        lastLine = entry.line
        const name = orMistake(() => nameIn(entry))
        if (name instanceof UsageError) {
          mistakes.push({ entry, error: name })
          continue
        }
        const { size } = names
        names.add(name, entry.line)
        if (names.size === size) continue
        length += name.length
        if (names.size > mostNames) throw tooMany(`${where} names more than 1,000,000 targets`)
        if (length > mostText) throw tooMany(`${where} holds more than 256 MB of names`)
      }
    }
  } catch (error) {
    // The mistakes that were found before are reported first.
    if (mistakes.length === 0 || !(error instanceof UsageError)) throw error
  }
  refuseWrongEntries(mistakes)
  const mayBeCut = names.size > 0 && read.mayBeCut()
  return { isPlain, lines, sha256: read.sha256(), mayBeCut, lastLine }
}

/** Throws `ListMistakes` if there is one. */
export function refuseWrongEntries([first, ...others]: readonly WrongEntry[]): void {
  if (first) throw new ListMistakes(first, others)
}

export function orMistake<T>(read: () => T): T | UsageError {
  try {
    return read()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

export interface WrongEntry {
  readonly entry: Entry
  readonly error: UsageError
}

/** The message names ten of the lines, and counts the others. */
export class ListMistakes extends UsageError {
  readonly entries: readonly { readonly text: string }[]

  constructor({ entry, error }: WrongEntry, others: readonly WrongEntry[]) {
    const named = others.slice(0, 9).map(other => other.entry.line)
    const more = others.length - named.length
    const list = `${named.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`
    const rest = `; there are mistakes on ${others.length === 1 ? 'line' : 'lines'} ${list} too`
    super(`${error.message}${others.length === 0 ? '' : rest}`, error.facts)
    this.entries = [entry, ...others.map(other => other.entry)].map(({ raw }) => ({ text: dropBlanks(raw) }))
  }
}

function tooMany(message: string): UsageError {
  return new UsageError(message, { hint: 'Split it' })
}
