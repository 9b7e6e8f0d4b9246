import { ExactNumber, encode, isObject, type Json, textOf, valueAt } from '../../json/exact.ts'
import { isSecretName } from '../../secrets/secret-names.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { countOf } from '../../text/grouped.ts'
import { readableMoment } from '../../text/moment.ts'
import type { RenderOptions } from '../document.ts'
import { mask, masked } from '../mask.ts'

/** Shown for `null`, empty values and missing fields, so that no cell is blank. */
export const nothing = '-'

export interface Cell {
  readonly text: string
  readonly date?: string
  readonly list?: string
  /** Path of a URL, shown if the whole URL does not fit. */
  readonly path?: string
  readonly isNumber?: boolean
  readonly isEmpty?: boolean
  /** Values before and after; a narrow column cuts both. */
  readonly change?: readonly [before: string, after: string]
  /** Fills the rest of its line. */
  readonly isRemark?: boolean
}

/** Shows persons and users by name, and lists of them by number. */
export function cellOf(value: Json | undefined, path: string, options: RenderOptions): Cell {
  if (value === undefined || isHidden(path, options)) {
    return { text: textIn(value, path, options), isEmpty: value === undefined }
  }
  if (value === null) return { text: nothing, isEmpty: true }
  if (isNumber(value)) return { text: String(value), isNumber: true }
  if (Array.isArray(value)) return listCell(value, path, options)
  return isPerson(value) ? { text: escapeControls(nameOf(value)) } : textCell(textIn(value, path, options))
}

function listCell(value: readonly Json[], path: string, options: RenderOptions): Cell {
  if (isNamed(path, 'people') || (value.length > 0 && value.every(isPerson))) {
    return { text: countOf(value.length, 'person', 'persons') }
  }
  if (value.length < 2 || isJson(value)) return textCell(textIn(value, path, options))
  const items = value.map(one => shownOf(one, options))
  return {
    text: listText(items, options.terminal && !value.every(isNumber) ? 2 : Number.POSITIVE_INFINITY),
    list: listText(items, 1),
  }
}

function textCell(text: string): Cell {
  if (text === nothing) return { text, isEmpty: true }
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ?$/.test(text) ? { text, date: text.slice(0, 10) } : { text }
}

export function textIn(value: Json | undefined, path: string, options: RenderOptions): string {
  if (value === undefined || value === null) return nothing
  if (isHidden(path, options)) return escapeControls(mask(textOf(value)))
  const shown = shownOf(value, options)
  if (isJson(shown)) return escapeControls(encode(shown))
  if (Array.isArray(shown)) return listText(shown, options.terminal ? 3 : Number.POSITIVE_INFINITY)
  const text = textOf(shown)
  return escapeControls(readableMoment(text) ?? text) || nothing
}

export function isJson(value: Json): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(one => isObject(one) || Array.isArray(one)))
}

export function shownOf<T>(value: T, options: RenderOptions): T {
  return options.reveal ? value : masked(value)
}

function isNumber(value: Json): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

function isHidden(path: string, options: RenderOptions): boolean {
  return !options.reveal && isSecretName(path)
}

function isNamed(path: string, name: string): boolean {
  return path === name || path.endsWith(`.${name}`)
}

function listText(items: readonly Json[], most: number): string {
  const shown = items.length > most ? items.slice(0, 1) : items
  const text = shown.map(item => escapeControls(textOf(item))).join(', ') || nothing
  return shown === items ? text : `${text} +${items.length - 1}`
}

/** Only persons and users have distinct ids (the service's document, "Resources and their fields"). */
function isPerson(value: Json): boolean {
  return ['distinct_ids', 'distinct_id'].some(name => valueAt(value, name) !== undefined)
}

const names = ['name', 'email', 'properties.email', 'distinct_ids.0', 'distinct_id']

function nameOf(person: Json): string {
  const name = names.map(path => valueAt(person, path)).find(one => typeof one === 'string' && one !== '')
  return name === undefined ? nothing : textOf(name)
}
