import { defineCommand } from '../../cli/command.ts'
import { jobState, jobsFolder, listJobs } from '../../jobs/job.ts'
import { doneIn } from '../../jobs/job-state.ts'
import type { View } from '../../output/document.ts'

const fields = ['id', 'command', 'state', 'total', 'done', 'failed', 'created_at']
const view: View = { columns: fields, fields, id: 'id' }

export default defineCommand({
  summary: 'List the bulk runs kept on this machine, newest first',
  details: 'A job is running, interrupted (some targets are left), failed (finished, but some targets failed) or done.',
  calls: [],
  args: {},
  options: {},
  examples: ['jobs list', 'jobs list -o json'],
  async run(_, __, { host, messages, stateFolder }) {
    const rows = listJobs(jobsFolder(stateFolder()), error => messages.warn(error.message)).map(job => ({
      id: job.name,
      command: job.header.command,
      state: jobState(job, host),
      total: job.header.total,
      done: doneIn(job.counts),
      failed: job.counts.failed,
      created_at: job.header.created_at,
    }))
    return {
      document: { shape: 'list', batches: [rows.map(row => Buffer.from(JSON.stringify(row)))], view },
      afterwards: () => {
        if (rows.length === 0) messages.notice('No jobs: runs of more than one target are kept here')
      },
    }
  },
})
