import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  type ScalarTag,
  stringify,
} from 'yaml'
import { UsageError } from '../errors.ts'
import { escapeControlsInJson, replaceControls } from '../text/escape-controls.ts'
import { decodeValid, ExactNumber, encode, isObject } from './exact.ts'

export interface YamlMember {
  readonly name: string
  readonly line: number
  /** Numbers stay as they are written. */
  readonly value: unknown
  /** It repeats nothing of the value, which may be secret. */
  readonly problem: string | undefined
}

/** Reads the members of one document of YAML 1.2 or JSON. Throws `UsageError` for anything else. */
export function readYaml(text: string, file: string): readonly YamlMember[] {
  const lines = new LineCounter()
  // The package's own messages would repeat parts of the file.
  const options = { schema: 'core', uniqueKeys: false, prettyErrors: false, lineCounter: lines } as const
  const { errors, contents } = parseDocument(text, options)
  const [error] = errors
  if (error) {
    const isDeep = error.code === 'RESOURCE_EXHAUSTION'
    const fault = isDeep ? 'nested too deeply' : error.code.toLowerCase().replaceAll('_', ' ')
    throw new UsageError(`${file}:${lines.linePos(error.pos[0]).line}: invalid YAML (${fault})`, {
      hint: 'Check indentation, quotes and brackets',
    })
  }
  if (contents === null || (isScalar(contents) && contents.value === null)) return []
  if (!isMap(contents) || isMarked(contents)) {
    throw new UsageError(`${file}:1: not a settings file, which has lines of the form field: value`)
  }
  const names = new Set<string>()
  return contents.items.map(({ key, value }) => {
    const problems: string[] = []
    const name = nameOf(key, names, 'is given twice', problems)
    const { line } = lines.linePos((isNode(key) && key.range?.[0]) || 0)
    return { name, line, value: readValue(value, problems), problem: problems[0] }
  })
}

const marked = 'has an anchor, an alias, a tag or a merge key, which settings files do not support'

function isMarked(node: unknown): boolean {
  return isAlias(node) || (isNode(node) && (node.tag !== undefined || node.anchor !== undefined))
}

function nameOf(key: unknown, taken: Set<string>, twice: string, problems: string[]): string {
  const isMerge = isScalar(key) && key.type === 'PLAIN' && key.source === '<<'
  if (isMerge || isMarked(key)) problems.push(marked)
  else if (!isScalar(key)) problems.push('has a key that is not text')
  const name = (isScalar(key) && key.source) || ''
  if (taken.has(name)) problems.push(twice)
  taken.add(name)
  return name
}

function readValue(node: unknown, problems: string[]): unknown {
  if (isMarked(node)) problems.push(marked)
  if (isSeq(node)) return node.items.map(item => readValue(item, problems))
  if (isMap(node)) {
    const names = new Set<string>()
    return Object.fromEntries(
      node.items.map(({ key, value }) => [
        nameOf(key, names, 'has a duplicate member', problems),
        readValue(value, problems),
      ]),
    )
  }
  if (!isScalar(node) || (node.type === 'PLAIN' && node.source === '')) {
    problems.push('has no value: use null to clear it, or "" for empty text')
    return undefined
  }
  const { value, source = '' } = node
  if (typeof value !== 'number') return value
  const exact = decodeValid(source)
  if (exact === undefined && !Number.isFinite(value)) problems.push('has a number that JSON does not support')
  return exact ?? value
}

const digits: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: value => value instanceof ExactNumber,
  resolve: text => new ExactNumber(text),
  stringify: ({ value }) => String(value),
}

/** Levels of nesting: the package recurses, and a full stack ends the program. */
const deepestWritten = 100

/** Quotes each text that YAML 1.1 or 1.2 would read as another type. Values that are nested too deeply for YAML are written as JSON. */
export function yamlField(field: string, value: unknown): string {
  if (isDeeper(value, deepestWritten)) return `${field}: ${escapeControlsInJson(encode(value))}\n`
  const text = stringify(writable({ [field]: value }), {
    schema: 'core',
    compat: 'yaml-1.1',
    customTags: [digits],
    aliasDuplicateObjects: false,
    // `grep` would not find folded lines.
    lineWidth: 0,
    // Keeps text in double quotes on one line.
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  })
  return text.replace(/[^\n]+/g, line => replaceControls(line, escaped))
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(member => isDeeper(member, levels - 1))
}

function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`
}

/** Maps, because the package writes members of objects with the name `__proto__` as nothing. */
function writable(value: unknown): unknown {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return value.map(writable)
  if (!isObject(value)) return value
  return new Map(Object.entries(value).map(([name, member]) => [quoted(name), writable(member)]))
}

/** Double quotes for control characters, blanks that a block loses, commands to a CI runner, and `=`, a type in YAML 1.1. */
function quoted(text: string): unknown {
  const isPlain = replaceControls(text, character => (character === '\n' ? character : '')) === text
  if (isPlain && text !== '=' && /^$|\S/.test(text) && !/^\s*(::|##)/m.test(text)) return text
  const scalar = new Scalar(text)
  scalar.type = 'QUOTE_DOUBLE'
  return scalar
}
