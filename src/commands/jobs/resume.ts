import { defineCommand } from '../../cli/command.ts'
import { resumeJob } from '../../runs/resume.ts'
import { bulkOptions } from '../writing/bulk-options.ts'
import { chooseJob, jobChoice } from './choose-job.ts'

const { concurrency, maxFailures, backup, receipt } = bulkOptions

export default defineCommand({
  summary: 'Continue a job that stopped, and retry its failures',
  details:
    'Does not prompt again. Targets that are done are not sent again; those without a response are. You can resume a job of another machine, on the same server and project.',
  args: jobChoice.args,
  options: { ...jobChoice.options, ...{ concurrency, maxFailures, backup, receipt } },
  examples: ['jobs resume 20260515-120000-i000 # Resume a job', 'jobs resume --last # Resume the newest job'],
  run: async ({ job }, { last, ...options }, context) =>
    resumeJob(context, await chooseJob(context, job, last), options),
})
