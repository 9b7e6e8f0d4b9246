import { decode } from '../json/exact.ts'
import { exactKind } from '../json/exact-kind.ts'
import { Malformed } from '../json/item.ts'
import { problemOf, wants } from '../json/problem.ts'
import { writeMembers } from '../json/write-members.ts'
import type { Node } from '../json/yaml.ts'
import { boolean, json, type Kind } from '../values/kinds.ts'
import { listItem } from '../values/lists.ts'
import { unescapeVariable, variableIn, variableWithin } from './variables.ts'

interface ValuePlace {
  readonly label: string
  readonly secret: boolean
}

export interface ValueReader {
  /** `problem` continues a sentence that begins with the field. */
  mistake(place: ValuePlace, line: number, problem: string, hint: string): void
  /** Undefined for a variable that may not be read or is not set, which is reported. */
  variable(place: ValuePlace, line: number, name: string): string | undefined
  unfitVariable(place: ValuePlace, line: number, problem: string, hint: string): void
  /** A text that is taken as it is, although it names a variable. */
  variableAsText(place: ValuePlace, line: number, name: string): void
}

/** Keeps numbers exact; any field may be null. Undefined where there is a mistake, which is reported. */
export function readValue(kind: Kind<unknown>, node: Node, place: ValuePlace, reader: ValueReader): unknown {
  if (node.shape === 'null') return null
  if (node.shape === 'invalid') return undefined
  if (kind === json) return readFreeForm(node, place, reader)
  if (kind.item) return readList(kind.item, node, place, reader)
  if (node.shape === 'map' || node.shape === 'list') {
    const shape = node.shape === 'map' ? 'an object' : 'a list'
    return reader.mistake(place, node.line, `${wants(kind)}, not ${shape}`, 'Give one value')
  }
  const variable = node.shape === 'string' ? variableIn(node.text) : undefined
  if (variable !== undefined) return readFromVariable(kind, variable, node.line, place, reader)
  const value = node.shape === 'string' ? textIn(node, place, reader) : decode(node.text)
  const problem = problemOf(kind, value)
  if (problem === undefined) return value
  if (place.secret) return reader.mistake(place, node.line, wants(kind), 'Check the value in the file')
  return reader.mistake(place, node.line, problem, suggestValue(kind, value))
}

function textIn(
  { text, line }: Extract<Node, { readonly text: string }>,
  place: ValuePlace,
  reader: ValueReader,
): string {
  const named = variableWithin(text)
  if (named !== undefined) reader.variableAsText(place, line, named)
  return unescapeVariable(text)
}

function readList(item: Kind<unknown>, node: Node, place: ValuePlace, reader: ValueReader): unknown {
  if (node.shape !== 'list') {
    const written = 'text' in node && !place.secret ? `[${node.text}]` : `[a, b]`
    const hint = `Write it as one: ${place.label}: ${written}`
    return reader.mistake(place, node.line, `must be a list of ${item.name}s`, hint)
  }
  return node.items.map((one, i) => {
    const label = `${place.label} item ${i + 1}`
    if (one.shape !== 'null') return readValue(item, one, { ...place, label }, reader)
    return reader.mistake({ ...place, label }, one.line, `${wants(item)}, not null`, 'Take it out')
  })
}

/** Never repeats the value of a variable, which may be a secret. */
function readFromVariable(
  kind: Kind<unknown>,
  name: string,
  line: number,
  place: ValuePlace,
  reader: ValueReader,
): unknown {
  const text = reader.variable(place, line, name)
  if (text === undefined) return undefined
  const parsed = exactKind(kind).parse(text)
  if ('value' in parsed) return parsed.value
  // Any text is a string, so a refused string breaks another rule, which `takes` names.
  const takes = kind === listItem ? 'text that is neither empty nor JSON' : kind.takes
  const rule = kind.name === 'string' ? `must be ${takes}` : wants(kind)
  return reader.unfitVariable(place, line, `${rule}: what the variable ${name} holds is not`, `Change ${name}`)
}

function readFreeForm(node: Node, place: ValuePlace, reader: ValueReader): unknown {
  try {
    return decode(jsonOf(node, place, reader))
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    return reader.mistake(place, node.line, 'is nested too deeply', 'Nest it less')
  }
}

/** Goes through JSON text to keep the digits of numbers and the order of keys. */
function jsonOf(node: Node, place: ValuePlace, reader: ValueReader): string {
  switch (node.shape) {
    case 'map':
      return writeMembers(node.members.map(({ name, value }) => [name, jsonOf(value, place, reader)]))
    case 'list':
      return `[${node.items.map(item => jsonOf(item, place, reader)).join()}]`
    case 'string': {
      const variable = variableIn(node.text)
      if (variable === undefined) return JSON.stringify(textIn(node, place, reader))
      return JSON.stringify(reader.variable(place, node.line, variable) ?? null)
    }
    case 'invalid':
      return 'null'
    default:
      return node.text
  }
}

/** YAML 1.1 reads `yes` and `no` as booleans, YAML 1.2 as text, so the file must be explicit. */
function suggestValue(kind: Kind<unknown>, value: unknown): string {
  const text = String(value)
  if (kind.name === 'string') {
    return typeof value === 'string' ? 'Take one such as Europe/Berlin' : `Write it in quotes: "${text}"`
  }
  if (kind === boolean && /^(y|yes|on|n|no|off)$/i.test(text)) {
    return `${text} is text in YAML 1.2: write ${/^(y|yes|on)$/i.test(text)}`
  }
  if ('value' in kind.parse(text)) return `Write ${text} without quotes`
  return `Write ${kind.choices?.join(' or ') ?? (kind === boolean ? 'true or false' : 'a whole number')}`
}
