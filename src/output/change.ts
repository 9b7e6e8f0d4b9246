/** What changes, as a table shows it: `"pro" → "team"`. */
import { encode, type Json } from '../json/exact.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { cut } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { masked, newSecret, oldSecret } from './mask.ts'

/** Cells of each value. */
const widest = 24

/** Undefined means no value. */
export function changeText(path: string, before: Json | undefined, after: Json | undefined): string {
  const isUnchanged =
    encode(before ?? null) === encode(after ?? null) && (before === undefined) === (after === undefined)
  const one = isSecretName(path) ? secretText(before, oldSecret) : valueText(before)
  const other = isSecretName(path) ? secretText(after, one === oldSecret ? newSecret : oldSecret) : valueText(after)
  return `${cut(one, widest)} → ${isUnchanged ? 'same' : cut(other, widest)}`
}

/** Two secrets may look equal when they are masked. */
function secretText(value: Json | undefined, secret: string): string {
  return value === undefined || value === null ? valueText(value) : secret
}

function valueText(value: Json | undefined): string {
  return value === undefined ? 'none' : escapeControls(encode(masked(value)))
}
