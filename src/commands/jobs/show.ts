import { defineCommand } from '../../cli/command.ts'
import { isTable, noData } from '../../context.ts'
import { progressOf } from '../../jobs/find-job.ts'
import { type Job, readTargets } from '../../jobs/job.ts'
import type { Journal } from '../../jobs/journal.ts'
import { outcomeItem } from '../../jobs/outcome.ts'
import { batchesOf } from '../../jobs/run-parallel.ts'
import type { Item } from '../../json/read-item.ts'
import { saveMemory } from '../../memory.ts'
import { outcomeView } from '../../output/views.ts'
import { type FailedTarget, outcomeLines, suggestCommand } from '../../runs/wording.ts'
import { readableMoment } from '../../text/moment.ts'
import { chooseJob, jobChoice } from './choose-job.ts'

export default defineCommand({
  summary: 'Show a job with its counts and failures',
  args: jobChoice.args,
  options: jobChoice.options,
  examples: [
    'jobs show 20260515-120000-i000 # Show counts and failures',
    'jobs show 20260515-120000-i000 -o ndjson # Print every outcome',
  ],
  async run({ job: typed }, { last }, context) {
    const job = await chooseJob(context, typed, last)
    await saveMemory(job.total)
    const { state, journal } = progressOf(job, context.host)
    const targets = readTargets(job)
    if (!isTable(context.values)) {
      const rows = batchesOf(outcomeItems(journal, targets), 100)
      return { data: { rows, isOne: false, view: outcomeView } }
    }
    const failures: FailedTarget[] = []
    for (const [id, one] of journal.outcomesOf(targets)) if (one?.status === 'failed') failures.push([id, one])
    const end = () => {
      if (state === 'running' || journal.isFinished) return
      context.messages.print(`Resume with: ${suggestCommand(context, ['jobs', 'resume', job.name])}`)
    }
    return { data: noData, draw: () => [...jobLines(job, state), '', ...outcomeLines(journal.counts, failures)], end }
  },
})

function* outcomeItems(journal: Journal, targets: readonly string[]): Generator<Item> {
  for (const [id, outcome] of journal.outcomesOf(targets)) if (outcome) yield outcomeItem(id, outcome)
}

function jobLines({ name: job, header, total, backups }: Job, state: string): string[] {
  const { command, base_url, profile, project, path, reason, started_at } = header
  const organization = path.parent_lookup_organization_id ?? null
  const backup = backups.length > 0 ? backups.join(', ') : null
  const details = { job, command, state, server: base_url, profile, project, organization, reason }
  const lines = Object.entries({ ...details, started: readableMoment(started_at) ?? started_at, backup, total })
  return lines.filter(([, value]) => value !== null).map(([name, value]) => `${name.padEnd(14)}${value}`)
}
