import { defineCommand } from '../../cli/command.ts'
import { progressOf } from '../../jobs/find-job.ts'
import type { Job } from '../../jobs/job.ts'
import { listDocument, rowView } from '../../output/views.ts'
import { paging } from '../paging.ts'
import { readJobs } from './choose-job.ts'

const fields = ['id', 'command', 'state', 'total', 'done', 'failed', 'created_at', 'base_url', 'project', 'reason']

// A table of 80 columns has room for those before `failed`, and for the id.
const columns = ['created_at', 'state', 'done', 'total', 'command', 'failed', 'reason', 'id', 'project', 'base_url']

export default defineCommand({
  summary: 'List the jobs of this machine, newest first',
  details:
    'Every command that changes or deletes persons, plugins or event definitions, or deletes a project, is a job. Its state is running, interrupted (some objects are pending), failed (finished with failures) or done.',
  options: { limit: paging.limit },
  examples: ['jobs list # List all jobs of this machine', 'jobs list -o json # Print all as JSON'],
  async run(_, { limit }, context) {
    const row = (job: Job) => {
      const { name: id, header, total } = job
      const { command, base_url, project, reason, started_at: created_at } = header
      const { state, journal } = progressOf(job, context.host)
      const { left, failed } = journal.counts
      return { id, command, state, total, done: total - left - failed, failed, created_at, base_url, project, reason }
    }
    const rows = readJobs(context, row, limit)
    const view = { ...rowView(fields), columns, names: ['created_at'] }
    return {
      data: listDocument(rows, view),
      end() {
        if (rows.length === 0) context.messages.notice('No jobs. Each run that changes objects is listed here')
      },
    }
  },
})
