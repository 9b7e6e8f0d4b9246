import { cells, fillLines } from '../text/cells.ts'

/** To the end of the text after a colon, else as far as a command surely goes. */
const command = /(?<=: )(?:analytics|chmod|ssh-keygen) .*$|\banalytics(?: [a-z][a-z-]*){1,2}(?: [^a-z\s(]\S*)*\S*/
  .source

/** Several blanks in a row belong to what somebody has named. */
const pieces = new RegExp(`${command}|\\S+(?: {2,}\\S+)*`, 'g')
const lastCommand = new RegExp(`(?:${command})$`)

/** A full stop behind it would be copied with it. */
export function endsInCommand(text: string): boolean {
  return lastCommand.test(text)
}

/** Breaks a message at blanks, because a terminal would break it within words. A longer path or command stays whole. */
export function wrapMessage(text: string, columns: number | undefined): string {
  if (columns === undefined || cells(text) <= columns) return text
  // The depth of a line of YAML in a diff tells what it belongs to.
  const [head = ''] = /^(?:[+-] )? */.exec(text) ?? []
  // A full line moves the cursor of some terminals to the next one.
  return fillLines(text.slice(head.length).match(pieces) ?? [], columns - 1 - head.length)
    .map((line, i) => (i === 0 ? head : ' '.repeat(head.length)) + line)
    .join('\n')
}
