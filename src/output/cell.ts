/** How one value reads in a table: on one line, nothing alive, nothing secret. */
import { oneLine } from '../json/layout.ts'
import { compile, elements, type Kind, kindOf, textOf } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import { escapeControls } from '../values/escape-controls.ts'
import type { RenderOptions } from './document.ts'
import { isSecret, mask, masked } from './mask.ts'

/** What stands for `null`, for empty text or an empty list, and where a field is missing: a column is never blank. */
export const nothing = '-'

/** A value in a row. Persons and users within it are told by their name, lists of them by their number. */
export function cellOf(value: Item | undefined, path: string, look: RenderOptions): string {
  if (!value || isHidden(path, look)) return wordOf(value, path, look)
  if (kindOf(value) === 'object' && isPerson(value)) return escapeControls(nameOf(value))
  if (kindOf(value) === 'array') {
    const items = elements(value)
    if (isNamed(path, 'people') || (items.length > 0 && items.every(isPerson))) {
      return `${items.length} ${items.length === 1 ? 'person' : 'persons'}`
    }
  }
  return wordOf(value, path, look)
}

/** A value by itself: as text, or as JSON where it is nested. */
export function wordOf(value: Item | undefined, path: string, look: RenderOptions): string {
  if (!value || kindOf(value) === 'null') return nothing
  if (isHidden(path, look)) return escapeControls(mask(textOf(value)))
  if (isJson(value)) return escapeControls(oneLine(shownOf(value, look)).toString())
  if (kindOf(value) === 'array') return listOf(value, look)
  return escapeControls(timeOf(textOf(value))) || nothing
}

/** Whether a value reads as JSON only: an object, or a list that holds more than plain values. */
export function isJson(value: Item): boolean {
  return kindOf(value) === 'object' || elements(value).some(item => nested.has(kindOf(item)))
}

const nested: ReadonlySet<Kind> = new Set(['object', 'array'])

/** A nested value with its secrets masked, unless they are to be shown. */
export function shownOf(value: Item, look: RenderOptions): Item {
  return look.reveal ? value : masked(value)
}

function isHidden(path: string, look: RenderOptions): boolean {
  return !look.reveal && isSecret(path)
}

function isNamed(path: string, name: string): boolean {
  return path === name || path.endsWith(`.${name}`)
}

/** `a, b, c`; at a terminal, where there are many, `a +149 more`. */
function listOf(value: Item, look: RenderOptions): string {
  const items = elements(value)
  if (items.length === 0) return nothing
  const more = look.terminal && items.length > 3 ? items.length - 1 : 0
  const words = items.slice(0, items.length - more).map(item => escapeControls(textOf(item)))
  return words.join(', ') + (more > 0 ? ` +${more} more` : '')
}

/** `2026-11-21T07:52:10.123Z` → `2026-11-21 07:52:10Z`; another zone is turned into UTC. */
function timeOf(text: string): string {
  const [, date, time, zone] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? []
  if (date === undefined) return text
  if (zone === undefined) return `${date} ${time}`
  if (/^Z|^[+-]00:?00$/.test(zone)) return `${date} ${time}Z`
  const moment = new Date(`${date}T${time}${zone}`)
  return Number.isNaN(moment.getTime()) ? text : `${moment.toISOString().slice(0, 19).replace('T', ' ')}Z`
}

const marks = compile(['distinct_ids', 'distinct_id'])
const names = compile(['name', 'email', 'properties.email', 'distinct_ids.0', 'distinct_id'])

/** Persons and users alone have distinct ids (the service's document, "Resources and their fields"). */
function isPerson(item: Item): boolean {
  return kindOf(item) === 'object' && marks.pick(item).some(mark => mark !== undefined)
}

function nameOf(item: Item): string {
  const name = names.pick(item).find(one => one && kindOf(one) === 'string' && one.length > '""'.length)
  return name ? textOf(name) : nothing
}
