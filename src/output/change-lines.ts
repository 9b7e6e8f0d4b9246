/** Lines below an entry of a timeline: what was added, removed or became different, each with its sign. */
import { indented } from '../json/layout.ts'
import { kindOf, textOf } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import { escapeControls } from '../values/escape-controls.ts'
import { isJson, textIn } from './cell.ts'
import { gap } from './columns.ts'
import type { RenderOptions } from './document.ts'
import { isSecret } from './mask.ts'
import { cells, cut } from './text.ts'

export interface Note {
  /** Added, removed, became different; a blank before what is only told. */
  readonly sign: '+' | '-' | '~' | ' '
  /** Empty where the value speaks for itself. */
  readonly name: string
  /** What else is to be known, in brackets behind the name. */
  readonly aside?: string | undefined
  /** The one value; or the value before and the one after, undefined where there was none. */
  readonly values: readonly [Item | undefined] | readonly [Item | undefined, Item | undefined]
  /** The field that says whether the values are secrets, where that is not the name. */
  readonly path?: string
}

export type FieldValues = ReadonlyMap<string, Item>

export function told(name: string, value: Item, path = name): Note {
  return { sign: ' ', name, values: [value], path }
}

/** What tells two objects apart, member by member: those that are there now in their order, then those that went. */
export function differences(before: FieldValues, after: FieldValues): Note[] {
  const notes: Note[] = []
  for (const [name, value] of after) {
    const old = before.get(name)
    if (!old) notes.push({ sign: '+', name, values: [value] })
    else if (!isSame(old, value)) notes.push({ sign: '~', name, values: [old, value] })
  }
  for (const [name, value] of before) if (!after.has(name)) notes.push({ sign: '-', name, values: [value] })
  return notes
}

/** White space and escapes make no difference; `1` and `1.0` do, and so do `1` and `"1"`. */
function isSame(one: Item, other: Item): boolean {
  if (one.equals(other)) return true
  const kind = kindOf(one)
  if (kind !== kindOf(other)) return false
  if (kind === 'string') return textOf(one) === textOf(other)
  return (kind === 'object' || kind === 'array') && indented(one).equals(indented(other))
}

/** Names are aligned, but one that is longer than this moves its own value only. */
const widestName = 40
const indent = '  '

export function drawNotes(notes: readonly Note[], look: RenderOptions): string {
  const names = notes.map(nameOf)
  const room = look.width === undefined ? undefined : look.width - indent.length - '~ '.length
  const most = room === undefined ? widestName : Math.max(6, Math.min(widestName, room - gap.length - 24))
  const left = Math.min(
    most,
    names.reduce((widest, name) => Math.max(widest, cells(name)), 0),
  )
  return notes
    .map((note, i) => {
      const name = room === undefined ? (names[i] ?? '') : cut(names[i] ?? '', left)
      const before = left === 0 ? '' : name + ' '.repeat(Math.max(0, left - cells(name))) + gap
      const right = room === undefined ? undefined : Math.max(8, room - cells(before))
      return `${`${indent}${note.sign} ${before}${valuesOf(note, right, look)}`.trimEnd()}\n`
    })
    .join('')
}

function nameOf({ name, aside }: Note): string {
  return escapeControls(aside === undefined ? name : `${name} (${aside})`.trimStart())
}

const arrow = ' → '

function valuesOf({ name, path = name, values }: Note, width: number | undefined, look: RenderOptions): string {
  // Of a list that became another every item counts.
  const whole = { ...look, terminal: false }
  const words = values.map(value => textIn(value, path, whole))
  const [before, after] = words
  if (before === undefined || after === undefined) return shortened(before ?? '', width)
  const [one = before, other = after] = before === after && (look.reveal || !isSecret(path)) ? rawOf(values) : []
  return width === undefined || cells(one + arrow + other) <= width
    ? one + arrow + other
    : sideBySide(one, other, width - arrow.length)
}

/** Two values that read the same and are not, such as `1` and `"1"`, as they came; none where that could tell secrets. */
function rawOf([before, after]: Note['values']): readonly string[] {
  if (!before || !after || before.equals(after) || isJson(before) || isJson(after)) return []
  return [before, after].map(value => escapeControls(value.toString()))
}

function shortened(text: string, width: number | undefined): string {
  return width === undefined ? text : cut(text, width)
}

/** Half of the width for each, and what one does not need for the other. */
function sideBySide(before: string, after: string, width: number): string {
  const half = Math.max(4, Math.floor(width / 2))
  const left = Math.max(half, width - cells(after))
  const right = Math.max(half, width - cells(before))
  const from = apartFrom(before, after)
  const begin = from > Math.min(left, right) - 4 ? (text: string) => `…${text.slice(from)}` : (text: string) => text
  return cut(begin(before), left) + arrow + cut(begin(after), right)
}

/** Where two texts part, or a little before: cut at their ends only, they could look the same. */
function apartFrom(one: string, other: string): number {
  let i = 0
  while (i < one.length && one[i] === other[i]) i++
  const from = Math.max(0, i - 4)
  return /^[\udc00-\udfff]/.test(one.slice(from, from + 1)) ? from - 1 : from
}
