import { problemOf, wants } from '../json/problem.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import type { Kind } from '../values/kinds.ts'

/** Returns the end of a sentence about the field. It never repeats a secret value. */
export function fieldProblem(field: string, kind: Kind<unknown>, value: unknown): string | undefined {
  const problem = problemOf(kind, value)
  return problem !== undefined && isSecretName(field) ? wants(kind) : problem
}
