/** What a table shows for a value. */
import { ExactNumber, encode, isObject, type Json, textOf } from '../json/exact.ts'
import { indented } from '../json/layout.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { readableMoment, shortMoment } from '../text/moment.ts'

/** Shown for `null`, empty values and missing fields, so that no cell is blank. */
export const nothing = '-'

export function isNumeral(value: Json | undefined): boolean {
  return typeof value === 'number' || value instanceof ExactNumber
}

/** `isShort`: at a terminal, where the seconds of a moment are left out. */
export function cellOf(value: Json | undefined, isShort: boolean): string {
  if (value === undefined || value === null) return nothing
  if (isNested(value)) return escapeControls(encode(value))
  const text = Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value)
  return escapeControls((isShort ? shortMoment : readableMoment)(text) ?? text) || nothing
}

/** Nested values are laid out over several lines. */
export function laidOut(value: Json | undefined): string {
  if (value === undefined || !isNested(value)) return cellOf(value, false)
  return indented(encode(value)).split('\n').map(escapeControls).join('\n')
}

function isNested(value: Json): boolean {
  return isObject(value) || (Array.isArray(value) && value.some(one => isObject(one) || Array.isArray(one)))
}
