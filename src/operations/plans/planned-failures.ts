import type { Context } from '../../context.ts'

/** A run or a resume of a plan may stop earlier than `--max-failures` of the plan, never later. */
export function plannedFailures(
  { messages }: Context,
  given: number | undefined,
  planned: number | null | undefined,
): number | undefined {
  const smallest = typeof planned === 'number' ? Math.min(planned, given ?? planned) : given
  if (given !== undefined && given !== smallest) {
    messages.notice(`--max-failures ${given} has no effect: the plan says ${planned}`)
  }
  return smallest
}
