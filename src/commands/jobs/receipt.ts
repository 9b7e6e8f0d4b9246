import { defineCommand, flag, refuseBeside } from '../../cli/command.ts'
import { journalOf, readTargets } from '../../jobs/job.ts'
import { printReceipt, receiptOf } from '../../jobs/receipt.ts'
import { isObject } from '../../json/exact.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import { readableMoment } from '../../text/moment.ts'
import { chooseJob, jobChoice } from './choose-job.ts'

export default defineCommand({
  summary: 'Print the receipt of a job as JSON or HTML',
  args: jobChoice.args,
  options: { ...jobChoice.options, html: flag('print one HTML page to attach or print') },
  examples: [
    'jobs receipt --last > receipt.json # Print as JSON',
    'jobs receipt --last --html > receipt.html # As a page',
  ],
  async run({ job: typed }, { html, last }, context) {
    const { fields } = context.config.options
    refuseBeside('A receipt is printed whole', { fields }, 'Remove --fields')
    const job = await chooseJob(context, typed, last)
    const receipt = receiptOf(job.header, journalOf(job), readTargets(job))
    return { data: { text: html ? receiptPage(receipt) : printReceipt(receipt) } }
  },
})

type Receipt = ReturnType<typeof receiptOf>

type Fact = readonly [name: string, value: unknown]

/** One page of HTML to attach or print, without scripts or external content. All text is escaped. */
function* receiptPage(receipt: Receipt): Generator<string> {
  const { counts, ...technical } = receipt.header
  const title = escapeHtml(`Receipt: ${whatWasDone(receipt)}`)
  yield `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}th,td{border:1px solid #999;padding:.2em .6em;text-align:left}td{overflow-wrap:anywhere}thead{display:table-header-group}</style>
</head>
<body>
<h1>${title}</h1>
`
  yield* table([], summaryOf(receipt))
  yield '<h2>Outcomes</h2>\n'
  yield* table(['id', 'status', 'error', 'evidence', 'at', 'uuid'], outcomeRows(receipt))
  yield '<h2>Technical details</h2>\n'
  yield* table([], Object.entries({ ...technical, counts }).flatMap(factsIn))
  yield '</body>\n</html>\n'
}

function* outcomeRows({ outcomes }: Receipt): Generator<readonly unknown[]> {
  for (const { id, status, error, evidence, at, uuid } of outcomes) yield [id, status, error, evidence, at, uuid]
}

function summaryOf(receipt: Receipt): readonly Fact[] {
  const { header, counts } = receipt
  const { user, machine, run } = header.actor
  const others = [
    [counts.gone, 'not found'],
    [counts.failed, 'failed'],
    [counts.left, 'pending'],
  ].flatMap(([count, state]) => (count ? [`${grouped(count)} ${state}`] : []))
  return [
    ['Result', [whatWasDone(receipt), ...others].join(', ')],
    ...(header.events === null ? [] : ([['Events', eventsOf(header.events)]] as const)),
    ['Started', header.started_at],
    ['Finished', header.finished_at],
    ['By', `${user ?? 'unknown user'} on ${machine}${run ? ` (${run})` : ''}`],
    ['Reason', header.reason],
    ['Complete', counts.left === 0 ? 'yes, every target has an outcome' : `no, ${grouped(counts.left)} pending`],
  ]
}

function whatWasDone({ header, counts }: Receipt): string {
  const [command = ''] = String(header.command).split(' --')
  const many = command.replace(/ .*/, '').replaceAll('-', ' ')
  const isDelete = command.endsWith(' delete')
  return `${countOf(counts.deleted + counts.updated, many.slice(0, -1), many)} ${isDelete ? 'deleted' : 'changed'}`
}

function eventsOf(events: unknown): string {
  const { deleted, due_at, unasked } = isObject(events) ? events : {}
  if (unasked) return 'deleted too, although --delete-events was not given'
  return deleted ? `deleted too, due ${readableMoment(String(due_at)) ?? due_at}` : 'kept'
}

function factsIn([name, value]: Fact): readonly Fact[] {
  if (Array.isArray(value)) return [[name, value.join(', ')]]
  if (typeof value !== 'object' || value === null) return [[name, value]]
  return Object.entries(value).flatMap(([member, part]) => factsIn([`${name}.${member}`, part]))
}

function* table(columns: readonly string[], rows: Iterable<readonly unknown[]>): Generator<string> {
  const header = columns.map(column => `<th>${escapeHtml(column)}</th>`).join('')
  yield `<table>\n${header && `<thead><tr>${header}</tr></thead>\n`}<tbody>\n`
  for (const row of rows) yield `<tr>${row.map(cell).join('')}</tr>\n`
  yield '</tbody>\n</table>\n'
}

function cell(value: unknown): string {
  const text = String(value ?? '–')
  return `<td>${escapeHtml(readableMoment(text) ?? text)}</td>`
}

function escapeHtml(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
