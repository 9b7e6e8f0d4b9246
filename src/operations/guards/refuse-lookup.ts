import { UsageError } from '../../errors.ts'
import type { Header } from '../../jobs/job.ts'

/** Throws `UsageError` for a job that has not found its targets yet. */
export function refuseLookup({ lookup }: Header): void {
  if (lookup === undefined) return
  throw new UsageError('This job holds look-ups of names, and no run yet', {
    hint: 'Run the same command with the same list again',
  })
}
