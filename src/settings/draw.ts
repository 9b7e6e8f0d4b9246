import { encode } from '../json/exact.ts'
import { isDeeper } from '../json/scan.ts'
import { deepestYaml } from '../json/yaml.ts'
import { yamlOf } from '../output/renderers/yaml.ts'
import { cells } from '../text/cells.ts'
import { align, type Step } from './align.ts'
import type { SettingChange } from './compare.ts'

export function drawChanges(changes: readonly SettingChange[], color: boolean): string {
  return changes
    .flatMap(change => omitDistant(changeLines(change)))
    .map(line => `${line ? paint(line, color) : '  …'}\n`)
    .join('')
}

/** Columns of text, the last one as long as it is. */
export function drawColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => cells(row[i] ?? ''))))
  const padded = (text: string, i: number) => text + ' '.repeat((widths[i] ?? 0) - cells(text))
  return rows.map(row => `${row.map(padded).join('  ').trimEnd()}\n`).join('')
}

interface Line extends Step {
  readonly counterpart?: string | undefined
}

function changeLines({ field, from, to }: SettingChange): Line[] {
  const [before, after] = [yamlLines(field, from), yamlLines(field, to)]
  const steps = align(before, after)
  if (steps.some(({ kind }) => kind !== 'same')) return pairLines(steps)
  // Different secrets may look equal when masked.
  return [
    ...before.map((text): Line => ({ kind: 'removed', text })),
    ...after.map((text): Line => ({ kind: 'added', text })),
  ]
}

export function yamlLines(field: string, value: unknown): string[] {
  const item = Buffer.from(encode({ [field]: value }))
  // Also called after the change, so it must not fail.
  if (isDeeper(item, deepestYaml)) return [`${field}: … # nested too deeply to show`]
  return yamlOf(item).trimEnd().split('\n')
}

function pairLines(steps: readonly Step[]): Line[] {
  const lines: Line[] = []
  for (let i = 0; i < steps.length; ) {
    const removed = stepsOfKind(steps, i, 'removed')
    const added = stepsOfKind(steps, i + removed.length, 'added')
    for (const [n, step] of removed.entries()) lines.push({ ...step, counterpart: added[n]?.text })
    for (const [n, step] of added.entries()) lines.push({ ...step, counterpart: removed[n]?.text })
    i += removed.length + added.length
    for (let step = steps[i]; step?.kind === 'same'; step = steps[++i]) lines.push(step)
  }
  return lines
}

function stepsOfKind(steps: readonly Step[], start: number, kind: Step['kind']): readonly Step[] {
  const end = steps.findIndex((step, i) => i >= start && step.kind !== kind)
  return steps.slice(start, end < 0 ? steps.length : end)
}

const contextLines = 2

/** Keeps lines near a change and the first one, which names the field; undefined marks a gap. */
function omitDistant(lines: readonly Line[]): (Line | undefined)[] {
  const near = new Set([0])
  for (const [i, { kind }] of lines.entries()) {
    if (kind !== 'same') for (let n = i - contextLines; n <= i + contextLines; n++) near.add(n)
  }
  return lines.flatMap((line, i) => (near.has(i) ? [line] : near.has(i - 1) ? [undefined] : []))
}

const styles = { same: { sign: ' ', color: 39 }, removed: { sign: '-', color: 31 }, added: { sign: '+', color: 32 } }

function paint(line: Line, color: boolean): string {
  const { sign, color: code } = styles[line.kind]
  if (!color || line.kind === 'same') return `${sign} ${line.text}`
  const { text, counterpart } = line
  return `\u001b[${code}m${sign} ${counterpart === undefined ? text : invertNewWords(text, counterpart)}\u001b[39m`
}

/** Inverts words that the other text does not have, unless no word is common. */
function invertNewWords(text: string, counterpart: string): string {
  const steps = align(splitWords(text), splitWords(counterpart)).filter(({ kind }) => kind !== 'added')
  // Both lines always share the first word, a field name or a dash.
  if (!steps.slice(1).some(({ kind, text: word }) => kind === 'same' && /\w/.test(word))) return text
  const inverted = (word: string) => `\u001b[7m${word}\u001b[27m`
  return steps.map(({ kind, text: word }) => (kind === 'removed' ? inverted(word) : word)).join('')
}

function splitWords(text: string): string[] {
  return text.match(/^\s*(?:- |\w+: )?|[\p{L}\p{N}_]+|\s+|./gu) ?? []
}
