import { decode, ExactNumber } from '../json/exact.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { article, integer, json, type Kind } from './kinds.ts'

function problemOf(kind: Kind<unknown>, value: unknown): string | undefined {
  if (value instanceof ExactNumber) {
    const fits = kind === json || (kind === integer && /^-?\d+$/.test(value.source))
    return fits ? undefined : `${wants(kind)}, not ${value.source}`
  }
  const { item } = kind
  if (!item || !Array.isArray(value)) return kind.check(value)
  const problems = value.map(one => problemOf(item, one))
  const at = problems.findIndex(problem => problem !== undefined)
  return at < 0 ? undefined : `item ${at + 1} ${problems[at]}`
}

function wants({ name, choices }: Kind<unknown>): string {
  return `must be ${choices ? choices.join(' or ') : article(name)}`
}

/** Returns the end of a sentence about the field. It never repeats a secret value. */
export function fieldProblem(field: string, kind: Kind<unknown>, value: unknown): string | undefined {
  const problem = problemOf(kind, value)
  return problem !== undefined && isSecretName(field) ? wants(kind) : problem
}

/** Keeps the digits of integers that a double cannot hold. */
export function exactKind(kind: Kind<unknown>): Kind<unknown> {
  if (kind !== integer) return kind
  return { ...kind, parse: typed => (/^-?[1-9]\d{15,}$/.test(typed) ? { value: decode(typed) } : kind.parse(typed)) }
}
