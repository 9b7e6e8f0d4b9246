/** Accounts for each line of a list that names persons: who is found, and which lines are not matched, and why. */
import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import { RefusedError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import type { ListAccount } from '../jobs/receipt.ts'
import { countOf, grouped } from '../text/grouped.ts'
import { unseenIn } from '../text/unseen-character.ts'
import { type FoundLine, lookUp, type Why } from './find-persons-by-name.ts'
import { lineFor } from './given-name.ts'
import type { PersonReader } from './list-persons.ts'
import { ListMistakes, warnOfCut } from './read-entries.ts'
import { type NameList, readNames } from './read-list.ts'
import type { ListFile, NameKind } from './source.ts'

export const personLists = {
  email: { option: '--emails-from', column: 'email' },
  distinctId: { option: '--distinct-ids-from', column: 'distinct_id' },
} as const

/** Sends no request. Throws `UsageError` for an unreadable list, after its mistakes are in `--unmatched`. */
export async function readPersonList(context: Context, by: NameKind, given: ListFile): Promise<NameList> {
  const { option, column } = personLists[by]
  const kind = { option, column: given.column ?? column, isNamed: given.column !== undefined }
  const list = await keepMistakes(context, given, () => readNames(context.host, given.file, kind))
  warnOfCut(context, option, list)
  return list
}

export async function keepMistakes<T>(context: Context, given: ListFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ListMistakes) saveUnmatched(context, error.entries, given)
    throw error
  }
}

export interface NamedPersons {
  /** Looks each name up once, in the order of the list. */
  find(reader: PersonReader, concurrency: number): AsyncIterable<readonly FoundLine[]>
  /** Call it after `find`. Throws `RefusedError` if the options want a person for each line. */
  report(): ListAccount
}

export function namedPersons(context: Context, by: NameKind, list: NameList, options: ListFile): NamedPersons {
  const unmatched: Unmatched[] = []
  const note = ({ text, line, why }: FoundLine): void => {
    if (why === undefined || (why === 'several' && options.onSeveral === 'all')) return
    for (const each of [line, ...(list.repeats.get(text) ?? [])]) unmatched.push({ text, line: each, why })
  }
  async function* find(reader: PersonReader, concurrency: number) {
    let isWhole = false
    try {
      for await (const lines of lookUp(reader, list.names, { by, concurrency })) {
        lines.forEach(note)
        yield lines
      }
      isWhole = true
    } finally {
      if (!isWhole && unmatched.length > 0) saveUnmatched(context, inOrder(unmatched), options)
    }
  }
  return {
    find,
    report() {
      const lines = inOrder(unmatched)
      saveUnmatched(context, lines, options)
      if (lines.length > 0) reportUnmatched(context, lines, list, options)
      refuseUnmatched(by, lines, options)
      const numbers = lines.map(({ line }) => line)
      return { lines: list.lines, matched: list.lines - lines.length, unmatched: numbers, sha256: list.sha256 }
    },
  }
}

/** The persons of a line who are targets. */
export function targetsOf({ persons, why }: FoundLine, { onSeveral }: ListFile): FoundLine['persons'] {
  return why === undefined || onSeveral === 'all' ? persons : []
}

interface Unmatched {
  readonly text: string
  readonly line: number
  readonly why: Why
}

function inOrder(lines: readonly Unmatched[]): readonly Unmatched[] {
  return lines.toSorted((a, b) => a.line - b.line)
}

function saveUnmatched({ host }: Context, lines: readonly { readonly text: string }[], { unmatched }: ListFile) {
  if (unmatched === undefined) return
  const text = lines.map(({ text }) => `${lineFor(text)}\n`).join('')
  writePrivateFile(resolve(host.cwd, unmatched), '--unmatched', text)
}

const reasons: Readonly<Record<Why, string>> = {
  nobody: 'belongs to nobody',
  several: 'belongs to several persons',
  'other-case': 'is found only with other upper and lower case',
  'distinct-id': 'is found only as a distinct id (--distinct-ids-from finds it)',
}

const mostNamed = 10

function reportUnmatched(
  { messages, host }: Context,
  unmatched: readonly Unmatched[],
  { lines, isPlain }: NameList,
  options: ListFile,
): void {
  const verb = unmatched.length === 1 ? 'has' : 'have'
  const isCsv = isPlain && unmatched.every(({ text }) => /[,;]/.test(text))
  const cause = isCsv ? '; CSV needs a heading, and --column names its column' : ''
  messages.fault(`${grouped(unmatched.length)} of ${countOf(lines, 'line', 'lines')} ${verb} no target${cause}`)
  for (const { text, line, why } of unmatched.slice(0, mostNamed)) {
    // An e-mail that somebody copied may hold a character that nobody sees.
    const unseen = why === 'nobody' ? unseenIn(text) : ''
    // Logs are kept, so names are shown only at a terminal.
    messages.say(`  ${host.stderr.isTerminal ? JSON.stringify(text) : `line ${line}`} ${reasons[why]}${unseen}`)
  }
  const more = unmatched.length - mostNamed
  if (more <= 0) return
  messages.say(`  and ${grouped(more)} more${options.unmatched === undefined ? ' (--unmatched FILE keeps all)' : ''}`)
}

function refuseUnmatched(by: NameKind, unmatched: readonly Unmatched[], { requireAll, onSeveral }: ListFile): void {
  const hint = 'Correct the list'
  if (requireAll && unmatched.length > 0) {
    throw new RefusedError('--require-all: not every line has a target', {
      hint: `${hint}, or leave --require-all out`,
    })
  }
  if (onSeveral === undefined && unmatched.some(({ why }) => why === 'several')) {
    throw new RefusedError(`Several persons have the same ${by === 'email' ? 'e-mail' : 'distinct id'}`, {
      hint: `${hint}, or give --on-several all or --on-several skip`,
    })
  }
}
