import { isTooDeepForYaml } from '../json/yaml.ts'
import { yamlOf } from '../output/renderers/yaml.ts'
import { cells } from '../text/cells.ts'
import type { SettingChange } from './compare.ts'

export function drawChanges(changes: readonly SettingChange[], color: boolean): string {
  return changes
    .flatMap(changeLines)
    .map(line => `${paint(line, color)}\n`)
    .join('')
}

/** Columns of text, the last one as long as it is. */
export function drawColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => cells(row[i] ?? ''))))
  const padded = (text: string, i: number) => text + ' '.repeat((widths[i] ?? 0) - cells(text))
  return rows.map(row => `${row.map(padded).join('  ').trimEnd()}\n`).join('')
}

interface Line {
  readonly sign: keyof typeof colors
  readonly text: string
}

const colors = { ' ': 39, '-': 31, '+': 32 }

const signed = (sign: Line['sign'], texts: readonly string[]): Line[] => texts.map(text => ({ sign, text }))

/** The whole part that differs, between the lines that both values begin and end with. */
function changeLines({ field, from, to }: SettingChange): Line[] {
  const [before, after] = [yamlLines(field, from), yamlLines(field, to)]
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  // Different secrets may look equal when masked.
  if (start === before.length && start === after.length) start = 0
  let end = 0
  while (start > 0 && end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [above, below] = [before.slice(0, start), before.slice(before.length - end)]
  return [
    ...signed(' ', nearEnd(above)),
    ...signed('-', before.slice(start, before.length - end)),
    ...signed('+', after.slice(start, after.length - end)),
    ...signed(' ', nearStart(below)),
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

export function yamlLines(field: string, value: unknown): string[] {
  const setting = { [field]: value }
  // Also called after the change, so it must not fail.
  if (isTooDeepForYaml(setting)) return [`${field}: … # nested too deeply to show`]
  return yamlOf(setting).trimEnd().split('\n')
}

function paint({ sign, text }: Line, color: boolean): string {
  const line = `${sign} ${text}`
  return color && sign !== ' ' ? `\u001b[${colors[sign]}m${line}\u001b[39m` : line
}
