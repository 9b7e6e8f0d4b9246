import { defineCommand } from '../../cli/command.ts'
import { resumeJob } from '../../runs/resume.ts'
import { jobOptions } from '../writing/bulk-options.ts'
import { chosenJob, jobChoice } from './choose-job.ts'

export default defineCommand({
  summary: 'Finish a run that was stopped, and try the failed ones once more',
  details:
    'No question is asked again. What is recorded as done is not sent again; what was sent and never answered is. The job may have begun on another machine; the server and the project must be the same.',
  args: jobChoice.args,
  options: { ...jobChoice.options, ...jobOptions },
  examples: ['jobs resume 20260515-120000-i000 # Go on with a job', 'jobs resume --last # Go on with the newest one'],
  run: async ({ job }, { last, ...options }, context) =>
    resumeJob(context, await chosenJob(context, job, last), options),
})
