/** One page of HTML to print or attach, without scripts or external content; all text is escaped. */
import { escapeControls } from '../text/escape-controls.ts'
import { grouped } from '../text/grouped.ts'
import { readableMoment } from '../text/moment.ts'
import type { Receipt } from './receipt.ts'

export function* receiptPage({ head, counts, outcomes }: Receipt): Generator<string> {
  const { counts: _, ...facts } = head
  const title = escapeHtml(`Receipt: ${head.command}`)
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
${counts.left === 0 ? '' : `<p><strong>Not complete: ${grouped(counts.left)} without an outcome</strong></p>\n`}`
  yield* table(Object.keys(counts), [Object.values(counts)])
  yield* table(['what', ''], Object.entries(facts).flatMap(factsIn))
  yield* table(['id', 'status', 'error', 'evidence', 'at'], outcomes)
  yield '</body>\n</html>\n'
}

/** Members of an object become separate facts, such as `actor.user`. */
function factsIn([name, value]: readonly [string, unknown]): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return [[name, value.join(', ')]]
  if (typeof value !== 'object' || value === null) return [[name, value]]
  return Object.entries(value).flatMap(([member, part]) => factsIn([`${name}.${member}`, part]))
}

function* table(columns: readonly string[], rows: Iterable<object>): Generator<string> {
  yield `<table>\n<thead><tr>${columns.map(column => `<th>${escapeHtml(column)}</th>`).join('')}</tr></thead>\n<tbody>\n`
  for (const row of rows) yield `<tr>${Object.values(row).map(cell).join('')}</tr>\n`
  yield '</tbody>\n</table>\n'
}

function cell(value: unknown): string {
  const text = String(value ?? '–')
  return `<td>${escapeHtml(readableMoment(text) ?? text)}</td>`
}

function escapeHtml(text: string): string {
  return escapeControls(text).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
