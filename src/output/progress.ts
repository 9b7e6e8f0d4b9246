/** How far a long run has come, on stderr: a line that moves at a terminal, a line now and then elsewhere. */
import { Writable } from 'node:stream'
import type { Clock, Output, StatusRank } from '../host.ts'

interface Progress {
  tick(): void
  end(): void
}

export interface Showing {
  readonly stderr: Output
  readonly clock: Clock
  readonly quiet: boolean
  readonly describe: () => string
  readonly share: () => number
}

const seldom = 10_000

const nothing: Progress = { tick: () => undefined, end: () => undefined }

export function showProgress({ stderr, clock, quiet, describe, share }: Showing): Progress {
  if (quiet) return nothing
  if (!stderr.statusLine) return { ...nothing, tick: every(seldom, clock, () => void stderr.write(`${describe()}\n`)) }
  const line = () => [...barOf(share(), stderr.columns ?? 80), describe()].join(' ')
  return { ...nothing, end: turn(stderr, 'run', line) }
}

/**
 * Shows a line that turns until the function that is returned is called. The line is asked for again at each turn; where
 * it is empty nothing is shown.
 */
export function turn(output: Output, rank: StatusRank, line: () => string): () => void {
  let isOver = false
  let stop = () => {
    isOver = true
  }
  const show = (text: string) => output.statusLine?.(text, rank)
  void import('ora').then(({ default: ora }) => {
    if (isOver) return
    const onFrame = (frame: string) => {
      const text = line()
      show(text === '' ? '' : `${frame.trim()} ${text}`)
    }
    const spinner = ora({ stream: frames(onFrame), color: false, ...still })
    spinner.start()
    stop = () => spinner.stop()
  })
  return () => {
    stop()
    show('')
  }
}

/** Nothing of the terminal is changed that a killed program would leave changed. */
const still = { isEnabled: true, discardStdin: false, hideCursor: false }

/** What ora takes for a terminal. It is told a width of its own: at a width of 0 it would never return. */
function frames(onFrame: (frame: string) => void): NodeJS.WritableStream {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      onFrame(String(chunk))
      done()
    },
  })
  const stay = () => true
  return Object.assign(stream, { isTTY: true, columns: 80, cursorTo: stay, moveCursor: stay, clearLine: stay })
}

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
