/** Reads the body of an error in every shape that servers use (`docs/servers.md`). */
import { isObject, type JsonObject } from '../../json/exact.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { escapeControls } from '../../text/escape-controls.ts'

export interface ErrorBody {
  readonly detail: string | undefined
  /** Only texts in the form of a code, because jobs store it. */
  readonly code: string | undefined
  readonly attr: string | undefined
}

export const noErrorBody: ErrorBody = { detail: undefined, code: undefined, attr: undefined }

export function readErrorBody(body: string, secrets: Secrets): ErrorBody {
  const error = readValue(parse(body))
  const code = error.code && secrets.hide(error.code)
  return {
    detail: error.detail === undefined ? undefined : sentence(error.detail, secrets),
    code: code !== undefined && /^[\w.-]{1,60}$/.test(code) ? code : undefined,
    attr: error.attr === undefined ? undefined : clean(error.attr, 100, secrets),
  }
}

export function clean(text: string, most: number, secrets: Secrets): string {
  const line = escapeControls(secrets.hide(text).replace(/\s+/g, ' '))
    .replace(/\bBearer [\w.~+/=-]+/gi, 'Bearer …')
    .trim()
  const letters = [...line.slice(0, 2 * most + 2)]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line
}

function sentence(text: string, secrets: Secrets): string | undefined {
  return clean(text, 300, secrets).replace(/(?<!\.)\.$/, '') || undefined
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function readValue(value: unknown, depth = 0): ErrorBody {
  if (['string', 'number', 'boolean'].includes(typeof value)) return { ...noErrorBody, detail: String(value) }
  if (depth > 5) return noErrorBody
  if (isObject(value)) return readObject(value, depth)
  if (!Array.isArray(value)) return noErrorBody
  // Numbers may be the bytes of a secret.
  const errors = value.slice(0, 10).filter(one => typeof one !== 'number')
  return joined(errors.map(one => readValue(one, depth + 1)))
}

function readObject(value: JsonObject, depth: number): ErrorBody {
  const text = firstOf(value, ['detail', 'message', 'error', 'errors', 'title', 'non_field_errors'])
  if (text === undefined) return readFields(value, depth)
  const inner = readValue(text, depth + 1)
  const code = textOf(value.code) ?? inner.code ?? textOf(value.type)
  const attr = textOf(value.attr) ?? inner.attr
  const message = textOf(value.message)
  // Some servers swap code and detail.
  if (code !== undefined && inner.detail !== undefined && isSentence(code) && !isSentence(inner.detail)) {
    return { detail: code, code: inner.detail, attr }
  }
  if (message !== undefined && value.detail !== undefined && inner.detail !== undefined && message !== inner.detail) {
    return { detail: `${message.replace(/(?<![.:\s])[.:\s]+$/, '')}: ${inner.detail}`, code, attr }
  }
  return { detail: inner.detail, code, attr }
}

/** Each field has a sentence, a list of sentences, or an object of more fields. */
function readFields(value: JsonObject, depth: number): ErrorBody {
  const faults = Object.entries(value).slice(0, 10)
  const errors = faults.map(([name, fault]) => {
    const { detail, code } = readValue(fault, depth + 1)
    return { detail: detail && `${name}: ${detail}`, code, attr: name }
  })
  return joined(errors.filter(one => one.detail !== undefined))
}

function joined(all: readonly ErrorBody[]): ErrorBody {
  const details = all.flatMap(one => (one.detail ? [one.detail] : []))
  return {
    detail: details.length > 0 ? details.join(' ') : undefined,
    code: all.find(one => one.code !== undefined)?.code,
    attr: all.find(one => one.attr !== undefined)?.attr,
  }
}

function firstOf(value: JsonObject, names: readonly string[]): unknown {
  const name = names.find(one => Object.hasOwn(value, one) && value[one] !== null && value[one] !== '')
  return name === undefined ? undefined : value[name]
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
}

function isSentence(text: string): boolean {
  return /\s/.test(text.trim())
}
