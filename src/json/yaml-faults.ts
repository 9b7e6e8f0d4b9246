/** Messages of the yaml package would repeat the content of the file, which may be secret. */
import type { ErrorCode } from 'yaml'

export type Fault = readonly [problem: string, hint: string]

export const tooDeep: Fault = ['the value is nested too deeply', 'Nest it less']

/** An alias can expand a small file without limit, and no setting needs tags or anchors. */
export const marks = {
  alias: ['an alias (*) is not allowed', 'Write the value out'],
  anchor: ['an anchor (&) is not allowed', 'Write the value out'],
  tag: ['a tag (!) is not allowed', 'Write text in quotes instead'],
} as const satisfies Readonly<Record<string, Fault>>

export const mergeKey: Fault = ['the merge key << is not allowed', 'Write its members out, or the key in quotes: "<<"']

export const foreignNumber: Fault = [
  'this number is not written as JSON writes it',
  'Write it in plain digits with no zero in front, or as text in quotes',
]

export const unclosed: Fault = [
  'this is not YAML: the bracket or quote that opens here is not closed',
  'Close it, and indent its further lines',
]

export function faultOf(code: ErrorCode): Fault {
  const what = parts[code]
  return faults[code] ?? [`this is not YAML${what === undefined ? '' : `: ${what}`}`, 'Check indentation and quotes']
}

const faults: Readonly<Partial<Record<ErrorCode, Fault>>> = {
  BAD_INDENT: [
    'this is not YAML: the line is not indented as those around it, or as a text after | or > has to be',
    'Indent alike what belongs together, and write no number after | or >',
  ],
  TAB_AS_INDENT: ['a tab indents the line', 'Indent with spaces: YAML takes no tabs there'],
  MULTIPLE_DOCS: ['a second document begins', 'Keep one in the file, and give the other with an -f of its own'],
  RESOURCE_EXHAUSTION: tooDeep,
}

const parts: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins no escape',
  BAD_SCALAR_START: 'a text begins with a character that needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value holds a colon or a list, and needs quotes or a line of its own',
  BLOCK_IN_FLOW: 'a value within brackets needs quotes or brackets of its own',
  MISSING_CHAR: 'a quote, bracket, comma, colon or blank is missing',
  MULTILINE_IMPLICIT_KEY: 'a key has no colon on its line',
  UNEXPECTED_TOKEN: 'there is something here that does not belong here',
}
