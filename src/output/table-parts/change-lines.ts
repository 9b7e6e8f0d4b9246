import type { Item } from '../../json/item.ts'
import { indented, oneLine } from '../../json/layout.ts'
import { kindOf, textOf } from '../../json/pick.ts'
import { isSecretName } from '../../secrets/secret-names.ts'
import { cells, cut } from '../../text/cells.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import type { RenderOptions } from '../document.ts'
import { newSecret, oldSecret } from '../mask.ts'
import { type Cell, isJson, nothing, shownOf, textIn } from './cell.ts'
import { gap } from './columns.ts'

export interface Note {
  /** Added, removed or changed; a blank for plain facts. */
  readonly sign: '+' | '-' | '~' | ' '
  /** '' if the value needs no name. */
  readonly name: string
  readonly aside?: string | undefined
  /** One value, or the values before and after; undefined for a missing one. */
  readonly values: readonly [Item | undefined] | readonly [Item | undefined, Item | undefined]
  /** The field that decides whether values are secret, if it differs from the name. */
  readonly path?: string
}

export type FieldValues = ReadonlyMap<string, Item>

export function plainNote(name: string, value: Item, path = name): Note {
  return { sign: ' ', name, values: [value], path }
}

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

/** Ignores white space and escapes, but `1`, `1.0` and `"1"` all differ. */
export function isSame(one: Item, other: Item): boolean {
  if (one.equals(other)) return true
  const kind = kindOf(one)
  if (kind !== kindOf(other)) return false
  if (kind === 'string') return textOf(one) === textOf(other)
  return (kind === 'object' || kind === 'array') && indented(one).equals(indented(other))
}

/** A longer name shifts only its own value. */
const widestName = 40
const indent = '  '

export function drawNotes(notes: readonly Note[], options: RenderOptions): string {
  const names = notes.map(nameOf)
  const room = options.width === undefined ? undefined : options.width - indent.length - '~ '.length
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
      return `${`${indent}${note.sign} ${before}${valuesOf(note, right, options)}`.trimEnd()}\n`
    })
    .join('')
}

function nameOf({ name, aside }: Note): string {
  return escapeControls(aside === undefined ? name : `${name} (${aside})`.trimStart())
}

const arrow = ' → '

function valuesOf({ name, path = name, values }: Note, width: number | undefined, options: RenderOptions): string {
  const whole = { ...options, terminal: false }
  const words = values.map(value => textIn(value, path, whole))
  const [before, after] = words
  if (before === undefined || after === undefined) return shortened(before ?? '', width)
  if (!options.reveal && isSecretName(path)) return drawChange(...secretChange(values[0], values[1], nothing), width)
  const [one = before, other = after] = before === after ? rawOf(values) : []
  return drawChange(one, other, width)
}

export function drawChange(before: string, after: string, width = Number.POSITIVE_INFINITY): string {
  const whole = before + arrow + after
  return cells(whole) <= width ? whole : sideBySide(before, after, width - arrow.length)
}

/** Raw forms of two values that look equal, such as `1` and `"1"`; empty if they could show secrets. */
function rawOf([before, after]: Note['values']): readonly string[] {
  if (!before || !after || before.equals(after) || isJson(before) || isJson(after)) return []
  return [before, after].map(value => escapeControls(value.toString()))
}

/** Values are JSON; undefined means no value. */
export function changeCell(
  path: string,
  before: Item | undefined,
  after: Item | undefined,
  options: RenderOptions,
): Cell {
  const isUnchanged = before && after ? isSame(before, after) : before === after
  const isHidden = !options.reveal && isSecretName(path)
  const [one, other] = isHidden
    ? secretChange(before, after, 'none')
    : [jsonIn(before, options), jsonIn(after, options)]
  const change = [one, isUnchanged ? 'same' : other] as const
  return { text: drawChange(...change), change }
}

/** `(secret) → (another secret)`, since two secrets may look equal when masked. */
function secretChange(before: Item | undefined, after: Item | undefined, missing: string): [string, string] {
  const shown = (value: Item | undefined, secret: string) =>
    !value ? missing : kindOf(value) === 'null' ? 'null' : secret
  const one = shown(before, oldSecret)
  return [one, shown(after, one === oldSecret ? newSecret : oldSecret)]
}

function jsonIn(value: Item | undefined, options: RenderOptions): string {
  if (!value) return 'none'
  const shown = shownOf(value, options)
  return escapeControls(kindOf(shown) === 'string' ? JSON.stringify(textOf(shown)) : oneLine(shown).toString())
}

function shortened(text: string, width: number | undefined): string {
  return width === undefined ? text : cut(text, width)
}

/** Each text gets half of the width, and unused width of the other. */
function sideBySide(before: string, after: string, width: number): string {
  const half = Math.floor(width / 2)
  const left = Math.max(half, width - cells(after))
  const right = Math.max(half, width - cells(before))
  const from = apartFrom(before, after)
  const begin =
    from > Math.max(0, Math.min(left, right) - 4) ? (text: string) => `…${text.slice(from)}` : (text: string) => text
  return cut(begin(before), left) + arrow + cut(begin(after), right)
}

/** Starts shortly before the first difference, because two texts cut at the end may look equal. */
function apartFrom(one: string, other: string): number {
  let i = 0
  while (i < one.length && one[i] === other[i]) i++
  const from = Math.max(0, i - 4)
  return /^[\udc00-\udfff]/.test(one.slice(from, from + 1)) ? from - 1 : from
}
