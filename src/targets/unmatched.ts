/** Lines of a list without a target: mistakes that stop the command, and the file of `--unmatched`. */
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import { absolutePath, type Host } from '../host.ts'
import { firstOf } from '../text/grouped.ts'
import { quoteText } from '../values/kinds.ts'
import type { InputList } from './read-list.ts'

export interface UnmatchedLine {
  readonly line: number
  readonly text: string
  readonly reason: 'not-found' | 'other-case' | 'blanks' | 'not-an-id'
  /** Ids of those who have the name with different capitalization, or without the spaces around it. */
  readonly persons: readonly string[]
}

export interface WrongLine {
  readonly line: number
  readonly text: string
  /** Follows the number of the line, such as `has no email`. */
  readonly problem: string
  readonly hint?: string | undefined
}

export const mostNamed = 10

/** Throws `UsageError` for the first mistake, with the numbers of ten. */
export async function refuseWrongLines(
  { host }: Context,
  { where, unit }: InputList,
  wrong: readonly WrongLine[],
  saved: { readonly file: string | undefined; readonly column: string },
): Promise<void> {
  const [first, ...others] = wrong
  if (!first) return
  const lines = wrong.map(({ line, text }) => ({ line, text, reason: 'not-an-id', persons: [] }) as const)
  await saveUnmatched(host, saved.file, saved.column, lines)
  // Logs are kept, so the text of a line is shown only at a terminal.
  const named = ({ line, text }: WrongLine) => (host.stderr.isTerminal ? `${line} (${quoteText(text)})` : String(line))
  const rest = firstOf(others.map(named), mostNamed - 1)
  const also = others.length === 0 ? '' : `; there are mistakes on ${unit}${others.length === 1 ? '' : 's'} ${rest} too`
  const what = first.problem.startsWith(':') ? first.problem : ` ${first.problem}`
  throw new UsageError(`${where}: ${unit} ${named(first)}${what}${also}`, { hint: first.hint })
}

/** As CSV, which can be corrected and given again. */
export async function saveUnmatched(
  host: Pick<Host, 'cwd'>,
  file: string | undefined,
  column: string,
  lines: readonly UnmatchedLine[],
): Promise<void> {
  if (file === undefined) return
  // Loaded only where it is used.
  const { csvText } = await import('../output/csv.ts')
  const rows = lines.map(({ line, text, reason, persons }) => [line, text, reason, persons.join(' ')])
  const csv = csvText([['line', column, 'reason', 'person_id'], ...rows])
  writePrivateFile(absolutePath(host, file), '--unmatched', csv)
}
