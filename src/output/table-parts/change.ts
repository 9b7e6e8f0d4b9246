import { encode } from '../../json/exact.ts'
import { isSecretName } from '../../secrets/secret-names.ts'
import { cells, cut } from '../../text/cells.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import type { RenderOptions } from '../document.ts'
import { newSecret, oldSecret } from '../mask.ts'
import { type Cell, shownOf } from './cell.ts'

/** `1`, `1.0` and `"1"` all differ. */
export function isSame(one: unknown, other: unknown): boolean {
  return encode(one) === encode(other)
}

const arrow = ' → '

export function drawChange(before: string, after: string, width = Number.POSITIVE_INFINITY): string {
  const whole = before + arrow + after
  return cells(whole) <= width ? whole : sideBySide(before, after, width - arrow.length)
}

/** Values are JSON; undefined means no value. */
export function changeCell(path: string, before: unknown, after: unknown, options: RenderOptions): Cell {
  const isUnchanged = before !== undefined && after !== undefined ? isSame(before, after) : before === after
  const isHidden = !options.reveal && isSecretName(path)
  const [one, other] = isHidden ? secretChange(before, after) : [jsonIn(before, options), jsonIn(after, options)]
  const change = [one, isUnchanged ? 'same' : other] as const
  return { text: drawChange(...change), change }
}

/** `(secret) → (another secret)`, since two secrets may look equal when masked. */
function secretChange(before: unknown, after: unknown): [string, string] {
  const shown = (value: unknown, secret: string) => (value === undefined ? 'none' : value === null ? 'null' : secret)
  const one = shown(before, oldSecret)
  return [one, shown(after, one === oldSecret ? newSecret : oldSecret)]
}

function jsonIn(value: unknown, options: RenderOptions): string {
  return value === undefined ? 'none' : escapeControls(encode(shownOf(value, options)))
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
