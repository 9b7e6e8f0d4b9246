import { yamlField } from '../json/yaml.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { maskChange, type SettingChange } from './compare.ts'

interface DrawOptions {
  readonly color: boolean
  /** Shows secrets. */
  readonly reveal: boolean
}

/** Below the project's name, lines of `-` and `+`, and of two blanks around what differs. */
export function drawChanges(
  { title, changes }: { readonly title: string; readonly changes: readonly SettingChange[] },
  { color, reveal }: DrawOptions,
): string {
  const lines = changes.flatMap(change => changeLines(change, reveal)).map(line => paint(line, color))
  return `${[`${escapeControls(title)}:`, ...lines].join('\n')}\n`
}

interface Line {
  readonly sign: keyof typeof colors
  readonly text: string
}

const colors = { ' ': 39, '-': 31, '+': 32 }

const signed = (sign: Line['sign'], texts: readonly string[]): Line[] => texts.map(text => ({ sign, text }))

/** The whole part that differs, between the lines that both values begin and end with. */
function changeLines(change: SettingChange, reveal: boolean): Line[] {
  const { field } = change
  const shown = reveal ? change : maskChange(change)
  const [before, after] = [yamlLines(field, shown.from), yamlLines(field, shown.to)]
  // Masked lines may look equal and differ.
  const [from, to] = [yamlLines(field, change.from), yamlLines(field, change.to)]
  const isAligned = from.length === before.length && to.length === after.length
  const shorter = isAligned ? Math.min(from.length, to.length) : 0
  let start = 0
  while (start < shorter && from[start] === to[start]) start++
  if (start === before.length && start === after.length) start = 0
  let end = 0
  while (start > 0 && end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return [
    ...signed(' ', nearEnd(before.slice(0, start))),
    ...signed('-', before.slice(start, before.length - end)),
    ...signed('+', after.slice(start, after.length - end)),
    ...signed(' ', nearStart(before.slice(before.length - end))),
  ]
}

const near = 2

/** Keeps the first line, which names the field. */
function nearEnd(lines: readonly string[]): readonly string[] {
  return lines.length > near + 1 ? [...lines.slice(0, 1), '…', ...lines.slice(-near)] : lines
}

function nearStart(lines: readonly string[]): readonly string[] {
  return lines.length > near ? [...lines.slice(0, near), '…'] : lines
}

function yamlLines(field: string, value: unknown): string[] {
  return yamlField(field, value).trimEnd().split('\n')
}

function paint({ sign, text }: Line, color: boolean): string {
  const line = `${sign} ${text}`
  return color && sign !== ' ' ? `\u001b[${colors[sign]}m${line}\u001b[39m` : line
}
