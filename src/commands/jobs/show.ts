import { defineCommand } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { jobState, jobsFolder, openJob, targetsOf } from '../../jobs/job.ts'
import { type Failed, outcomeItem } from '../../jobs/outcome.ts'
import { tableOf } from '../../jobs/summary.ts'
import { widthForBars } from '../../output/bars.ts'
import { outcomeView } from '../../output/views.ts'
import { escapeControls } from '../../values/escape-controls.ts'

export default defineCommand({
  summary: 'Show a job with its counts and failures; -o json shows every outcome',
  calls: [],
  args: { job: argument('JOB', 'id of the job') },
  options: {},
  examples: ['jobs show 20260515-120000-i000', 'jobs show 20260515-120000-i000 -o ndjson'],
  async run({ job: name }, _, { host, values, stateFolder }) {
    const job = openJob(jobsFolder(stateFolder()), name)
    const { header, state } = job
    const ids = targetsOf(job)
    const outcomes = ids.flatMap((id, target) => {
      const outcome = state.outcomeOf(target)
      return outcome ? [[id, outcome] as const] : []
    })
    if ((values.output ?? 'table') !== 'table' || values.query !== undefined || values.fields !== undefined) {
      const items = outcomes.map(([id, outcome]) => outcomeItem(id, outcome))
      return { document: { shape: 'list', batches: [items], view: outcomeView } }
    }
    const facts = {
      job: name,
      command: [header.command, ...Object.entries(header.options).map(optionText)].join(' '),
      state: jobState({ ...job, counts: state.counts }, host),
      server: header.base,
      profile: header.profile,
      ...header.path,
      created: header.created_at,
      total: header.total,
    }
    const width = 2 + Math.max(...Object.keys(facts).map(fact => fact.length))
    const lines = Object.entries(facts).flatMap(([fact, value]) =>
      value === null ? [] : [`${fact.padEnd(width)}${escapeControls(String(value))}\n`],
    )
    const failures = outcomes.flatMap(([id, outcome]): [string, Failed][] =>
      outcome.status === 'failed' ? [[escapeControls(id), outcome]] : [],
    )
    return { text: `${lines.join('')}\n${tableOf(state.counts, failures, widthForBars(host, values.outputFile))}` }
  },
})

function optionText([name, value]: readonly [string, boolean | number | string]): string {
  const option = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  return value === true ? option : `${option} ${value}`
}
