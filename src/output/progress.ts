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

export async function showProgress(showing: Showing): Promise<Progress> {
  const { stderr, clock, quiet, describe } = showing
  if (quiet) return { tick: () => undefined, end: () => undefined }
  // A terminal that says it is 0 columns wide would keep the moving line in a loop without end.
  if (stderr.isTerminal && stderr.columns) return moving(showing)
  return { tick: every(seldom, clock, () => void stderr.write(`${describe()}\n`)), end: () => undefined }
}

async function moving({ stderr, clock, describe, share }: Showing): Promise<Progress> {
  const { default: ora } = await import('ora')
  const text = () => `${barOf(share())} ${describe()}`
  const options = { stream: terminalOf(stderr), isEnabled: true, discardStdin: false, color: false } as const
  const line = ora({ ...options, text: text() }).start()
  const change = () => {
    line.text = text()
  }
  return { tick: every(often, clock, change), end: () => void line.stop() }
}

function barOf(share: number): string {
  const full = Math.round(20 * Math.max(0, Math.min(1, share)))
  return `${'━'.repeat(full)}${'┄'.repeat(20 - full)}`
}

function every(ms: number, clock: Clock, act: () => void): () => void {
  let last = clock.now()
  return () => {
    const now = clock.now()
    if (now - last < ms) return
    last = now
    act()
  }
}

/** As much of a terminal stream as the moving line uses, in the escapes that every terminal knows. */
function terminalOf(stderr: Output): NodeJS.WriteStream {
  const write = (text: string) => {
    void stderr.write(text)
    return true
  }
  const stream: Partial<NodeJS.WriteStream> = {
    isTTY: true,
    columns: stderr.columns ?? 80,
    write: (text: string | Uint8Array) => write(String(text)),
    cursorTo: (column: number) => write(`\u001b[${column + 1}G`),
    moveCursor: (_: number, rows: number) => write(rows < 0 ? `\u001b[${-rows}A` : ''),
    clearLine: () => write('\u001b[2K'),
  }
  return stream as NodeJS.WriteStream
}
