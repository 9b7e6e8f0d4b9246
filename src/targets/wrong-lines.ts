/** All entries of a list that cannot be used, said at once. */
import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import { firstOf } from '../text/grouped.ts'
import { quoteText } from '../values/kinds.ts'
import type { ReadList } from './read-list.ts'

export interface WrongLine {
  readonly line: number
  readonly text: string
  /** Follows the number of the line, such as `has no email`. */
  readonly problem: string
  readonly hint?: string | undefined
}

export const mostNamed = 10

/** Throws `UsageError` for the first mistake, with the numbers of ten. All lines go to the file for what has no target. */
export function refuseWrongLines(
  { host }: Context,
  { where, unit }: ReadList,
  wrong: readonly WrongLine[],
  unmatched: string | undefined,
): void {
  const [first, ...others] = wrong
  if (!first) return
  if (unmatched !== undefined) saveLines(host.cwd, unmatched, wrong)
  // Logs are kept, so what stands in a list is shown only at a terminal.
  const named = ({ line, text }: WrongLine) => (host.stderr.isTerminal ? `${line} (${quoteText(text)})` : String(line))
  const rest = firstOf(others.map(named), mostNamed - 1)
  const also = others.length === 0 ? '' : `; there are mistakes on ${unit}${others.length === 1 ? '' : 's'} ${rest} too`
  const what = first.problem.startsWith(':') ? first.problem : ` ${first.problem}`
  throw new UsageError(`${where}: ${unit} ${named(first)}${what}${also}`, { hint: first.hint })
}

/** As lines that give the same names again. */
export function saveNames(cwd: string, file: string, names: readonly { readonly text: string }[], field: string): void {
  const arePlain = names.every(({ text }) => text.trim() === text && !/^[[{]|[\p{Cc}<>"]|^mailto:/iu.test(text))
  saveLines(cwd, file, arePlain ? names : names.map(({ text }) => ({ text: JSON.stringify({ [field]: text }) })))
}

function saveLines(cwd: string, file: string, lines: readonly { readonly text: string }[]): void {
  writePrivateFile(resolve(cwd, file), '--unmatched', lines.map(({ text }) => `${text}\n`).join(''))
}
