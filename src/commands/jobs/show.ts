import { defineCommand } from '../../cli/command.ts'
import { optionName } from '../../cli/options.ts'
import { isResumable, type Job, jobState } from '../../jobs/job.ts'
import { type Failed, outcomeItem } from '../../jobs/outcome.ts'
import { tableOf } from '../../jobs/summary.ts'
import type { Item } from '../../json/item.ts'
import { isTable } from '../../output/is-table.ts'
import { outcomeView } from '../../output/views.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { readableMoment } from '../../text/moment.ts'
import { jobChoice, openChosen } from './jobs-in-use.ts'
import { lineAtJob } from './place-in-use.ts'

export default defineCommand({
  summary: 'Show a job with its counts and failures; -o json shows every outcome',
  args: jobChoice.args,
  options: jobChoice.options,
  examples: [
    'jobs show 20260515-120000-i000 # Counts and failures',
    'jobs show 20260515-120000-i000 -o ndjson # Every outcome',
  ],
  async run({ job: typed }, { last }, context) {
    const { host, values } = context
    const job = await openChosen(context, { job: typed, last }, 'show')
    if (!isTable(values)) {
      return { data: { rows: outcomeItems(job), isOne: false, view: outcomeView } }
    }
    const { header, state } = job
    const facts = {
      job: job.name,
      command: [header.command, ...Object.entries(header.options).map(optionText)].join(' '),
      state: jobState({ ...job, counts: state.counts }, host),
      server: header.base,
      profile: header.profile,
      project: header.path.project_id ?? null,
      organization: header.path.parent_lookup_organization_id ?? null,
      created: readableMoment(header.created_at) ?? header.created_at,
      total: header.total,
    }
    const shown = Object.entries(facts).filter(([, value]) => value !== null)
    const width = 2 + Math.max(...shown.map(([fact]) => fact.length))
    // Files of a job may have been edited, so any text is possible.
    const lines = shown.map(([fact, value]) => `${fact.padEnd(width)}${escapeControls(String(value))}\n`)
    const isLeft = facts.state !== 'running' && isResumable({ ...job, counts: state.counts })
    const failures = failuresOf(job)
    const text = `${lines.join('')}\n${tableOf(state.counts, failures)}`
    const end = () => {
      if (isLeft) context.messages.say(`Resume with: ${lineAtJob(context, header, ['jobs', 'resume', job.name])}`)
    }
    return { data: { text }, end }
  },
})

const batchSize = 100

/** Makes one batch at a time, since a job may have a million targets. */
function* outcomeItems({ state, targets }: Job): Generator<readonly Item[]> {
  let batch: Item[] = []
  for (const [id, outcome] of state.outcomesOf(targets)) {
    if (outcome) batch.push(outcomeItem(id, outcome))
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  yield batch
}

function failuresOf({ state, targets }: Job): [string, Failed][] {
  const failures: [string, Failed][] = []
  for (const [id, outcome] of state.outcomesOf(targets)) {
    if (outcome?.status === 'failed') failures.push([id, outcome])
  }
  return failures
}

function optionText([name, value]: readonly [string, boolean | number | string]): string {
  const option = optionName(name)
  if (value === true) return option
  return `${option} ${value}`
}
