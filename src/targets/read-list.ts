/** Reads a list whole: one name a line, JSON, NDJSON or CSV. */
import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { isPipe, readInput, textOf } from '../files/read-input.ts'
import { decodeGiven, type Json } from '../json/exact.ts'
import { Malformed } from '../json/item.ts'
import { cellsOf, headerOf, headingsIn } from './csv.ts'

export type Entry =
  /** A line, without the blanks around it. */
  | { readonly form: 'plain'; readonly line: number; readonly text: string }
  /** Cells by heading. */
  | { readonly form: 'csv'; readonly line: number; readonly cells: ReadonlyMap<string, string> }
  /** Undefined for a line that is not JSON. */
  | { readonly form: 'json'; readonly line: number; readonly value: Json | undefined }

export interface List {
  /** For messages, such as `--from ids.txt`. */
  readonly where: string
  readonly entries: readonly Entry[]
  readonly sha256: string
}

export interface ListOption {
  readonly option: '--from' | '--emails-from' | '--distinct-ids-from' | '--rows'
  /** `-` is stdin. */
  readonly file: string
  /** Headings, one of which a CSV must have. */
  readonly wanted: readonly string[]
  /** Other headings that are compared like these, and not letter by letter. */
  readonly known?: readonly string[]
  /** It can be no list of plain lines. */
  readonly hasColumns: boolean
}

const most = 512 * 1024 * 1024

/** Throws `UsageError` for a list that cannot be read. */
export async function readList({ host, messages }: Context, list: ListOption): Promise<List> {
  const { option, file } = list
  const where = `${option} ${file === '-' ? 'stdin' : file}`
  if (file === '-' && host.stdin.isTerminal) messages.notice(`${option}: reading from the terminal, until Ctrl-D`)
  const bytes = await readInput(host, { file, where, most, hint: 'Split it' })
  const text = textOf(bytes, where)
  const whole = wholeJson(text, where)
  const entries = whole ?? (await linesOf(text, where, list))
  const last = entries.at(-1)
  if (!whole && last && !text.endsWith('\n') && isPipe(host, file)) {
    messages.warn(`${option}: the last line, number ${last.line}, has no end: the list may be cut off`)
  }
  return { where, entries, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Undefined unless the whole text is one JSON list or object. */
function wholeJson(text: string, where: string): readonly Entry[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const value = jsonIn(text, `${where}: `)
  if (value === undefined) return undefined
  const items: readonly Json[] = Array.isArray(value) ? value : [value]
  return items.map((item, i) => ({ form: 'json', line: i + 1, value: item }))
}

async function linesOf(text: string, where: string, list: ListOption): Promise<readonly Entry[]> {
  const lines = text.split('\n').map(withoutBlanks)
  const first = lines.findIndex(line => line !== '')
  const begin = lines[first] ?? ''
  if (begin.startsWith('{')) return ndjson(lines, where)
  if (/^\[\s*($|["{\d-])/.test(begin)) {
    throw new UsageError(`${where} is not proper JSON`, { hint: 'Check its end: it may be cut off' })
  }
  const header = headerOf(begin, list.wanted, list.known)
  if (header) return cellsOf(text, header, where)
  const headings = headingsIn(begin)
  // A distinct id may hold a comma.
  const areWords = headings.every(heading => /^\p{L}[\w .-]*$/u.test(heading))
  const isCsv = headings.length > 1 && (areWords || list.option !== '--distinct-ids-from')
  if (begin !== '' && (list.hasColumns || isCsv)) {
    const wanted = list.wanted.join(' or ')
    throw new UsageError(`${where} has no column ${wanted}; it has ${headings.join(', ')}`, {
      hint: list.option === '--rows' ? `Name one of them ${wanted}` : 'Name the column with --column NAME',
    })
  }
  return lines.flatMap((line, i) => (line === '' ? [] : [{ form: 'plain', line: i + 1, text: line } as const]))
}

function ndjson(lines: readonly string[], where: string): readonly Entry[] {
  return lines.flatMap((line, i) => {
    if (line === '') return []
    return [{ form: 'json', line: i + 1, value: jsonIn(line, `${where}, line ${i + 1}: `) } as const]
  })
}

function jsonIn(text: string, where: string): Json | undefined {
  try {
    return decodeGiven(text, where)
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

/** Only these stand around a line; others, such as a no-break space, may be part of a name. */
function withoutBlanks(line: string): string {
  let from = 0
  let to = line.length
  while (from < to && isBlank(line.charCodeAt(from))) from++
  while (to > from && isBlank(line.charCodeAt(to - 1))) to--
  return line.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}
