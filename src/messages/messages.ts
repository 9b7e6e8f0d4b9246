/** Writes messages to stderr: what happened and what to do, a line each. */
import type { Values } from '../config/settings.ts'
import { DriftError, type Failure } from '../errors.ts'
import type { Host, Output } from '../host.ts'
import { maskUrls } from '../secrets/secret-names.ts'
import { escapeControls, escapeRunnerCommands } from '../text/escape-controls.ts'

interface MessageOptions {
  readonly stderr: Pick<Output, 'write'>
  readonly quiet: boolean
  readonly color: boolean
  readonly json: boolean
}

export interface Messages {
  notice(text: string): void
  warn(text: string): void
  /** Always shown, as a warning: a failure that does not end the command at once. */
  fault(text: string): void
  /** Always shown, without emphasis: parts of a question or of an error, the resume line and the trace. */
  say(text: string): void
  error(failure: Failure): void
}

export function createMessages({ stderr, quiet, color, json }: MessageOptions): Messages {
  const say = (text: string, style?: number) => {
    const line = escapeRunnerCommands(escapeControls(maskUrls(text)))
    void stderr.write(color && style !== undefined ? `\u001b[${style}m${line}\u001b[39m\n` : `${line}\n`)
  }
  return {
    notice(text) {
      if (!quiet) say(text)
    },
    warn(text) {
      if (!quiet) say(text, yellow)
    },
    fault: text => say(text, yellow),
    say: text => say(text),
    // A requested difference is not shown as an error.
    error(failure) {
      if (json) return void stderr.write(`${JSON.stringify({ error: described(failure) })}\n`)
      say(sentence(failure.message), failure instanceof DriftError ? undefined : red)
      if (failure.facts.hint) say(sentence(failure.facts.hint))
    },
  }
}

const red = 31
const yellow = 33

/** A full stop after a command would be copied with it. */
export function sentence(text: string): string {
  const command = /: (?:analytics|chmod) .*$|\banalytics(?: --help|(?: [a-z][a-z-]*){1,2}(?: [^a-z\s(]\S*)*)$/
  return /[.?!:\u2026]$/.test(text) || command.test(text) ? text : `${text}.`
}

/** Scripts rely on these keys. */
function described({ name, exit, message, facts, retryable }: Failure) {
  const shown = (text: string | undefined) => (text === undefined ? null : escapeControls(maskUrls(text)))
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
    retryable,
    retry_after_s: facts.retryAfter ?? null,
    hint: shown(facts.hint),
  }
}

export function colored(terminal: boolean, { noColor }: Pick<Values, 'noColor'>, { env }: Pick<Host, 'env'>): boolean {
  if (noColor || env.NO_COLOR) return false
  if (env.FORCE_COLOR) return !/^(0|false|no|off)$/i.test(env.FORCE_COLOR)
  return terminal && env.TERM !== 'dumb'
}
