/** Writes messages to stderr: what happened and what to do, each a line, wrapped at a terminal. */
import { DriftError, exits, type Failure } from '../errors.ts'
import type { Output } from '../host.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { escapeRunnerCommands } from '../text/runner-commands.ts'
import { endsInCommand, wrapMessage } from './wrap-message.ts'

export interface MessageOptions {
  readonly stderr: Output
  /** Drops notices, never warnings and errors. */
  readonly quiet: boolean
  readonly color: boolean
  /** Errors as one line of JSON, because a program reads JSON on stdout. */
  readonly json: boolean
  readonly ci?: boolean
}

export interface Messages {
  /** A result, or what happens next. */
  notice(text: string): void
  /** Shown even with --quiet. */
  warn(text: string): void
  /** Context of a question or a trace: always shown, without emphasis. */
  say(text: string): void
  /** The error that ended the run; the last message. */
  error(failure: Failure): void
}

export function createMessages({ stderr, quiet, color, json, ci }: MessageOptions): Messages {
  const say = (text: string, style?: number) => {
    const safe = escapeControls(text)
    const wrapped = wrapMessage(safe, stderr.columns)
    const line = ci ? escapeRunnerCommands(wrapped) : wrapped
    void stderr.write(color && style !== undefined ? `\u001b[${style}m${line}\u001b[39m\n` : `${line}\n`)
  }
  return {
    notice(text) {
      if (!quiet) say(text)
    },
    warn: text => say(text, yellow),
    say: text => say(text),
    // A difference that was asked for is no error.
    error(failure) {
      if (json) return void stderr.write(`${JSON.stringify({ error: described(failure) })}\n`)
      say(sentence(failure.message), failure instanceof DriftError ? undefined : red)
      if (failure.facts.hint) say(sentence(failure.facts.hint))
    },
  }
}

const red = 31
const yellow = 33

export function sentence(text: string): string {
  return /[.?!:…]$/.test(text) || endsInCommand(text) ? text : `${text}.`
}

/** Keys are a contract with scripts. */
function described({ name, exit, message, facts }: Failure) {
  const shown = (text: string | undefined) => (text === undefined ? null : escapeControls(text))
  return {
    name,
    exit,
    message: shown(message),
    status: facts.status ?? null,
    code: shown(facts.code),
    attr: shown(facts.attr),
    method: shown(facts.method),
    url: shown(facts.url),
    request_id: shown(facts.requestId),
    retryable: facts.retryable ?? againAt(exit),
    retry_after_s: facts.retryAfter ?? null,
    hint: shown(facts.hint),
  }
}

/** Whether another try can help, from the table of exit codes; null where that is unknown. */
function againAt(exit: number): boolean | null {
  const again: string = exits.find(({ code }) => code === exit)?.again ?? ''
  return again === '' ? null : again.startsWith('yes')
}
