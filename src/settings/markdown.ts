/** Changes as Markdown for the summary of a CI job. No text of the service is read as Markdown, a link or a mention. */
import { escapeControls } from '../values/escape-controls.ts'
import type { SettingChange } from './compare.ts'
import { yamlLines } from './draw.ts'

export interface SummarySection {
  readonly title: string
  readonly where: string
  readonly project: string
  readonly changes: readonly SettingChange[]
  readonly remarks?: readonly string[]
}

export function markdown(sections: readonly SummarySection[]): string {
  return sections.map(drawSection).join('\n')
}

function drawSection({ title, where, project, changes, remarks = [] }: SummarySection): string {
  const rows = changes.map(({ field, from, to }) => {
    const cells = [codeSpan(project, true), codeSpan(field, true), valueCell(field, from), valueCell(field, to)]
    return `| ${cells.join(' | ')} |`
  })
  const table = rows.length === 0 ? [] : [['| Project | Field | Old | New |', '|---|---|---|---|', ...rows].join('\n')]
  return `${[`### ${title}: ${codeSpan(where)}`, ...table, ...remarks.map(remark => codeSpan(remark))].join('\n\n')}\n`
}

/** A longer value is folded: the reader opens it with a click. */
const longestCell = 80

function valueCell(field: string, value: unknown): string {
  const lines = yamlLines(field, value)
  const [text = ''] = lines
  if (lines.length === 1 && text.length <= longestCell) return codeSpan(text.slice(field.length + 2), true)
  const escaped = lines.map(line => escapeHtml(escapeControls(line)))
  const summary = lines.length === 1 ? 'long value' : `${lines.length} lines`
  return `<details><summary>${summary}</summary><pre>${escaped.join('<br>')}</pre></details>`
}

/** Text in a code span, where Markdown finds nothing. A pipe would end the cell of a table, so it gets an HTML form. */
function codeSpan(text: string, inTable = false): string {
  const shown = escapeControls(text)
  if (inTable && /[|`\\]/.test(shown)) return `<code>${escapeHtml(shown)}</code>`
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const space = /^[` ]|[` ]$/.test(shown) || shown === '' ? ' ' : ''
  return `${fence}${space}${shown}${space}${fence}`
}

/**
 * Text as HTML in which each character that Markdown could read is written as a number. The empty comments keep renderers
 * from finding addresses in the text after they have read the numbers.
 */
function escapeHtml(text: string): string {
  return text
    .replace(/[!-/:-@[-`{-~]/g, character => `&#${character.charCodeAt(0)};`)
    .replace(/&#(64|58);|www(?=&#46;)/g, '$&<!-- -->')
}
