import { join } from 'node:path'
import { type Failure, RefusedError, UsageError } from '../errors.ts'
import { codeOf } from '../files/system-error.ts'
import { jobNames, type ListedJob, reading } from './job.ts'
import { type JobFacts, type JobHeader, type JobLocation, OtherVersionError, readHeader } from './job-header.ts'
import { readCounts } from './journal/read-journal.ts'

export interface UnreadJob extends JobLocation {
  /** An `OtherVersionError` if it is not damaged. */
  readonly failure: Failure
  /** Of `job.json`. */
  readonly header: JobFacts | 'missing' | 'unreadable'
}

/** Newest first; `onUnread` gets those that are damaged or of another version. */
export function listJobs(jobs: string, onUnread: (job: UnreadJob) => void): ListedJob[] {
  const listed = jobNames(jobs).flatMap((name): ListedJob[] => {
    const location = { name, folder: join(jobs, name) }
    let header: JobHeader | undefined
    try {
      const read = reading(location, () => readHeader(location))
      header = read.header
      const { total } = header
      const counts = reading(location, () => readCounts(location.folder, total, read.digest))
      return [{ ...location, header, counts }]
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof UsageError)) throw error
      const facts = error instanceof OtherVersionError ? error.job : header
      const without = codeOf(error.cause) === 'ENOENT' ? 'missing' : 'unreadable'
      onUnread({ ...location, failure: error, header: facts ?? without })
      return []
    }
  })
  return listed.sort(newerFirst)
}

/** Names of jobs created in the same second end with a number, which is higher for later ones. */
function newerFirst(a: ListedJob, b: ListedJob): number {
  const [first, second] = [a, b].map(({ name, header }) => `${header.created_at} ${name.length} ${name}`)
  return (second ?? '').localeCompare(first ?? '', 'en', { numeric: true })
}
