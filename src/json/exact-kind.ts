import { integer, type Kind } from '../values/kinds.ts'
import { decode } from './exact.ts'

/** Keeps the digits of integers that a double cannot hold. */
export function exactKind(kind: Kind<unknown>): Kind<unknown> {
  if (kind !== integer) return kind
  return { ...kind, parse: typed => (/^-?[1-9]\d{15,}$/.test(typed) ? { value: decode(typed) } : kind.parse(typed)) }
}
