/** What changes, as a table shows it: `"pro" → "team"`. */
import { encode, type Json } from '../json/exact.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { cut } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { masked, newSecret, oldSecret } from './mask.ts'

/** Cells of each value. */
const widest = 24

/** Undefined means no value. `hide` takes secrets out of a value before it is cut. */
export function changeText(
  path: string,
  [before, after]: readonly [Json | undefined, Json | undefined],
  hide: (text: string) => string,
): string {
  const isSecret = isSecretName(path)
  const [one, other] = [textOf(before, isSecret && oldSecret), textOf(after, isSecret && oldSecret)]
  // Two secrets may look equal when they are masked.
  const changed = isSecret && one === other ? newSecret : other
  return `${cut(hide(one), widest)} → ${isSame(before, after) ? 'same' : cut(hide(changed), widest)}`
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one === undefined || other === undefined ? one === other : encode(one) === encode(other)
}

function textOf(value: Json | undefined, secret: string | false): string {
  if (value === undefined) return 'none'
  if (value !== null && secret) return secret
  return escapeControls(encode(masked(value)))
}
