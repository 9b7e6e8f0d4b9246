import {
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Pair,
  parseDocument,
  Scalar,
  type ScalarTag,
  stringify,
} from 'yaml'
import { UsageError } from '../errors.ts'

/** A number as it is written, such as 9007199254740993 or 1.0. */
export class Digits {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

const digits: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: value => value instanceof Digits,
  resolve: text => new Digits(text),
  stringify: ({ value }) => (value instanceof Digits ? value.source : String(value)),
}

/** Levels that are read and written: the package recurses, and indents each level further. */
export const deepestYaml = 200

/** Quotes every text that YAML 1.1 or 1.2 would read as another type. */
export function writeYaml(value: unknown): string {
  return stringify(value, {
    schema: 'core',
    compat: 'yaml-1.1',
    customTags: [digits],
    // Folded lines could not be found with `grep`.
    lineWidth: 0,
    // Text in double quotes stays on one line.
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
}

/** Only double quotes allow escapes for hidden characters. */
export function doubleQuoted(text: string): unknown {
  const scalar = new Scalar(text)
  scalar.type = 'QUOTE_DOUBLE'
  return scalar
}

export type Node =
  | { readonly shape: 'map'; readonly line: number; readonly members: readonly Member[] }
  | { readonly shape: 'list'; readonly line: number; readonly items: readonly Node[] }
  | {
      readonly shape: Shape
      readonly line: number
      readonly text: string
    }

type Shape = 'string' | 'number' | 'boolean' | 'null'

export interface Member {
  readonly line: number
  readonly name: string
  readonly value: Node
}

/**
 * One document of YAML 1.2 or JSON. Throws `UsageError` for what two readers of YAML could read differently; it never
 * repeats a value, which may be a secret.
 */
export function readYaml(text: string, file: string): Node | undefined {
  const lines = new LineCounter()
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const refuse: Refuse = (offset, problem, hint) => {
    throw new UsageError(`${file}:${lineAt(offset)}: ${problem}`, { hint })
  }
  if (isDeep(text)) throw new UsageError(`${file}: the lists in it are nested too deeply`, { hint: 'Nest them less' })
  const { errors, contents } = parseDocument(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  })
  const [error] = errors
  if (error) {
    const what = faults[error.code]
    const unread = [`this is not YAML${what === undefined ? '' : `: ${what}`}`, 'Check indentation and quotes'] as const
    const [problem, hint] = problems[error.code] ?? unread
    refuse(error.pos[0], problem, hint)
  }
  return isBlank(contents) ? undefined : createReader(lineAt, refuse)(contents, 0, 1)
}

type Refuse = (offset: number, problem: string, hint: string) => never

const tooDeep = ['the value is nested too deeply', 'Nest it less'] as const

const problems: Readonly<Partial<Record<ErrorCode, readonly [problem: string, hint: string]>>> = {
  TAB_AS_INDENT: ['a tab indents the line', 'Indent with spaces: YAML takes no tabs there'],
  MULTIPLE_DOCS: ['a second document begins', 'Keep one in the file, and give the other with an -f of its own'],
  RESOURCE_EXHAUSTION: tooDeep,
}

/** The words of the yaml package repeat what stands in the file. */
const faults: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins no escape',
  BAD_INDENT: 'the line is not indented as those around it',
  BAD_SCALAR_START: 'a text begins with a character that needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a value holds a colon or a list, and needs quotes or a line of its own',
  BLOCK_IN_FLOW: 'a value within brackets needs quotes or brackets of its own',
  MISSING_CHAR: 'a quote, bracket, comma, colon or blank is missing',
  MULTILINE_IMPLICIT_KEY: 'a key has no colon on its line',
  UNEXPECTED_TOKEN: 'something stands where nothing of its kind may stand',
}

/** The yaml package recurses without a limit. */
function isDeep(text: string): boolean {
  let depth = 0
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > deepestYaml) return true
  }
  return false
}

function createReader(lineAt: (offset: number) => number, refuse: Refuse) {
  const read = (node: unknown, around: number, depth: number): Node => {
    const offset = offsetOf(node) ?? around
    const line = lineAt(offset)
    refuseMarks(node, offset, refuse)
    if (depth > deepestYaml && (isMap(node) || isSeq(node))) refuse(offset, ...tooDeep)
    if (isMap(node)) return { shape: 'map', line, members: membersOf(node.items, offset, depth + 1) }
    if (isSeq(node)) return { shape: 'list', line, items: node.items.map(item => read(item, offset, depth + 1)) }
    if (isBlank(node)) return refuse(offset, 'an item has no value', 'Take it out, or write null')
    return { line, ...scalarOf(node as Scalar, offset, refuse) }
  }

  const membersOf = (pairs: readonly Pair[], around: number, depth: number): Member[] => {
    const seen = new Set<string>()
    return pairs.map(({ key, value }) => {
      const offset = offsetOf(key) ?? around
      refuseMarks(key, offset, refuse)
      if (!isScalar(key) || isBlank(key))
        return refuse(offset, 'there should be a key here', 'Write it like key: value')
      const name = String(key.value)
      if (name === '<<' && key.type === 'PLAIN')
        refuse(offset, 'the merge key << is not taken', 'Write its members out, or the key in quotes: "<<"')
      if (seen.has(name)) refuse(offset, `${name} is given twice`, 'Keep one of them')
      seen.add(name)
      if (isBlank(value)) refuse(offset, `${name} has no value`, 'Write null to clear it, "" for an empty text')
      return { line: lineAt(offset), name, value: read(value, offset, depth) }
    })
  }

  return read
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

function isBlank(node: unknown): boolean {
  return !isNode(node) || (isScalar(node) && node.type === 'PLAIN' && node.value === '')
}

/** An alias can expand a small file without a limit, and no setting needs tags or anchors. */
function refuseMarks(node: unknown, offset: number, refuse: Refuse): void {
  if (!isNode(node)) return
  if (isAlias(node)) refuse(offset, 'an alias (*) is not taken', 'Write the value out')
  if (node.anchor !== undefined) refuse(offset, 'an anchor (&) is not taken', 'Write the value out')
  if (node.tag !== undefined) refuse(offset, 'a tag (!) is not taken', 'Write text in quotes instead')
}

function scalarOf({ type, value }: Scalar, offset: number, refuse: Refuse): { shape: Shape; text: string } {
  const text = String(value)
  if (type !== 'PLAIN') return { shape: 'string', text }
  if (isForeignNumber(text)) {
    refuse(offset, 'this is not a number in JSON', 'Write it in plain digits, or as text in quotes')
  }
  return plain(text)
}

function plain(text: string): { shape: Shape; text: string } {
  if (/^(null|Null|NULL|~)$/.test(text)) return { shape: 'null', text: 'null' }
  if (/^(true|True|TRUE|false|False|FALSE)$/.test(text)) return { shape: 'boolean', text: text.toLowerCase() }
  return { shape: isJsonNumber(text) ? 'number' : 'string', text }
}

function isJsonNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)
}

/** `012`, `0x1f`, `+1`, `.5` and `.inf` are numbers in YAML 1.2 with another meaning in YAML 1.1. */
function isForeignNumber(text: string): boolean {
  const core =
    /^([-+]?(\d+|(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?|\.(inf|Inf|INF))|\.(nan|NaN|NAN)|0o[0-7]+|0x[\da-fA-F]+)$/
  return core.test(text) && !isJsonNumber(text)
}
