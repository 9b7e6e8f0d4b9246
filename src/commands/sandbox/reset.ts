import { defineCommand } from '../../cli/command.ts'
import { noData } from '../../context.ts'
import { listJobs, removeJob } from '../../jobs/find-job.ts'
import { jobsFolder } from '../../jobs/job.ts'
import { resetStore } from '../../sandbox/open-store.ts'
import { sandboxBase } from '../../values/url.ts'

export default defineCommand({
  summary: 'Reset the sandbox to its original data',
  details: 'Also removes its jobs, and repairs a damaged sandbox. The key stays the same.',
  examples: ['sandbox reset'],
  async run(_, __, { host, stateFolder, values, messages }) {
    if (!values.dryRun) {
      await resetStore(stateFolder(), host)
      const jobs = jobsFolder(stateFolder())
      const ofSandbox = listJobs(jobs, () => undefined).filter(({ header }) => header.base_url === sandboxBase)
      for (const { name } of ofSandbox) removeJob(jobs, name, host)
    }
    messages.notice(`The sandbox ${values.dryRun ? 'would be' : 'was'} reset`)
    return { data: noData }
  },
})
