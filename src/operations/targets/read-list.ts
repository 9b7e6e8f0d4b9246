import { createHash } from 'node:crypto'
import { UsageError } from '../../errors.ts'
import { linesOf } from '../../files/lines.ts'
import { inputChunks, isPipe } from '../../files/read-input.ts'
import type { Host } from '../../host.ts'
import { TargetCollector } from '../../jobs/targets/target-collector.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { checkId, type OtherNames } from '../../values/ids.ts'
import type { TargetCollection } from '../collections.ts'
import { type AnyKind, type ListKind, openNames } from './list-formats.ts'

export interface ListedName {
  readonly text: string
  readonly line: number
}

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

/** Ignores repeated names. */
interface Names {
  readonly size: number
  add(text: string, line: number): void
}

/** About the number that fits in memory. */
const mostNames = 1_000_000
const mostText = 256 * 1024 * 1024

const otherLists: Readonly<Partial<Record<TargetCollection, OtherNames>>> = {
  persons: { email: '--emails-from', text: 'distinct ids use --distinct-ids-from' },
}

/** `file`: `-` is stdin. Throws `UsageError`, with the line, for every doubtful entry. */
export async function readIds(
  host: Host,
  file: string,
  ids: TargetCollection,
): Promise<ReadList & { readonly targets: Targets }> {
  const collector = new TargetCollector()
  const list = await readList(host, file, { option: '--from', column: 'id', ids }, collector)
  return { ...list, targets: collector.list() }
}

/** Like `readIds`, for names without a fixed form; each has its first line, and `repeats` has the later ones. */
export async function readNames(
  host: Host,
  file: string,
  kind: ListKind,
): Promise<
  ReadList & { readonly names: readonly ListedName[]; readonly repeats: ReadonlyMap<string, readonly number[]> }
> {
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

async function readList(host: Host, file: string, kind: AnyKind, names: Names): Promise<ReadList> {
  const where = `${kind.option} ${file === '-' ? 'stdin' : file}`
  const digest = createHash('sha256')
  let last = newline
  async function* tapped(): AsyncGenerator<Uint8Array> {
    for await (const chunk of inputChunks(host, { file, where })) {
      digest.update(chunk)
      last = chunk.at(-1) ?? last
      yield chunk
    }
  }
  let lines = 0
  let lastLine = 0
  let length = 0
  const { isPlain, batches } = await openNames(linesOf(tapped(), where), kind, where)
  for await (const found of batches) {
    for (const [name, line] of found) {
      const text = checkName(name, line, kind, where)
      lines++
      lastLine = line
      const { size } = names
      names.add(text, line)
      if (names.size === size) continue
      length += text.length
      if (names.size > mostNames) throw tooMany(`${where} names more than 1,000,000 targets`)
      if (length > mostText) throw tooMany(`${where} holds more than 256 MB of names`)
    }
  }
  const mayBeCut = names.size > 0 && last !== newline && isPipe(host, file)
  return { isPlain, lines, sha256: digest.digest('hex'), mayBeCut, lastLine }
}

const newline = 10

/** Removes outer blanks. Throws `UsageError` for an impossible name. */
function checkName(found: string, line: number, kind: AnyKind, where: string): string {
  // A quoted distinct id may begin or end with a blank; ids and e-mails never do.
  const name = kind.option === '--distinct-ids-from' ? found : found.trim()
  if (name.trim() === '') throw new UsageError(`${where}: line ${line} has no ${kind.column}`)
  if (kind.option === '--from') return checkId(kind.ids, name, otherLists[kind.ids], `${where}, line ${line}: `)
  if (/\p{Cc}/u.test(name)) {
    throw new UsageError(`${where}: line ${line} holds a control character`, {
      hint: name.includes('\r') ? 'Save it with the line ends of Windows or Unix' : undefined,
    })
  }
  if (kind.option !== '--emails-from' || isOneEmail(name)) return name
  throw new UsageError(`${where}: line ${line} is not one plain e-mail`, {
    hint: 'Write one on each line with nothing around it, as in ada@example.com',
  })
}

/** The service compares the whole text, so `Ada <ada@example.com>` would match nobody. */
function isOneEmail(text: string): boolean {
  // The part before the @ may be quoted, and then contain any character.
  const plain = text.replace(/^"([^"\\]|\\.)*"(?=@)/, '')
  return !/@.*@|[<>]|^mailto:/i.test(plain) && !(plain.includes('@') && /[\s,;]/.test(plain))
}

function tooMany(message: string): UsageError {
  return new UsageError(message, { hint: 'Split it' })
}
