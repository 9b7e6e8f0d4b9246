import type { Item } from '../../json/item.ts'
import { oneLine } from '../../json/layout.ts'
import { compile, elements, type JsonType, kindOf, textOf } from '../../json/pick.ts'
import { isSecretName, maskUrls } from '../../secrets/secret-names.ts'
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
export function cellOf(value: Item | undefined, path: string, options: RenderOptions): Cell {
  if (!value || isHidden(path, options)) return { text: textIn(value, path, options), isEmpty: !value }
  switch (kindOf(value)) {
    case 'null':
      return { text: nothing, isEmpty: true }
    case 'number':
      return { text: escapeControls(value.toString()), isNumber: true }
    case 'object':
      return { text: isPerson(value) ? escapeControls(nameOf(value)) : textIn(value, path, options) }
    case 'array':
      return listCell(value, path, options)
    default:
      return textCell(textIn(value, path, options))
  }
}

function listCell(value: Item, path: string, options: RenderOptions): Cell {
  const items = elements(shownOf(value, options))
  if (isNamed(path, 'people') || (items.length > 0 && items.every(isPerson))) {
    return { text: countOf(items.length, 'person', 'persons') }
  }
  const areNumbers = items.every(item => kindOf(item) === 'number')
  if (items.length < 2 || isJson(value)) return textCell(textIn(value, path, options))
  return {
    text: listText(items, options.terminal && !areNumbers ? 2 : Number.POSITIVE_INFINITY),
    list: listText(items, 1),
  }
}

function textCell(text: string): Cell {
  if (text === nothing) return { text, isEmpty: true }
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ?$/.test(text) ? { text, date: text.slice(0, 10) } : { text }
}

export function textIn(value: Item | undefined, path: string, options: RenderOptions): string {
  if (!value || kindOf(value) === 'null') return nothing
  if (isHidden(path, options)) return escapeControls(mask(textOf(value)))
  if (isJson(value)) return escapeControls(oneLine(shownOf(value, options)).toString())
  if (kindOf(value) === 'array') {
    return listText(elements(shownOf(value, options)), options.terminal ? 3 : Number.POSITIVE_INFINITY)
  }
  const text = options.reveal ? textOf(value) : maskUrls(textOf(value))
  return escapeControls(readableMoment(text) ?? text) || nothing
}

export function isJson(value: Item): boolean {
  return kindOf(value) === 'object' || elements(value).some(item => nested.has(kindOf(item)))
}

const nested: ReadonlySet<JsonType> = new Set(['object', 'array'])

export function shownOf(value: Item, options: RenderOptions): Item {
  return options.reveal ? value : masked(value)
}

function isHidden(path: string, options: RenderOptions): boolean {
  return !options.reveal && isSecretName(path)
}

function isNamed(path: string, name: string): boolean {
  return path === name || path.endsWith(`.${name}`)
}

function listText(items: readonly Item[], most: number): string {
  const shown = items.length > most ? items.slice(0, 1) : items
  const text = shown.map(item => escapeControls(textOf(item))).join(', ') || nothing
  return shown === items ? text : `${text} +${items.length - 1}`
}

const marks = compile(['distinct_ids', 'distinct_id'])
const names = compile(['name', 'email', 'properties.email', 'distinct_ids.0', 'distinct_id'])

/** Only persons and users have distinct ids (the service's document, "Resources and their fields"). */
function isPerson(item: Item): boolean {
  return kindOf(item) === 'object' && marks.pick(item).some(mark => mark !== undefined)
}

function nameOf(item: Item): string {
  const name = names.pick(item).find(one => one && kindOf(one) === 'string' && one.length > '""'.length)
  return name ? textOf(name) : nothing
}
