import { parseBaseUrl } from '../../api/base-url.ts'
import type { Context } from '../../cli/command.ts'
import { flag } from '../../cli/options.ts'
import { Failure } from '../../errors.ts'
import { type JobLocation, jobsFolder, type ListedJob } from '../../jobs/job.ts'
import { listJobs } from '../../jobs/list-jobs.ts'
import { type JobFacts, OtherVersionError } from '../../jobs/other-version.ts'
import { settingsOf } from '../../profiles/current.ts'
import { sandboxBase } from '../../sandbox/base.ts'
import { countOf } from '../../text/grouped.ts'

export const onEveryServer = flag('the jobs of every server')

interface ForeignJob extends JobLocation {
  readonly header: JobFacts
}

interface JobsInUse {
  readonly jobs: readonly ListedJob[]
  /** Jobs of another version of this program. */
  readonly foreign: readonly ForeignJob[]
  /** Jobs of other servers. */
  readonly others: readonly ForeignJob[]
  /** Some jobs, perhaps of this server, could not be read. */
  readonly isIncomplete: boolean
}

/** Newest first. All jobs with --everywhere, or if no server is given. */
export function jobsInUse(context: Context, isEverywhere = false): JobsInUse {
  const { messages, stateFolder } = context
  let isIncomplete = false
  const foreign: ForeignJob[] = []
  const all = listJobs(jobsFolder(stateFolder()), ({ failure, header, ...location }) => {
    if (failure instanceof OtherVersionError && header) {
      foreign.push({ ...location, header })
      return
    }
    isIncomplete = true
    messages.warn(failure.message)
  })
  const server = isEverywhere ? undefined : serverInUse(context)
  const isIn = ({ header }: ForeignJob) => server === undefined || header.base === server
  const others = [...all, ...foreign].filter(job => !isIn(job))
  return { jobs: all.filter(isIn), foreign: foreign.filter(isIn), others, isIncomplete }
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
