import type { Ora } from 'ora'
import type { Host, Output } from '../host.ts'
import { cut } from '../text/cells.ts'

const beforeStartMs = 1000
const betweenTextsMs = 100

/** Adds `setStatusLine`, drawn by ora, to a host at a terminal. ora hangs at one without a width. */
export function withSpinner(host: Host, stream: () => NodeJS.WriteStream): Host {
  const { stdin, stdout, stderr, env } = host
  if (!stderr.isTerminal || !stderr.columns || env.TERM === 'dumb') return host
  let line: (() => string) | undefined
  let spinner: Ora | undefined
  let timer: NodeJS.Timeout | undefined
  let isLineOpen = false

  const begin = async () => {
    const { default: ora } = await import('ora')
    // Even a killed program must leave the terminal usable.
    spinner ??= ora({ stream: stream(), isEnabled: true, discardStdin: false, hideCursor: false, color: false })
    show()
  }
  const show = () => {
    if (!spinner || !line) return
    spinner.text = cut(line(), (stderr.columns ?? 80) - 4)
    if (!isLineOpen && !spinner.isSpinning) spinner.start()
    timer ??= setInterval(show, betweenTextsMs)
  }
  // Stopped, ora would move the cursor to the start of a line that it did not draw.
  const hide = () => {
    if (spinner?.isSpinning) spinner.stop()
  }
  const setStatusLine = (next: (() => string) | undefined) => {
    if (next === line) return
    line = next
    clearInterval(timer)
    timer = undefined
    if (!next) hide()
    else if (spinner) show()
    // A failure to load ora must not stop the command.
    else setTimeout(() => void begin().catch(() => undefined), beforeStartMs).unref()
  }
  const above = (output: Output): Output => ({
    isTerminal: true,
    get columns() {
      return output.columns
    },
    write(chunk) {
      hide()
      const written = output.write(chunk)
      isLineOpen = Buffer.from(chunk).at(-1) !== 0x0a
      return written ? written.finally(show) : show()
    },
  })
  return {
    ...host,
    stdin: {
      ...stdin,
      ask(question, hidden) {
        setStatusLine(undefined)
        return stdin.ask(question, hidden)
      },
    },
    stdout: stdout.isTerminal ? above(stdout) : stdout,
    stderr: above(stderr),
    setStatusLine,
  }
}
