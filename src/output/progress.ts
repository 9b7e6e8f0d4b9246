/** How far a long run has come, on stderr: a line that moves at a terminal, a line now and then elsewhere. */
import type { Clock, Output } from '../host.ts'

export interface Progress {
  /** To be called after each step. */
  tick(): void
  end(): void
}

export interface Showing {
  readonly stderr: Output
  readonly clock: Clock
  readonly quiet: boolean
  /** How far it has come by now, in words. */
  readonly describe: () => string
  /** The same from 0 to 1. */
  readonly share: () => number
}

/** Milliseconds between two lines where nobody watches, and between two changes of the line where somebody does. */
const seldom = 10_000
const often = 100

export function showProgress(showing: Showing): Progress {
  const { stderr, clock, quiet, describe } = showing
  if (quiet) return { tick: () => undefined, end: () => undefined }
  if (stderr.statusLine) return moving(showing, line => stderr.statusLine?.(line))
  return { tick: every(seldom, clock, () => void stderr.write(`${describe()}\n`)), end: () => undefined }
}

/** What turns also when nothing else changes: it is still at work. */
const turning = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'

function moving({ stderr, clock, describe, share }: Showing, show: (line: string) => void): Progress {
  let turns = 0
  const draw = () => {
    show([turning[turns % turning.length], ...barOf(share(), stderr.columns ?? 80), describe()].join(' '))
  }
  draw()
  const timer = setInterval(() => {
    turns++
    draw()
  }, often)
  const end = () => {
    clearInterval(timer)
    show('')
  }
  return { tick: every(often, clock, draw), end }
}

/** As much of a bar as leaves room for the words. */
function barOf(share: number, columns: number): readonly string[] {
  const width = columns >= 80 ? 20 : columns >= 50 ? 10 : 0
  const full = Math.round(width * Math.max(0, Math.min(1, share)))
  return width > 0 ? [`${'━'.repeat(full)}${'┄'.repeat(width - full)}`] : []
}

function every(ms: number, clock: Clock, act: () => void): () => void {
  let last = clock.now()
  return () => {
    const now = clock.now()
    // Not for as long as a clock that was set back takes to be there again.
    if (now >= last && now - last < ms) return
    last = now
    act()
  }
}
