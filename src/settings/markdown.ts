/** Changes as Markdown for a CI job. Text of the service must not become Markdown, a link or a mention. */
import { escapeControls } from '../text/escape-controls.ts'
import type { SettingChange } from './compare.ts'
import { yamlLines } from './draw.ts'

interface SummarySection {
  readonly title: string
  readonly where: string
  /** Where it is, without the project's name, which is in the table. */
  readonly place: string
  /** Name of the project, or its id. */
  readonly project: string
  readonly changes: readonly SettingChange[]
  readonly remarks: readonly string[]
}

export function markdown(sections: readonly SummarySection[]): string {
  return sections.map(drawSection).join('\n')
}

function drawSection({ title, where, place, project, changes, remarks }: SummarySection): string {
  const rows = changes.map(({ field, from, to }, i) => {
    const name = i === 0 ? codeSpan(project, true) : ''
    return `| ${[name, codeSpan(field, true), valueCell(field, from), valueCell(field, to)].join(' | ')} |`
  })
  const table = rows.length === 0 ? [] : [['| Project | Field | Old | New |', '|---|---|---|---|', ...rows].join('\n')]
  const heading = `### ${title}: ${codeSpan(rows.length === 0 ? where : place)}`
  return `${[heading, ...table, ...remarks.map(remark => codeSpan(remark))].join('\n\n')}\n`
}

const longestCell = 80

function valueCell(field: string, value: unknown): string {
  const lines = yamlLines(field, value)
  const [text = ''] = lines
  if (lines.length === 1 && text.length <= longestCell) return codeSpan(text.slice(field.length + 2), true)
  const escaped = lines.map(line => escapeHtml(escapeControls(line)))
  const summary = lines.length === 1 ? 'long value' : `${lines.length} lines`
  return `<details><summary>${summary}</summary><pre>${escaped.join('<br>')}</pre></details>`
}

/** A code span contains no Markdown, but a pipe would end a table cell, so it needs HTML. */
function codeSpan(text: string, inTable = false): string {
  const shown = escapeControls(text)
  if (inTable && /[|`\\]/.test(shown)) return `<code>${escapeHtml(shown)}</code>`
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const space = /^[` ]|[` ]$/.test(shown) || shown === '' ? ' ' : ''
  return `${fence}${space}${shown}${space}${fence}`
}

/** Writes Markdown characters as numbers; empty comments stop renderers that search for addresses after decoding. */
function escapeHtml(text: string): string {
  return text
    .replace(/[!-/:-@[-`{-~]/g, character => `&#${character.charCodeAt(0)};`)
    .replace(/&#(64|58);|www(?=&#46;)/g, '$&<!-- -->')
}
