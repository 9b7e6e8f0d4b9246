import type { RenderOptions } from '../../output/document.ts'
import { fillLines, fold } from '../../text/cells.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import type { Finding } from './finding.ts'

const colors = { ok: 32, warn: 33, fail: 31, skip: 90 }

export function draw(findings: readonly Finding[], { width, color }: RenderOptions): string {
  const widest = Math.max(0, ...findings.map(({ check }) => check.length))
  const margin = 'skip'.length + 2 + widest + 2
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(20, width - margin)
  const lines = findings.flatMap(({ check, status, what, hint }) => {
    const shown = status.padEnd(4)
    const mark = color ? `\u001b[${colors[status]}m${shown}\u001b[39m` : shown
    const [first = '', ...more] = folded(what, room)
    const advice = hint ? folded(`→ ${hint}`, room) : []
    return [
      `${mark}  ${check.padEnd(widest)}  ${first}`,
      ...[...more, ...advice].map(line => ' '.repeat(margin) + line),
    ]
  })
  return lines.map(line => `${line}\n`).join('')
}

function folded(text: string, room: number): readonly string[] {
  return room === Number.POSITIVE_INFINITY
    ? [escapeControls(text)]
    : fillLines(escapeControls(text).split(/[ \n]+/), room).flatMap(line => fold(line, room))
}
