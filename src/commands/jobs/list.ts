import { defineCommand } from '../../cli/command.ts'
import { jobState } from '../../jobs/job.ts'
import type { JobFacts, JobLocation } from '../../jobs/job-header.ts'
import type { Actor } from '../../jobs/receipts/receipt.ts'
import { listDocument } from '../../output/document.ts'
import { rowView } from '../../output/views.ts'
import { dateTime, integer, text } from '../../values/kinds.ts'
import { paging } from '../reading/paging.ts'
import { jobsInUse, ofOthers, onEveryServer } from './jobs-in-use.ts'

const fields = {
  id: text,
  command: text,
  state: text,
  total: integer,
  done: integer,
  failed: integer,
  created_at: dateTime,
  base_url: text,
  project: text,
  reason: text,
  actor: text,
}
// When, what, why and how far; then what tells jobs apart.
const columns = [
  'created_at',
  'command',
  'reason',
  'state',
  'done',
  'total',
  'failed',
  'id',
  'project',
  'actor',
  'base_url',
]
const view = { ...rowView(Object.keys(fields)), columns, names: ['created_at', 'command'] }
const everyServer = { ...view, names: ['created_at', 'command', 'base_url'] }

export default defineCommand({
  summary: 'List what was changed from this machine, newest first',
  details:
    'Every run that changes objects is a job, also of one target. Shows the jobs of the server (or sandbox) in use; --everywhere shows all. A job is running, interrupted (some targets are left), failed (finished, but some targets failed), done, or other-version (that version of analytics can go on with it).',
  args: {},
  options: { everywhere: onEveryServer, limit: paging.limit },
  examples: [
    'jobs list # The jobs of the server in use',
    'jobs list -o json # All as JSON',
    'jobs list --everywhere # The jobs of every server',
  ],
  async run(_, { everywhere, limit }, context) {
    const { host, messages } = context
    const { jobs, foreign, others, isIncomplete } = jobsInUse(context, everywhere)
    const own = jobs.map(job => ({
      ...rowOfJob(job),
      state: jobState(job, host),
      total: job.header.total,
      done: job.header.total - job.counts.left - job.counts.failed,
      failed: job.counts.failed,
      reason: job.header.receipt.asked.reason,
      actor: actorText(job.header.receipt.actor),
    }))
    const rows = [...own, ...foreign.map(rowOfJob)].sort(newerFirst)
    return {
      data: listDocument(rows.slice(0, limit), everywhere ? everyServer : view),
      end() {
        if (others.length > 0) messages.notice(ofOthers(others.length, 'shown'))
        else if (rows.length === 0 && !isIncomplete)
          messages.notice('No jobs: each run that changes objects is kept here')
      },
    }
  },
})

/** As the row of a job of another version, of which no more is known. */
function rowOfJob({ name, header }: JobLocation & { readonly header: JobFacts }) {
  return {
    id: name,
    command: header.command,
    state: 'other-version',
    total: null,
    done: null,
    failed: null,
    created_at: header.created_at,
    base_url: header.base,
    project: header.path.project_id ?? null,
    reason: null,
    actor: null,
  }
}

function actorText({ user, machine, ci }: Actor): string {
  return ci === null ? `${user ?? 'somebody'}@${machine}` : `${user ?? 'somebody'} (${ci})`
}

/** Those of one second stay in their order. */
function newerFirst(a: { readonly created_at: string }, b: { readonly created_at: string }): number {
  return b.created_at.localeCompare(a.created_at)
}
