/** Reads the body of an error: the first text in `detail`, `message` or `error`, or in its first field. */
import { decodeValid, isObject, type JsonObject } from '../../json/exact.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { escapeControls } from '../../text/escape-controls.ts'

export function readErrorBody(body: string, secrets: Secrets) {
  const json = decodeValid(body)
  const value = json === undefined ? body : json
  const fields: JsonObject = isObject(value) ? unswapped(value) : {}
  const [words] = textsIn(isObject(value) ? fields : value)
  const { detail, code, attr } = fields
  return {
    detail: words && clean(words, 300, secrets).replace(/(?<!\.)\.$/, ''),
    // Only words, because jobs and receipts keep it: other characters could be a part of a secret.
    code: typeof code === 'string' && isCode(code) && secrets.hide(code) === code ? code : undefined,
    attr: typeof attr === 'string' && attr !== '' ? clean(attr, 100, secrets) : undefined,
    // It has the form of the service's errors: a JSON object with `detail`.
    isService: typeof detail === 'string' && detail.trim() !== '',
  }
}

/** Some servers swap `code` and `detail`. */
function unswapped(body: JsonObject): JsonObject {
  const { code, detail } = body
  const isSwapped = typeof code === 'string' && /\s/.test(code.trim()) && typeof detail === 'string' && isCode(detail)
  return isSwapped ? { ...body, code: detail, detail: code } : body
}

/** Lower-case words, as receipts keep them. */
export function isCode(text: string): boolean {
  return text.length <= 40 && /^[a-z]+([_-][a-z]+)*$/.test(text)
}

export function clean(text: string, most: number, secrets: Secrets): string {
  const line = escapeControls(secrets.hide(text).replace(/\s+/g, ' '))
    .replace(/\bBearer [\w.~+/=-]+/gi, 'Bearer …')
    .trim()
  const letters = [...line.slice(0, 2 * most + 2)]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line
}

/** The texts of a body, `detail` first, each after the names of its fields. */
function* textsIn(value: unknown, fields = '', depth = 0): Generator<string> {
  if (typeof value === 'string' && value.trim() !== '') yield fields + value.trim()
  if (depth > 5) return
  if (Array.isArray(value)) for (const item of value) yield* textsIn(item, fields, depth + 1)
  if (!isObject(value)) return
  const { detail, message, error, code, type, attr, ...others } = value
  for (const text of [detail, message, error]) yield* textsIn(text, fields, depth + 1)
  for (const [name, fault] of Object.entries(others)) yield* textsIn(fault, `${fields}${name}: `, depth + 1)
}
