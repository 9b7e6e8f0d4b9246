import { problemOf, wants } from '../json/problem.ts'
import type { Kind } from '../values/kinds.ts'
import { secretFields } from './resources.ts'

/** The rest of a sentence that begins with the field; the value of a secret one is never repeated. */
export function fieldProblem(field: string, kind: Kind<unknown>, value: unknown): string | undefined {
  const problem = problemOf(kind, value)
  return problem !== undefined && secretFields.includes(field) ? wants(kind) : problem
}
