/** One page of HTML to print or attach, without scripts or external content; all text is escaped. */
import { escapeControls } from '../../text/escape-controls.ts'
import { grouped } from '../../text/grouped.ts'
import { readableMoment } from '../../text/moment.ts'
import type { NewReceipt, Receipt } from './receipt.ts'

export function receiptPage(receipt: NewReceipt): string {
  const { outcomes, counts, notes, project: _, ...facts } = receipt
  const title = escapeHtml(`Receipt: ${receipt.command}`)
  const rows = Array.from(outcomes, ({ id, status, evidence, at, error }) => [
    id,
    status,
    evidence,
    at,
    error && textOf(error),
  ])
  const missing = `Not complete: no outcome for ${grouped(counts.left)} of ${grouped(rows.length)} targets`
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${receipt.complete ? '' : `<p><strong>${missing}</strong></p>\n`}${table(Object.keys(counts), [Object.values(counts)])}
<h2>What was done</h2>
${factsTable(Object.entries(facts).flatMap(factsIn))}
${notes.map(note => `<p>${escapeHtml(note)}</p>\n`).join('')}<h2>Outcomes</h2>
${table(['ID', 'status', 'evidence', 'at', 'error'], rows)}
</body>
</html>
`
}

const style = [
  'body{font:14px sans-serif;margin:2em}',
  'table{border-collapse:collapse;margin:1em 0}',
  'th,td{border:1px solid #999;padding:.2em .6em;text-align:left;vertical-align:top}',
  'td{overflow-wrap:anywhere}th{white-space:nowrap}thead th{text-transform:capitalize}',
  'thead{display:table-header-group}tr{break-inside:avoid}h2{break-after:avoid}',
  '@page{margin:15mm;@bottom-right{font:9pt sans-serif;content:counter(page) " / " counter(pages)}}',
  '@media print{body{font-size:10pt;margin:0}}',
].join('')

/** In the order of the page. Members without a label keep their name and come last. */
const labels: Readonly<Record<string, string>> = {
  reason: 'Reason',
  requested_by: 'Requested by',
  request_received_at: 'Request received',
  due_by: 'Due by',
  started_at: 'Started',
  finished_at: 'Finished',
  complete: 'Complete',
  'actor.user': 'User',
  'actor.machine': 'Machine',
  'actor.ci': 'CI system',
  'actor.run': 'CI run',
  command: 'Command',
  base_url: 'Server',
  'path.project_id': 'Project',
  'path.parent_lookup_organization_id': 'Organization',
  profile: 'Profile',
  events: 'Events',
  'events.queued': 'Events queued',
  'events.due_at': 'Events due',
  'events.note': 'About the events',
  input: 'List',
  'input.lines': 'Lines of the list',
  'input.matched': 'Lines with a target',
  'input.unmatched': 'Numbers of lines without a target',
  'input.sha256': 'SHA-256 of the list',
  targets_sha256: 'SHA-256 of the ids',
  backup: 'Backup',
  'backup.path': 'Backup',
  'backup.sha256': 'SHA-256 of the backup',
  job: 'Job',
  tool: 'Written by',
  receipt: 'Version of the receipt',
}

type Fact = readonly [name: string, value: unknown]

/** Members of an object become separate facts, such as `actor.user`; a list becomes one text. */
function factsIn([name, value]: Fact): readonly Fact[] {
  if (Array.isArray(value)) return [[name, value.length === 0 ? 'none' : value.join(', ')]]
  if (typeof value === 'boolean') return [[name, value ? 'yes' : 'no']]
  if (name === 'events.queued') return [[name, 'not known']]
  if (typeof value !== 'object' || value === null) return [[name, value]]
  return Object.entries(value).flatMap(([member, part]) => factsIn([`${name}.${member}`, part]))
}

function factsTable(facts: readonly Fact[]): string {
  const order = Object.keys(labels)
  const rank = ([name]: Fact) => (order.includes(name) ? order.indexOf(name) : order.length)
  const rows = facts
    .toSorted((a, b) => rank(a) - rank(b))
    .map(([name, value]) => {
      return `<tr><th scope="row">${escapeHtml(labels[name] ?? name)}</th>${cell(value)}</tr>\n`
    })
  return `<table>\n<tbody>\n${rows.join('')}</tbody>\n</table>`
}

function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const head = columns.map(column => `<th scope="col">${escapeHtml(column)}</th>`).join('')
  const body = rows.map(row => `<tr>${row.map(cell).join('')}</tr>\n`).join('')
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}</tbody>\n</table>`
}

function cell(value: unknown): string {
  const text = String(value ?? '–')
  return `<td>${escapeHtml(readableMoment(text) ?? text)}</td>`
}

function textOf({ message, ...facts }: NonNullable<Receipt['outcomes'][number]['error']>): string {
  return `${message} (${Object.values(facts).filter(Boolean).join(', ')})`
}

function escapeHtml(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
