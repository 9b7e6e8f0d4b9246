/** A line below all output; narrower than the terminal and with the cursor at its start, it leaves no traces. */
import type { Host, Output, StatusRank } from '../host.ts'
import { cut } from '../text/cells.ts'

/** `J` in the top left corner makes tmux save the whole screen in its history, so it starts one cell further right. */
const erasing = '\u001b[G\u001b[K\u001b[C\u001b[J\u001b[G'

/** Switches automatic margins off, so that a line is clipped, not wrapped, when the window becomes narrower. */
const drawn = (line: string) => `\u001b[?7l${line}\u001b[?7h\u001b[G`

/** Adds `statusLine` to stderr if the terminal can move a line; a question hides the line until it is answered. */
export function withStatusLine(host: Host): Host {
  const { stdin, stdout, stderr, env } = host
  if (!stderr.isTerminal || !stderr.columns || env.TERM === 'dumb') return host
  const lines: Record<StatusRank, string> = { run: '', wait: '' }
  let isDrawn = false
  let isAsking = false
  /** Writer of an unfinished line; nothing is drawn before it ends. */
  let unended: Output | undefined
  /** Number of texts that are not completely written: a line drawn between their parts would stay. */
  let waiting = 0

  const erase = () => {
    if (isDrawn) void stderr.write(erasing)
    isDrawn = false
  }
  const draw = () => {
    const line = lines.run || lines.wait
    if (line === '' || isAsking || unended || waiting > 0) return
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
    stdin: {
      ...stdin,
      async ask(question, hidden) {
        isAsking = true
        erase()
        return stdin.ask(question, hidden).finally(() => {
          isAsking = false
          draw()
        })
      },
    },
    stdout: stdout.isTerminal ? above(stdout) : stdout,
    // A spread would read `columns` only once.
    stderr: Object.assign(above(stderr), { statusLine }),
  }
}

function endsLine(chunk: string | Uint8Array): boolean {
  return typeof chunk === 'string' ? chunk.endsWith('\n') : chunk.at(-1) === 0x0a
}
