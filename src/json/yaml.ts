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
import { ExactNumber, isObject } from './exact.ts'
import { type Fault, faultOf, foreignNumber, marks, mergeKey, tooDeep, unclosed } from './yaml-faults.ts'

const digits: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: value => value instanceof ExactNumber,
  resolve: text => new ExactNumber(text),
  stringify: ({ value }) => (value instanceof ExactNumber ? value.source : String(value)),
}

/** Levels; the package recurses, and indents each level further. */
export const deepestYaml = 200

export function isTooDeepForYaml(value: unknown, levels = deepestYaml): boolean {
  if (levels < 0) return true
  const inside = Array.isArray(value) || isObject(value) ? Object.values(value) : []
  return inside.some(one => isTooDeepForYaml(one, levels - 1))
}

/** Quotes each text that YAML 1.1 or 1.2 would read as another type. */
export function writeYaml(value: unknown): string {
  return stringify(value, {
    schema: 'core',
    compat: 'yaml-1.1',
    customTags: [digits],
    // `grep` would not find folded lines.
    lineWidth: 0,
    // Keeps text in double quotes on one line.
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
}

/** Only double quotes allow escapes for invisible characters. */
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
  | { readonly shape: 'invalid'; readonly line: number }

type Shape = 'string' | 'number' | 'boolean' | 'null'

export interface Member {
  readonly line: number
  readonly name: string
  readonly value: Node
}

export interface YamlMistake {
  readonly line: number
  readonly problem: string
  readonly hint: string
}

interface YamlDocument {
  readonly root: Node | undefined
  /** Places that two readers of YAML could read differently. */
  readonly mistakes: readonly YamlMistake[]
}

/** Reads one document of YAML 1.2 or JSON. Throws `UsageError`. Messages repeat no values, which may be secret. */
export function readYaml(text: string, file: string): YamlDocument {
  const lines = new LineCounter()
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
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
    const [problem, hint] = start === undefined ? faultOf(error.code) : unclosed
    throw new UsageError(`${file}:${lineAt(start ?? error.pos[0])}: ${problem}`, { hint })
  }
  const mistakes: YamlMistake[] = []
  const report = (offset: number, [problem, hint]: Fault) => void mistakes.push({ line: lineAt(offset), problem, hint })
  return { root: isBlank(contents) ? undefined : createReader(lineAt, report)(contents, 0, 1), mistakes }
}

/** The package reports where its search for the end stopped, which may be many lines later. */
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

function createReader(lineAt: (offset: number) => number, report: (offset: number, fault: Fault) => void) {
  const read = (node: unknown, around: number, depth: number): Node => {
    const offset = offsetOf(node) ?? around
    const line = lineAt(offset)
    const invalid = (fault: Fault): Node => {
      report(offset, fault)
      return { shape: 'invalid', line }
    }
    const mark = markOf(node)
    if (mark === marks.anchor) report(offset, mark)
    const unread = mark === marks.anchor ? undefined : mark
    if (isMap(node) || isSeq(node)) {
      if (depth > deepestYaml) return invalid(tooDeep)
      const value: Node = isMap(node)
        ? { shape: 'map', line, members: membersOf(node.items, offset, depth + 1) }
        : { shape: 'list', line, items: node.items.map(item => read(item, offset, depth + 1)) }
      return unread ? invalid(unread) : value
    }
    if (unread) return invalid(unread)
    if (isBlank(node)) return invalid(['an item has no value', 'Take it out, or write null'])
    const { type, value } = node as Scalar
    const text = String(value)
    if (type !== 'PLAIN') return { shape: 'string', line, text }
    return isForeignNumber(text) ? invalid(foreignNumber) : { line, ...plain(text) }
  }

  const membersOf = (pairs: readonly Pair[], around: number, depth: number): Member[] => {
    const seen = new Set<string>()
    return pairs.flatMap(({ key, value }) => {
      const offset = offsetOf(key) ?? around
      const line = lineAt(offset)
      const fault = keyFault(key)
      if (fault) {
        report(offset, fault)
        return []
      }
      const name = String((key as Scalar).value)
      if (seen.has(name)) report(offset, [`${nameOfKey(name) ?? 'a key'} is given twice`, 'Keep one of them'])
      seen.add(name)
      if (!isBlank(value)) return [{ line, name, value: read(value, offset, depth) }]
      report(offset, [`${nameOfKey(name) ?? 'a key'} has no value`, 'Write null to clear it, "" for an empty text'])
      return [{ line, name, value: { shape: 'invalid', line } }]
    })
  }

  return read
}

/** Returns a key that messages may repeat; tokens and addresses do not look like these words. */
export function nameOfKey(key: string): string | undefined {
  return /^[a-z_ -]{1,60}$/i.test(key) ? key : undefined
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

function isBlank(node: unknown): boolean {
  return !isNode(node) || (isScalar(node) && node.type === 'PLAIN' && node.value === '')
}

function markOf(node: unknown): Fault | undefined {
  if (!isNode(node)) return undefined
  if (isAlias(node)) return marks.alias
  if (node.tag !== undefined) return marks.tag
  return node.anchor === undefined ? undefined : marks.anchor
}

function keyFault(key: unknown): Fault | undefined {
  const mark = markOf(key)
  if (mark) return mark
  if (!isScalar(key) || isBlank(key)) return ['there should be a key here', 'Write it like key: value']
  return key.value === '<<' && key.type === 'PLAIN' ? mergeKey : undefined
}

function plain(text: string): { shape: Shape; text: string } {
  if (/^(null|Null|NULL|~)$/.test(text)) return { shape: 'null', text: 'null' }
  if (/^(true|True|TRUE|false|False|FALSE)$/.test(text)) return { shape: 'boolean', text: text.toLowerCase() }
  return { shape: isJsonNumber(text) ? 'number' : 'string', text }
}

function isJsonNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)
}

/** `012`, `0x1f`, `+1`, `.5` and `.inf` are numbers in YAML 1.2, but mean something else in YAML 1.1. */
function isForeignNumber(text: string): boolean {
  const core =
    /^([-+]?(\d+|(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?|\.(inf|Inf|INF))|\.(nan|NaN|NAN)|0o[0-7]+|0x[\da-fA-F]+)$/
  return core.test(text) && !isJsonNumber(text)
}
