import { problemOf, wants } from '../json/problem.ts'
import type { Kind } from '../values/kinds.ts'
import { secretFields } from './resources.ts'

/** Returns the end of a sentence about the field. It never repeats a secret value. */
export function fieldProblem(field: string, kind: Kind<unknown>, value: unknown): string | undefined {
  const problem = problemOf(kind, value)
  return problem !== undefined && secretFields.includes(field) ? wants(kind) : problem
}
