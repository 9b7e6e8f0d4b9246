/** One value of a settings file: its variables filled in, checked against the kind of its field. */

import { UsageError } from '../errors.ts'
import { decode } from '../json/exact.ts'
import { Malformed } from '../json/item.ts'
import { problemOf, wants } from '../json/problem.ts'
import type { Node } from '../json/yaml.ts'
import { boolean, json, type Kind } from '../values/kinds.ts'
import { type Env, isKey, lookUp, said, variableOf } from './variables.ts'

/** Where a value stands, for messages, and where its variables come from. */
export interface Place {
  readonly file: string
  readonly field: string
  /** Whether the value may not be shown. */
  readonly secret: boolean
  readonly env: Env
  /** Told of each variable that is not set. */
  readonly unset: (unset: Unset) => void
}

export interface Unset {
  readonly file: string
  readonly line: number
  readonly variable: string
}

/** The value of a node, numbers exact; any field may be null. Throws `UsageError` for one that is not of its kind. */
export function checked(kind: Kind<unknown>, node: Node, place: Place): unknown {
  if (node.shape === 'null') return null
  if (kind === json) return freeForm(node, place)
  if (kind.item) return listOf(kind.item, node, place)
  if (node.shape === 'map' || node.shape === 'list') {
    throw refused(
      place,
      node.line,
      `${wants(kind)}, not ${node.shape === 'map' ? 'an object' : 'a list'}`,
      'Give one value',
    )
  }
  const variable = node.shape === 'string' ? variableOf(node.text) : undefined
  if (variable !== undefined) return fromVariable(kind, variable, node.line, place)
  return literal(kind, node.shape === 'string' ? said(node.text) : decode(node.text), node.line, place)
}

function listOf(item: Kind<unknown>, node: Node, place: Place): readonly unknown[] {
  if (node.shape !== 'list') {
    const written = 'text' in node && !place.secret ? `[${node.text}]` : `[a, b]`
    throw refused(place, node.line, `must be a list of ${item.name}s`, `Write it as one: ${place.field}: ${written}`)
  }
  return node.items.map((one, i) => {
    if (one.shape === 'null') throw refused(place, one.line, `item ${i + 1} ${wants(item)}, not null`, 'Take it out')
    return checked(item, one, { ...place, field: `${place.field} item ${i + 1}` })
  })
}

function literal(kind: Kind<unknown>, value: unknown, line: number, place: Place): unknown {
  const problem = problemOf(kind, value)
  if (problem === undefined) return value
  if (place.secret) throw refused(place, line, wants(kind), 'Check the value in the file')
  throw refused(place, line, problem, suggestion(kind, value))
}

/** Never shows the value: that it is in a variable may mean that it is a secret. */
function fromVariable(kind: Kind<unknown>, variable: string, line: number, place: Place): unknown {
  const text = textOf(variable, line, place)
  if (text === undefined) return null
  const parsed = kind.parse(text)
  if ('value' in parsed) return parsed.value
  // Any text is a string: what it has to be as well says more.
  const wanted = kind.name === 'string' ? `must be ${kind.takes}` : wants(kind)
  throw refused(place, line, `${wanted}: what the variable ${variable} holds is not`, `Change ${variable}`)
}

function freeForm(node: Node, place: Place): unknown {
  try {
    return decode(jsonOf(node, place))
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw refused(place, node.line, 'is nested too deeply', 'Nest it less')
  }
}

/** JSON text, since only that keeps every number and the order of keys as they stand. */
function jsonOf(node: Node, place: Place): string {
  switch (node.shape) {
    case 'map':
      return `{${node.members.map(({ name, value }) => `${JSON.stringify(name)}:${jsonOf(value, place)}`).join()}}`
    case 'list':
      return `[${node.items.map(item => jsonOf(item, place)).join()}]`
    case 'string': {
      const variable = variableOf(node.text)
      return JSON.stringify(variable === undefined ? said(node.text) : (textOf(variable, node.line, place) ?? null))
    }
    default:
      return node.text
  }
}

function textOf(variable: string, line: number, place: Place): string | undefined {
  if (isKey(variable)) {
    throw refused(place, line, `cannot be ${variable}: the key is not a setting`, 'Take it from another variable')
  }
  const text = lookUp(place.env, variable)
  if (text === undefined) place.unset({ file: place.file, line, variable })
  return text
}

function refused({ file, field }: Place, line: number, problem: string, hint: string): UsageError {
  return new UsageError(`${file}:${line}: ${field} ${problem}`, { attr: field.replace(/ item \d+$/, ''), hint })
}

/** What was probably meant; the words of YAML 1.1 are told, not guessed. */
function suggestion(kind: Kind<unknown>, value: unknown): string {
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
