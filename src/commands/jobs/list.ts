import { defineCommand } from '../../cli/command.ts'
import { ownList, selecting } from '../../cli/own-list.ts'
import { type JobLocation, jobState } from '../../jobs/job.ts'
import type { JobFacts } from '../../jobs/other-version.ts'
import { rowView } from '../../output/views.ts'
import { dateTime, integer, text } from '../../values/kinds.ts'
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
}
const names = Object.keys(fields)
// The id already contains the time of creation.
const columns = [...names.filter(name => name !== 'created_at' && name !== 'base_url'), 'created_at', 'base_url']
const view = { ...rowView(names), columns, names: ['command'] }
const everyServer = {
  ...view,
  columns: ['id', 'command', 'state', 'base_url', 'project', 'total', 'done', 'failed', 'created_at'],
  names: ['state', 'base_url', 'command'],
}

export default defineCommand({
  summary: 'List the bulk runs kept on this machine, newest first',
  details:
    'Shows the jobs of the server (or sandbox) in use; --everywhere shows all. A job is running, interrupted (some targets are left), failed (finished, but some targets failed), done, or other-version (that version of analytics can go on with it).',
  calls: [],
  args: {},
  fields,
  options: { everywhere: onEveryServer, ...selecting },
  examples: [
    'jobs list # The jobs of the server in use',
    'jobs list --where state=interrupted # Those that a resume finishes',
    'jobs list -o json # All as JSON',
    'jobs list --everywhere # The jobs of every server',
  ],
  async run(_, { everywhere, ...selected }, context) {
    const { host, messages } = context
    const { jobs, foreign, others, isIncomplete } = jobsInUse(context, everywhere)
    const own = jobs.map(job => ({
      ...rowOfJob(job),
      state: jobState(job, host),
      total: job.header.total,
      done: job.header.total - job.counts.left - job.counts.failed,
      failed: job.counts.failed,
    }))
    const rows = [...own, ...foreign.map(rowOfJob)].sort(newerFirst)
    const listed = ownList(context, rows, everywhere ? everyServer : view, selected)
    return {
      ...listed,
      async afterwards() {
        await listed.afterwards?.()
        if (others.length > 0) messages.notice(ofOthers(others.length, 'shown'))
        else if (rows.length === 0 && !isIncomplete)
          messages.notice('No jobs: runs of more than one target, and runs of a plan, are kept here')
      },
    }
  },
})

/** As the row of a job of another version, whose counts are not known. */
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
  }
}

/** Those of one second stay in their order. */
function newerFirst(a: { readonly created_at: string }, b: { readonly created_at: string }): number {
  return b.created_at.localeCompare(a.created_at)
}
