/** Reads the value of one field of a settings file, and collects what is wrong with it. */
import type { Env } from '../host.ts'
import { decode } from '../json/exact.ts'
import { exactKind } from '../json/exact-kind.ts'
import { Malformed } from '../json/malformed.ts'
import { problemOf, wants } from '../json/problem.ts'
import type { Node } from '../json/yaml.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { isDamaged } from '../text/damaged.ts'
import { boolean, json, type Kind } from '../values/kinds.ts'
import { listItem } from '../values/lists.ts'
import { nearestZone } from '../values/timezones.ts'
import { type Mistake, mistakeAt } from './mistakes.ts'
import {
  isKeyVariable,
  isVariableName,
  readVariable,
  unescapeVariable,
  variableIn,
  variableWithin,
} from './variables.ts'

export interface Variables {
  readonly env: Env
  readonly allowed: readonly string[]
}

export class ValueReader {
  readonly mistakes: Mistake[] = []
  /** Unusable variables: a mistake unless a later file has another value for the field. */
  readonly variableMistakes: Mistake[] = []
  /** A part of the value, or all of it, comes from a variable. */
  isFromVariable = false
  readonly remarks: string[] = []
  readonly #file: string
  readonly #field: string
  readonly #isSecret: boolean
  readonly #variables: Variables

  constructor(file: string, field: string, variables: Variables) {
    this.#file = file
    this.#field = field
    this.#isSecret = isSecretName(field)
    this.#variables = variables
  }

  /** Keeps numbers exact; any field may be null. Undefined where there is a mistake. `label` names the value. */
  read(kind: Kind<unknown>, node: Node, label = this.#field): unknown {
    if (node.shape === 'null') return null
    if (node.shape === 'invalid') return undefined
    if (kind === json) return this.#freeForm(node, label)
    if (kind.item) return this.#list(kind.item, node, label)
    if (node.shape === 'map' || node.shape === 'list') {
      const shape = node.shape === 'map' ? 'an object' : 'a list'
      return this.#mistake(label, node.line, `${wants(kind)}, not ${shape}`, 'Give one value')
    }
    const variable = node.shape === 'string' ? variableIn(node.text) : undefined
    if (variable !== undefined) return this.#fromVariable(kind, variable, node.line, label)
    const value = node.shape === 'string' ? this.#text(node, label) : decode(node.text)
    const problem = problemOf(kind, value)
    if (problem === undefined) return value
    if (this.#isSecret) return this.#mistake(label, node.line, wants(kind), 'Check the value in the file')
    return this.#mistake(label, node.line, problem, suggestValue(kind, value))
  }

  #text({ text, line }: Extract<Node, { readonly text: string }>, label: string): string {
    const named = variableWithin(text)
    if (named !== undefined) {
      const what = this.#isSecret ? 'the name of a variable' : `$\{${named}}`
      const reason = 'only a value that is nothing else is taken from a variable'
      this.remarks.push(`${this.#file}:${line}: ${label} holds ${what} as text: ${reason}`)
    }
    return unescapeVariable(text)
  }

  #list(item: Kind<unknown>, node: Node, label: string): unknown {
    if (node.shape !== 'list') {
      const written = 'text' in node && !this.#isSecret ? `[${node.text}]` : `[a, b]`
      return this.#mistake(label, node.line, `must be a list of ${item.name}s`, `Write it as one: ${label}: ${written}`)
    }
    return node.items.map((one, i) => {
      const itemLabel = `${label} item ${i + 1}`
      if (one.shape !== 'null') return this.read(item, one, itemLabel)
      return this.#mistake(itemLabel, one.line, `${wants(item)}, not null`, 'Take it out')
    })
  }

  #freeForm(node: Node, label: string): unknown {
    try {
      return decode(this.#json(node, label))
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      return this.#mistake(label, node.line, 'is nested too deeply', 'Nest it less')
    }
  }

  /** Uses JSON text to keep the digits of numbers and the order of keys. */
  #json(node: Node, label: string): string {
    switch (node.shape) {
      case 'map':
        return `{${node.members.map(({ name, value }) => `${JSON.stringify(name)}:${this.#json(value, label)}`)}}`
      case 'list':
        return `[${node.items.map(item => this.#json(item, label)).join()}]`
      case 'string': {
        const variable = variableIn(node.text)
        if (variable === undefined) return JSON.stringify(this.#text(node, label))
        return JSON.stringify(this.#valueOf(variable, node.line, label) ?? null)
      }
      case 'invalid':
        return 'null'
      default:
        return node.text
    }
  }

  /** Never repeats the value of a variable, which may be secret. */
  #fromVariable(kind: Kind<unknown>, name: string, line: number, label: string): unknown {
    const text = this.#valueOf(name, line, label)
    if (text === undefined) return undefined
    const parsed = exactKind(kind).parse(text)
    if ('value' in parsed) return parsed.value
    // Any text is a string, so another rule refused it, which `takes` names.
    const takes = kind === listItem ? 'text that is neither empty nor JSON' : kind.takes
    const rule = kind.name === 'string' ? `must be ${takes}` : wants(kind)
    const problem = `${rule}: what the variable ${name} holds is not`
    this.variableMistakes.push(this.#mistakeAt(label, line, problem, `Change ${name}`))
    return undefined
  }

  /** Undefined for a variable that may not be read or is not set, which is a mistake. */
  #valueOf(variable: string, line: number, label: string): string | undefined {
    const text = readVariable(this.#variables.env, variable)
    const problem = variableProblem(variable, text, this.#variables)
    if (problem) this.variableMistakes.push(this.#mistakeAt(label, line, problem.problem, problem.hint))
    else this.isFromVariable = true
    return problem ? undefined : text
  }

  #mistake(label: string, line: number, problem: string, hint: string): undefined {
    this.mistakes.push(this.#mistakeAt(label, line, problem, hint))
  }

  /** `problem` continues a sentence that begins with the label. */
  #mistakeAt(label: string, line: number, problem: string, hint: string): Mistake {
    return mistakeAt(this.#file, { line, problem: `${label} ${problem}`, hint }, this.#field)
  }
}

function variableProblem(
  variable: string,
  text: string | undefined,
  { allowed }: Variables,
): { readonly problem: string; readonly hint: string } | undefined {
  if (!isVariableName(variable)) {
    // The text itself is not shown: it may hold a secret, as in `${NAME:-secret}`.
    return {
      problem: 'names no variable between its braces',
      hint: `Write $\{NAME} without blanks or a default; $$\{ stands for $\{ itself`,
    }
  }
  if (isKeyVariable(variable)) {
    return { problem: `cannot be ${variable}: the key is not a setting`, hint: 'Take it from another variable' }
  }
  if (!allowed.includes(variable)) {
    return {
      problem: `takes its value from the variable ${variable}, which the command line does not allow`,
      hint: `Pass --env ${variable} to allow it, or write $\${${variable}} if that very text is meant`,
    }
  }
  if (text !== undefined && isDamaged(text)) {
    return {
      problem: `takes its value from the variable ${variable}, which is not UTF-8 text`,
      hint: `Set ${variable} in UTF-8`,
    }
  }
  if (text !== undefined) return undefined
  return {
    problem: `takes its value from the variable ${variable}, which is not set, or empty`,
    hint: `Set it, or write $\${${variable}} if that very text is meant`,
  }
}

/** YAML 1.1 reads `yes` and `no` as booleans, YAML 1.2 as text, so the file must be explicit. */
function suggestValue(kind: Kind<unknown>, value: unknown): string {
  const text = String(value)
  if (kind.name === 'string') {
    if (typeof value !== 'string') return `Write it in quotes: "${text}"`
    return nearestZone(text) === undefined ? 'Take one such as Europe/Berlin' : 'Names are compared letter by letter'
  }
  if (kind === boolean && /^(y|yes|on|n|no|off)$/i.test(text)) {
    return `${text} is text in YAML 1.2: write ${/^(y|yes|on)$/i.test(text)}`
  }
  if ('value' in kind.parse(text)) return `Write ${text} without quotes`
  return `Write ${kind.choices?.join(' or ') ?? (kind === boolean ? 'true or false' : 'a whole number')}`
}
