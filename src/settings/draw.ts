/** Changes as a person reads them: the lines of a settings file that differ, and in colour the words that do. */
import { encode } from '../json/exact.ts'
import { yamlOf } from '../output/yaml.ts'
import { align, type Step } from './align.ts'
import type { Change } from './diff.ts'

/** The changes as a diff of YAML: `-` as it is, `+` as it is wanted. Empty where nothing changes. */
export function draw(changes: readonly Change[], color: boolean): string {
  return changes
    .flatMap(change => elided(linesOf(change)))
    .map(line => `${line ? painted(line, color) : '  …'}\n`)
    .join('')
}

interface Line extends Step {
  /** The line of the other side in whose place it stands. */
  readonly twin?: string | undefined
}

function linesOf({ field, from, to }: Change): Line[] {
  const [before, after] = [yamlLines(field, from), yamlLines(field, to)]
  const steps = align(before, after)
  if (steps.some(({ kind }) => kind !== 'same')) return twinned(steps)
  // Two secrets differ, and look the same when they are masked.
  return [
    ...before.map((text): Line => ({ kind: 'removed', text })),
    ...after.map((text): Line => ({ kind: 'added', text })),
  ]
}

function yamlLines(field: string, value: unknown): string[] {
  return yamlOf(Buffer.from(encode({ [field]: value })))
    .trimEnd()
    .split('\n')
}

/** Pairs the lines that are removed in one place with those added there, in their order. */
function twinned(steps: readonly Step[]): Line[] {
  const lines: Line[] = []
  for (let i = 0; i < steps.length; ) {
    const removed = run(steps, i, 'removed')
    const added = run(steps, i + removed.length, 'added')
    for (const [n, step] of removed.entries()) lines.push({ ...step, twin: added[n]?.text })
    for (const [n, step] of added.entries()) lines.push({ ...step, twin: removed[n]?.text })
    i += removed.length + added.length
    for (let step = steps[i]; step?.kind === 'same'; step = steps[++i]) lines.push(step)
  }
  return lines
}

function run(steps: readonly Step[], from: number, kind: Step['kind']): readonly Step[] {
  const end = steps.findIndex((step, i) => i >= from && step.kind !== kind)
  return steps.slice(from, end < 0 ? steps.length : end)
}

/** Lines that stay as they are, shown around those that do not. */
const around = 2

/** The lines near a change, and the first, which names the field; undefined stands for those left out. */
function elided(lines: readonly Line[]): (Line | undefined)[] {
  const near = new Set([0])
  for (const [i, { kind }] of lines.entries()) {
    if (kind !== 'same') for (let n = i - around; n <= i + around; n++) near.add(n)
  }
  return lines.flatMap((line, i) => (near.has(i) ? [line] : near.has(i - 1) ? [undefined] : []))
}

const looks = { same: { sign: ' ', color: 39 }, removed: { sign: '-', color: 31 }, added: { sign: '+', color: 32 } }

function painted(line: Line, color: boolean): string {
  const { sign, color: code } = looks[line.kind]
  if (!color || line.kind === 'same') return `${sign} ${line.text}`
  return `\u001b[${code}m${sign} ${line.twin === undefined ? line.text : emphasised(line.text, line.twin)}\u001b[39m`
}

/** The text with the words inverted that its twin does not have; as it is where the two share none. */
function emphasised(text: string, twin: string): string {
  const steps = align(wordsOf(text), wordsOf(twin)).filter(({ kind }) => kind !== 'added')
  // The first word is the name of the field, or the mark of a list: nothing to compare by.
  if (!steps.slice(1).some(({ kind, text: word }) => kind === 'same' && /\w/.test(word))) return text
  const inverted = (word: string) => `\u001b[7m${word}\u001b[27m`
  return steps.map(({ kind, text: word }) => (kind === 'removed' ? inverted(word) : word)).join('')
}

function wordsOf(text: string): string[] {
  return text.match(/^\s*(?:- |\w+: )?|[\p{L}\p{N}_]+|\s+|./gu) ?? []
}
