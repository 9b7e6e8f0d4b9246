import { cells, fillLines } from '../text/cells.ts'

/** After a colon, a command extends to the end of the text; elsewhere, as far as words are certainly part of it. */
const command = /(?<=: )(?:analytics|chmod|ssh-keygen) .*$|\banalytics(?: [a-z][a-z-]*){1,2}(?: [^a-z\s(]\S*)*\S*/
  .source

/** Several blanks in a row belong to a name. */
const pieces = new RegExp(`${command}|\\S+(?: {2,}\\S+)*`, 'g')
const lastCommand = new RegExp(`(?:${command})$`)

/** A full stop after a command would be copied with it. */
export function endsInCommand(text: string): boolean {
  return lastCommand.test(text)
}

/** Breaks at blanks, because a terminal would break within words. Longer paths and commands stay whole. */
export function wrapMessage(text: string, columns: number | undefined): string {
  if (columns === undefined || cells(text) <= columns) return text
  // The indentation of YAML in a diff has a meaning.
  const [head = ''] = /^(?:[+-] )? */.exec(text) ?? []
  // A full line moves the cursor of some terminals to the next line.
  return fillLines(text.slice(head.length).match(pieces) ?? [], columns - 1 - head.length)
    .map((line, i) => (i === 0 ? head : ' '.repeat(head.length)) + line)
    .join('\n')
}
