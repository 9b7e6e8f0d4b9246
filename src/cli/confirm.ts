/** Asks before something that cannot be taken back, or that touches much. */
import { RefusedError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Values } from '../profiles/settings.ts'
import { escapeControls } from '../values/escape-controls.ts'
import type { Context } from './command.ts'

export interface Question {
  /** What will happen, as a clause that can stand in a sentence: `Deleting person 3 of project 1 (prod)`. */
  readonly doing: string
  /** What has to be typed: `yes` is y/N, anything else that very text (a count, a project's name). */
  readonly answer: 'yes' | { readonly text: string; readonly what: string }
}

/** Whether somebody can and must be asked: not with `--yes` or in a dry run. */
export function asks(values: Values): boolean {
  return !values.yes && !values.dryRun
}

/** Throws `RefusedError` where a question would have to be asked and nobody can answer. To be called before any request. */
export function refuseUnanswerable(host: Host, values: Values, doing: string): void {
  if (!asks(values) || (host.stdin.isTerminal && !values.noInput)) return
  throw new RefusedError(`${doing} needs confirmation`, { hint: 'Pass --yes to go ahead' })
}

/** Asks, and throws `RefusedError` unless the answer is the one that goes on. */
export async function confirm({ host, values }: Pick<Context, 'host' | 'values'>, question: Question): Promise<void> {
  if (!asks(values)) return
  refuseUnanswerable(host, values, question.doing)
  const { answer } = question
  const wanted = answer === 'yes' ? 'Go on? [y/N] ' : `Type ${answer.what} to go on: `
  await host.stdin.dropTyped?.()
  const typed = (await host.stdin.ask(escapeControls(`${question.doing}. ${wanted}`)))?.trim() ?? ''
  // An empty line is what a finger on the enter key types: it never means yes, not even to a project without a name.
  const agreed = answer === 'yes' ? /^y(es)?$/i.test(typed) : typed !== '' && typed === answer.text.trim()
  if (!agreed) throw new RefusedError('Declined: nothing was changed')
}
