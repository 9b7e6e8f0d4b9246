/** Shows progress of a long run on stderr: a moving line at a terminal, otherwise an occasional line. */
import { Writable } from 'node:stream'
import type { Clock, Output, StatusRank } from '../host.ts'

interface Progress {
  tick(): void
  end(): void
}

interface ProgressOptions {
  readonly stderr: Output
  readonly clock: Clock
  readonly quiet: boolean
  readonly describe: () => string
  readonly share: () => number
}

const seldom = 10_000

const nothing: Progress = { tick: () => undefined, end: () => undefined }

export function showProgress({ stderr, clock, quiet, describe, share }: ProgressOptions): Progress {
  if (quiet) return nothing
  if (!stderr.statusLine) return { ...nothing, tick: every(seldom, clock, () => void stderr.write(`${describe()}\n`)) }
  const line = () => [...barOf(share(), stderr.columns ?? 80), describe()].join(' ')
  return { ...nothing, end: startSpinner(stderr, 'run', line) }
}

/** Shows a moving line until the returned function is called; '' hides it. Without ora, the work continues. */
export function startSpinner(output: Output, rank: StatusRank, line: () => string): () => void {
  let isOver = false
  let stop = () => {
    isOver = true
  }
  const show = (text: string) => output.statusLine?.(text, rank)
  const start = async () => {
    const { default: ora } = await import('ora')
    if (isOver) return
    const onFrame = (frame: string) => {
      const text = line()
      show(text === '' ? '' : `${frame.trim()} ${text}`)
    }
    const spinner = ora({ stream: frames(onFrame), color: false, ...still })
    spinner.start()
    stop = () => spinner.stop()
  }
  start().catch(() => undefined)
  return () => {
    stop()
    show('')
  }
}

/** A killed program must leave the terminal unchanged. */
const still = { isEnabled: true, discardStdin: false, hideCursor: false }

/** Stream for ora, with a width of its own, because ora hangs at width 0. */
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
  let last = clock.elapsed()
  return () => {
    const now = clock.elapsed()
    if (now - last < ms) return
    last = now
    act()
  }
}
