import { writePrivateFile } from '../files/private-file.ts'
import { absolutePath, type Host } from '../host.ts'

export interface UnmatchedLine {
  readonly line: number
  readonly text: string
  readonly reason: 'not-found' | 'other-case' | 'blanks' | 'not-an-id'
  /** Ids of those who have the name with different capitalization, or without the spaces around it. */
  readonly persons: readonly string[]
}

/** Lines that a message names. */
export const mostNamed = 10

/** Writes the file of `--unmatched` as CSV, which can be corrected and given again. */
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
