import { UsageError } from '../../errors.ts'
import type { ListedJob } from '../../jobs/job.ts'

/** Throws `UsageError` for a job that has not found its targets yet. */
export function refuseLookup({ name, header }: Pick<ListedJob, 'name' | 'header'>): void {
  if (header.lookup === undefined) return
  throw new UsageError(`Job ${name} holds look-ups of names, and no run yet`, {
    hint: 'Run the same command with the same list again',
  })
}
