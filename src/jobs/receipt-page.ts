/** A receipt as one page of HTML to print or to attach: no script, nothing loaded from elsewhere, every text escaped. */
import { escapeControls } from '../values/escape-controls.ts'
import type { Receipt } from './receipt.ts'

export function receiptPage(receipt: Receipt): string {
  const { outcomes, counts, notes, ...facts } = receipt
  const title = `Receipt: ${receipt.command}`
  const columns = ['id', 'status', 'evidence', 'at', 'error']
  const rows = outcomes.map(({ id, status, evidence, at, error }) => [
    id,
    status,
    evidence,
    at,
    error && Object.values(error).filter(Boolean).join(', '),
  ])
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${table([], Object.entries(facts).flatMap(factRows))}
<h2>Counts</h2>
${table([], Object.entries(counts))}
${notes.map(note => `<p>${escapeHtml(note)}</p>\n`).join('')}<h2>Outcomes</h2>
${table(columns, rows)}
</body>
</html>
`
}

const style =
  'body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}th,td{border:1px solid #999;padding:.2em .6em;text-align:left;vertical-align:top;overflow-wrap:anywhere}thead{display:table-header-group}tr{break-inside:avoid}'

type Row = readonly unknown[]

/** The members of an object get a row each, such as `actor.user`; a list is one text. */
function factRows([name, value]: readonly [string, unknown]): Row[] {
  if (Array.isArray(value)) return [[name, value.length === 0 ? 'none' : value.join(', ')]]
  if (typeof value !== 'object' || value === null) return [[name, value]]
  return Object.entries(value).flatMap(([member, part]) => factRows([`${name}.${member}`, part]))
}

function table(columns: readonly string[], rows: readonly Row[]): string {
  const head = columns.map(column => `<th scope="col">${escapeHtml(column)}</th>`).join('')
  const body = rows.map(row => `<tr>${row.map(cell).join('')}</tr>\n`).join('')
  return `<table>\n${head && `<thead><tr>${head}</tr></thead>\n`}<tbody>\n${body}</tbody>\n</table>`
}

/** The first of a row names it. */
function cell(value: unknown, place: number): string {
  const text = escapeHtml(String(value ?? '–'))
  return place === 0 ? `<th scope="row">${text}</th>` : `<td>${text}</td>`
}

function escapeHtml(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
