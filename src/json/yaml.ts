import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Pair,
  type ParsedNode,
  parseDocument,
  Scalar,
  type ScalarTag,
  stringify,
  visit,
  type YAMLParseError,
} from 'yaml'
import { UsageError } from '../errors.ts'
import { faultOf, tooDeep, unclosed } from './yaml-faults.ts'

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
    const start = startOfUnclosed(error, text, contents)
    refuse(start ?? error.pos[0], ...(start === undefined ? faultOf(error.code) : unclosed))
  }
  return isBlank(contents) ? undefined : createReader(lineAt, refuse)(contents, 0, 1)
}

type Refuse = (offset: number, problem: string, hint: string) => never

/** The package gives the place where it stopped to look for the end, which can be many lines further down. */
function startOfUnclosed({ message, pos }: YAMLParseError, text: string, contents: ParsedNode | null) {
  const closing = /(?:^Missing closing |end with a )(["'\]}])/.exec(message)?.[1]
  if (closing === undefined) return undefined
  const opening = closing.replace(']', '[').replace('}', '{')
  let start: number | undefined
  visit(contents, {
    Node(_, { range }) {
      if (range?.[1] === pos[0] && text[range[0]] === opening) start = range[0]
    },
  })
  return start
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
