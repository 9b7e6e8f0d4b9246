import { yamlField } from '../json/yaml.ts'
import type { Line } from '../messages/messages.ts'
import { maskChange } from '../output/mask.ts'
import type { SettingChange } from './compare.ts'

/** Below the project's name, lines of `-` and `+`, and of two blanks around what differs. `reveal` shows secrets. */
export function drawChanges(
  { title, changes }: { readonly title: string; readonly changes: readonly SettingChange[] },
  reveal = false,
): readonly Line[] {
  return [`${title}:`, ...changes.flatMap(change => changeLines(change, reveal))]
}

const colors = { '-': 31, '+': 32 }

const signed = (sign: keyof typeof colors, texts: readonly string[]): Line[] =>
  texts.map(text => ({ text: `${sign} ${text}`, color: colors[sign] }))

const unsigned = (texts: readonly string[]): Line[] => texts.map(text => `  ${text}`)

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
    ...unsigned(nearEnd(before.slice(0, start))),
    ...signed('-', before.slice(start, before.length - end)),
    ...signed('+', after.slice(start, after.length - end)),
    ...unsigned(nearStart(before.slice(before.length - end))),
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
