import type { Values } from '../config/settings.ts'
import { DriftError, type Failure } from '../errors.ts'
import type { Host } from '../host.ts'
import { maskUrls } from '../secrets/secret-names.ts'
import { escapeControls, escapeRunnerCommands } from '../text/escape-controls.ts'

/** `color`: an ANSI foreground color. */
export type Line = string | { readonly text: string; readonly color: number }

export type Messages = ReturnType<typeof createMessages>

/** `--quiet` drops only notices and warnings. */
export function createMessages(values: Values, host: Pick<Host, 'stderr' | 'env'>, hide: (text: string) => string) {
  const { stderr } = host
  const { quiet = false, output } = values
  const color = colored(stderr.isTerminal, values, host)
  const layOut = (text: string) => wrap(hide(text), stderr.columns)
  /** `reveal` shows secrets in URLs. */
  const print = (line: Line, reveal = false) => void stderr.write(drawLine(line, { color, reveal, layOut }))
  /** A failure that does not end the command at once. */
  const problem = (text: string) => print({ text, color: yellow })
  return {
    print,
    problem,
    notice(text: string): void {
      if (!quiet) print(text)
    },
    warn(text: string): void {
      if (!quiet) problem(text)
    },
    error(failure: Failure): void {
      if (output === 'json' || output === 'ndjson')
        return void stderr.write(`${JSON.stringify({ error: errorObject(failure) })}\n`)
      const text = sentence(failure.message)
      // A requested difference is not shown as an error.
      print(failure instanceof DriftError ? text : { text, color: red })
      if (failure.details.hint) print(sentence(failure.details.hint))
    },
  }
}

const red = 31
const yellow = 33

interface Drawing {
  readonly color: boolean
  readonly reveal?: boolean | undefined
  layOut(text: string): string
}

/** Escapes control characters and the commands of CI runners. */
export function drawLine(line: Line, { color, reveal, layOut }: Drawing): string {
  const text = typeof line === 'string' ? line : line.text
  const safe = escapeRunnerCommands(layOut(escapeControls(reveal ? text : maskUrls(text))))
  return color && typeof line !== 'string' ? `\u001b[${line.color}m${safe}\u001b[39m\n` : `${safe}\n`
}

/** Breaks a line between words, and keeps a command at its end whole, so that it can be copied. */
function wrap(line: string, width = Number.POSITIVE_INFINITY): string {
  if (line.length <= width) return line
  const [indent] = /^ */.exec(line) ?? ['']
  const command = /(?<=: )(?:analytics|chmod) .*$/.exec(line)?.[0] ?? ''
  const words = line
    .slice(indent.length, line.length - command.length)
    .trimEnd()
    .split(' ')
  const lines: string[] = []
  let current = ''
  for (const word of command === '' ? words : [...words, command]) {
    const longer = current === '' ? indent + word : `${current} ${word}`
    const breaks = longer.length > width && current !== ''
    if (breaks) lines.push(current.trimEnd())
    current = breaks ? indent + word : longer
  }
  return [...lines, current].join('\n')
}

/** Adds a full stop, except after a command, where it would be copied too. */
export function sentence(text: string): string {
  const command = /: (?:analytics|chmod) .*$|\banalytics(?: --help|(?: [a-z][a-z-]*){1,2}(?: [^a-z\s(]\S*)*)$/
  return /[.?!:\u2026]$/.test(text) || command.test(text) ? text : `${text}.`
}

/** Scripts rely on these keys. */
function errorObject({ name, exit, message, details, retryable }: Failure) {
  const printable = (text: string | undefined) => (text === undefined ? null : escapeControls(maskUrls(text)))
  return {
    name,
    exit,
    message: printable(message),
    status: details.status ?? null,
    code: printable(details.code),
    attr: printable(details.attr),
    method: printable(details.method),
    url: printable(details.url),
    request_id: printable(details.requestId),
    retryable,
    retry_after_s: details.retryAfterSeconds ?? null,
    hint: printable(details.hint),
  }
}

export function colored(terminal: boolean, { noColor }: Pick<Values, 'noColor'>, { env }: Pick<Host, 'env'>): boolean {
  if (noColor || env.NO_COLOR) return false
  if (env.FORCE_COLOR) return !/^(0|false|no|off)$/i.test(env.FORCE_COLOR)
  return terminal && env.TERM !== 'dumb'
}
