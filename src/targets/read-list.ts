/** Reads a list whole: one name a line, JSON, NDJSON or CSV. */
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { decodeUtf8, readInput } from '../files/read-input.ts'
import { givenIn, type Json } from '../json/exact.ts'
import { headerOf, headingsIn, rowsIn } from './csv.ts'

export interface Entry {
  readonly form: 'plain' | 'csv' | 'json'
  readonly line: number
  /** A line without the blanks around it, the cells by heading, or what a line of JSON means; undefined if it is none. */
  readonly value: Json | undefined
}

export interface ReadList {
  readonly where: string
  /** What its entries are called in messages, which count them. */
  readonly unit: 'line' | 'item'
  /** Made one by one, so that a million lines are no million objects. */
  readonly entries: Iterable<Entry>
  readonly sha256: string
}

interface ListOption {
  readonly option: '--from' | '--emails-from' | '--distinct-ids-from' | '--rows'
  readonly file: string
  /** Headings, one of which a CSV must have. */
  readonly wanted: readonly string[]
  /** Other headings that may be spelled in any usual way. */
  readonly known: readonly string[]
  /** With it, or with `--rows`, it can be no list of plain lines. */
  readonly column: string | undefined
}

const hints = {
  '--from':
    'Name it with --column NAME; e-mails and distinct ids of persons have --emails-from and --distinct-ids-from',
  '--emails-from': 'Name the column with --column NAME',
  '--distinct-ids-from': 'Name the column with --column NAME',
  '--rows': 'Give one of the columns that heading',
} as const

const mostBytes = 256 * 1024 * 1024

export async function readList({ host, messages }: Context, list: ListOption): Promise<ReadList> {
  const { option, file } = list
  const where = `${option} ${file === '-' ? 'stdin' : file}`
  if (file === '-' && host.stdin.isTerminal) messages.notice(`${option}: reading from the terminal, until Ctrl-D`)
  const bytes = await readInput(host, { file, where, most: mostBytes })
  const text = decodeUtf8(bytes, where)
  const whole = /^\s*[[{]/.test(text) ? givenIn(text, `${where}: `) : undefined
  const entries = whole === undefined ? await linesIn(text, where, list) : itemsIn([whole].flat())
  if (whole === undefined && text !== '' && !text.endsWith('\n') && isPipe(host, file)) {
    messages.warn(`${where}: the last line has no end: the list may be cut off`)
  }
  return {
    where,
    unit: Array.isArray(whole) ? 'item' : 'line',
    entries,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

function* itemsIn(items: readonly Json[]): Generator<Entry> {
  for (const [i, value] of items.entries()) yield { form: 'json', line: i + 1, value }
}

async function linesIn(text: string, where: string, list: ListOption): Promise<Iterable<Entry>> {
  const first = String(filledLines(text).next().value?.value ?? '')
  if (/^\[\s*($|["{\d-])/.test(first)) {
    throw new UsageError(`${where} is not proper JSON`, { hint: 'Check its end: it may be cut off' })
  }
  if (first.startsWith('{')) return filledLines(text, (line, n) => givenIn(line, `${where}, line ${n}: `))
  const header = headerOf(first, list.wanted, list.known)
  if (header) return rowsIn(text, header, where)
  const headings = headingsIn(first)
  // A distinct id may hold a comma.
  const mayHold = list.option === '--distinct-ids-from'
  const isEven = ({ value }: Entry) => headingsIn(String(value)).length === headings.length
  const isCsv = headings.length > 1 && (!mayHold || Array.from(filledLines(text)).every(isEven))
  if (first !== '' && (list.column !== undefined || list.option === '--rows' || isCsv)) {
    const wanted = list.wanted.join(' or ')
    throw new UsageError(`${where} has no column ${wanted}; it has ${headings.map(withoutNames).join(', ')}`, {
      hint: hints[list.option],
    })
  }
  return filledLines(text)
}

/** The first line may hold no headings, but somebody's e-mail, and logs are kept. */
function withoutNames(heading: string): string {
  return heading.includes('@') ? '…' : heading
}

function* filledLines(text: string, read?: (line: string, number: number) => Json | undefined): Generator<Entry> {
  for (let from = 0, line = 1; from < text.length; line++) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    const value = withoutBlanks(text.slice(from, to))
    if (value !== '') yield read ? { form: 'json', line, value: read(value, line) } : { form: 'plain', line, value }
    from = to + 1
  }
}

/** Only these stand around a line; others, such as a no-break space, may be part of a name. */
function withoutBlanks(line: string): string {
  let [from, to] = [0, line.length]
  while (from < to && isBlank(line.charCodeAt(from))) from++
  while (to > from && isBlank(line.charCodeAt(to - 1))) to--
  return line.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** Whether it cannot be read again. False for one that cannot be read at all. */
function isPipe({ cwd }: Context['host'], file: string): boolean {
  if (file === '-') return true
  const path = resolve(cwd, file)
  return existsSync(path) && !statSync(path).isFile()
}
