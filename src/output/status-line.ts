/**
 * A line at the foot of the terminal: whatever is written there, on stdout or stderr, takes it away first and has it
 * back below.
 *
 * It is narrower than the terminal, and the cursor returns to its beginning. So all of it stands behind the cursor even
 * when the window was made narrower and the line was broken anew, and what the terminal echoes does not move it on.
 * The cursor is never hidden: one who stops or kills the program finds it again.
 */
import type { Host, Output, StatusRank } from '../host.ts'
import { cut } from './text.ts'

const erasing = '\u001b[G\u001b[J'

/** Without automatic margins: drawn for a window that has become narrower this instant, it is clipped and not broken. */
const drawn = (line: string) => `\u001b[?7l${line}\u001b[?7h\u001b[G`

/** The host with `statusLine` on its stderr where that is a terminal on which a line can move, else the host as it is. */
export function withStatusLine(host: Host): Host {
  const { stdout, stderr, env } = host
  if (!stderr.isTerminal || !stderr.columns || env.TERM === 'dumb') return host
  const lines: Record<StatusRank, string> = { run: '', wait: '' }
  let isDrawn = false
  /** Who has written last and not ended the line: below that nothing is drawn, and nobody else goes on with it. */
  let unended: Output | undefined
  /** How many texts a terminal has not taken whole yet: drawn between their parts it would stay there. */
  let waiting = 0

  const erase = () => {
    if (isDrawn) void stderr.write(erasing)
    isDrawn = false
  }
  const draw = () => {
    const line = lines.run || lines.wait
    if (line === '' || unended || waiting > 0) return
    void stderr.write(drawn(cut(line, (stderr.columns ?? 80) - 1)))
    isDrawn = true
  }
  const above = (output: Output) => ({
    isTerminal: true,
    get columns() {
      return output.columns
    },
    write(chunk: string | Uint8Array) {
      if (chunk.length === 0) return
      erase()
      if (output === stderr && unended === stdout) void stderr.write('\n')
      unended = endsLine(chunk) ? undefined : output
      const written = output.write(chunk)
      if (!written) return draw()
      waiting++
      return written.finally(() => {
        waiting--
        draw()
      })
    },
  })
  const statusLine = (text: string, rank: StatusRank = 'run') => {
    if (text === lines[rank]) return
    lines[rank] = text
    if (rank === 'wait' && lines.run !== '') return
    erase()
    draw()
  }
  return {
    ...host,
    stdout: stdout.isTerminal ? above(stdout) : stdout,
    // A spread would read the width once and for all.
    stderr: Object.assign(above(stderr), { statusLine }),
  }
}

function endsLine(chunk: string | Uint8Array): boolean {
  return typeof chunk === 'string' ? chunk.endsWith('\n') : chunk.at(-1) === 0x0a
}
