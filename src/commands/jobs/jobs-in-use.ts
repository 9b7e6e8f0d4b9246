import { parseBaseUrl } from '../../api/base-url.ts'
import type { Context } from '../../cli/command.ts'
import { flag } from '../../cli/options.ts'
import { Failure } from '../../errors.ts'
import { jobsFolder, type ListedJob } from '../../jobs/job.ts'
import { listJobs } from '../../jobs/list-jobs.ts'
import { settingsOf } from '../../profiles/current.ts'
import { sandboxBase } from '../../sandbox/base.ts'
import { countOf } from '../../text/grouped.ts'

export const onEveryServer = flag('the jobs of every server')

interface JobsInUse {
  readonly jobs: readonly ListedJob[]
  readonly others: readonly ListedJob[]
  /** Some jobs, perhaps of this server, could not be read. */
  readonly isIncomplete: boolean
}

/** Newest first. All jobs with --everywhere, or if no server is given. */
export function jobsInUse(context: Context, isEverywhere = false): JobsInUse {
  const { messages, stateFolder } = context
  let isIncomplete = false
  const all = listJobs(jobsFolder(stateFolder()), ({ failure }) => {
    isIncomplete = true
    messages.warn(failure.message)
  })
  const server = isEverywhere ? undefined : serverInUse(context)
  const isIn = ({ header }: ListedJob) => server === undefined || header.base === server
  return { jobs: all.filter(isIn), others: all.filter(job => !isIn(job)), isIncomplete }
}

export function ofOthers(count: number, what: 'shown' | 'removed'): string {
  const jobs = countOf(count, 'job of other servers is', 'jobs of other servers are')
  return `${jobs} not ${what}: use --everywhere`
}

/** Undefined if the settings name no server or cannot be used. */
function serverInUse({ settings, host }: Context): string | undefined {
  if (settings.values.sandbox) return sandboxBase
  try {
    const { values } = settingsOf(settings.typed, host, true)
    return values.baseUrl && parseBaseUrl(values.baseUrl, true).href
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
