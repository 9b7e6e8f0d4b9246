/** Asks before something that cannot be taken back, or that touches much. */
import { RefusedError } from '../errors.ts'
import { escapeControls } from '../values/escape-controls.ts'
import type { Context } from './command.ts'

export interface Question {
  /** What will happen, as a clause that can stand in a sentence: `Deleting person 3 of project 1 (prod)`. */
  readonly doing: string
  /** What has to be typed: `yes` is y/N, anything else that very text (a count, a project's name). */
  readonly answer: 'yes' | ExpectedText
}

export interface ExpectedText {
  readonly text: string
  readonly what: string
  /** How often another text is asked again. */
  readonly again?: number
}

type Asker = Pick<Context, 'host' | 'values' | 'settings' | 'messages' | 'consent'>

/** Whether somebody must be asked: not in a dry run, and not with `--yes` unless the safety level is `confirm`. */
export function asks({ values, settings }: Pick<Context, 'values' | 'settings'>): boolean {
  return !values.dryRun && (!values.yes || confirmsEachWrite(settings))
}

export function confirmsEachWrite({ safety }: Context['settings']): boolean {
  return safety.includes('confirm')
}

/** Throws `RefusedError` where a question would have to be asked and nobody can answer. To be called before any request. */
export function refuseUnanswerable(asker: Omit<Asker, 'messages' | 'consent'>, doing: string): void {
  const { host, values, settings } = asker
  if (!asks(asker) || (host.stdin.isTerminal && !values.noInput)) return
  throw new RefusedError(`${doing} needs confirmation`, {
    hint: confirmsEachWrite(settings)
      ? 'The safety level confirm wants a person at a terminal; --yes does not answer'
      : 'Pass --yes to go ahead',
  })
}

/** Asks, and throws `RefusedError` unless the answer is the one that agrees. */
export async function confirm(asker: Asker, { doing, answer }: Question): Promise<void> {
  if (!asks(asker)) return
  refuseUnanswerable(asker, doing)
  const { host, messages, consent } = asker
  const wanted = answer === 'yes' ? 'Go on? [y/N] ' : `Type ${answer.what} to go on: `
  const tries = answer === 'yes' ? 1 : 1 + (answer.again ?? 0)
  for (let left = tries; left > 0; left--) {
    await host.stdin.dropTyped?.()
    const question = left === tries ? `${doing}. ${wanted}` : wanted
    const typed = (await host.stdin.ask(escapeControls(question)))?.trim()
    if (typed !== undefined && agrees(answer, typed)) {
      consent.given = true
      return
    }
    // Only another number is a slip; an empty line or a word declines.
    if (typed === undefined || !/^[\d,. ]+$/.test(typed)) break
    if (left > 1) messages.say(`That is not ${typeof answer === 'string' ? answer : answer.what}`)
  }
  throw new RefusedError('Declined: nothing was changed')
}

/** An empty line never agrees, not even to a project without a name. */
function agrees(answer: Question['answer'], typed: string): boolean {
  return answer === 'yes' ? /^y(es)?$/i.test(typed) : typed !== '' && typed === answer.text.trim()
}
