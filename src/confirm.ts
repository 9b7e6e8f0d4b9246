import type { Context } from './context.ts'
import { RefusedError } from './errors.ts'
import { wrapMessage } from './messages/wrap-message.ts'
import { cells } from './text/cells.ts'
import { escapeControls } from './text/escape-controls.ts'
import { grouped } from './text/grouped.ts'

interface Question {
  /** A clause: `Deleting person 3 of project 1 (prod, analytics.example.com)`. */
  readonly doing: string
  /** `yes` asks y/N; any other text must be typed exactly (a count, a project name). */
  readonly answer: 'yes' | ExpectedText
}

interface ExpectedText {
  readonly text: string
  readonly what: string
}

const mostTries = 4

type Asker = Pick<Context, 'host' | 'values' | 'settings' | 'messages' | 'consent'>

export function asks({ values, settings }: Pick<Context, 'values' | 'settings'>): boolean {
  return !values.dryRun && (!values.yes || confirmsEachWrite(settings))
}

export function confirmsEachWrite({ safety }: Context['settings']): boolean {
  return safety.includes('confirm')
}

export const passYes = 'Pass --yes to go ahead'

/** Why no question can be asked: an answer comes from stdin, and the question is shown on stderr. */
export function noQuestion({ host, values }: Pick<Context, 'host' | 'values'>): string | undefined {
  if (values.noInput) return 'questions are switched off (--no-input)'
  const [missing, other] = (['stdin', 'stderr'] as const).filter(stream => !host[stream].isTerminal)
  if (missing === undefined) return undefined
  return other ? `${missing} and ${other} are not terminals` : `${missing} is not a terminal`
}

/** Call before any request. Throws `RefusedError` if a question is needed that nobody can see and answer. */
export function refuseUnanswerable(asker: Omit<Asker, 'messages' | 'consent'>, doing: string, hint = passYes): void {
  const { settings } = asker
  const why = asks(asker) ? noQuestion(asker) : undefined
  if (why === undefined) return
  throw new RefusedError(`${doing} needs confirmation, but ${why}`, {
    hint: confirmsEachWrite(settings)
      ? 'The safety level confirm wants a person at a terminal; --yes is not enough'
      : hint,
  })
}

export async function confirm(asker: Asker, { doing, answer }: Question): Promise<void> {
  if (!asks(asker)) return
  refuseUnanswerable(asker, doing)
  const { host, messages, consent } = asker
  const wanted = answer === 'yes' ? 'Go on? [y/N] ' : `Type ${answer.what} to go on: `
  // A narrow terminal may have cut the name in the preview.
  const statement = answer === 'yes' || answer.what === answer.text ? doing : `${doing}: "${answer.text}"`
  const tries = answer === 'yes' ? 1 : mostTries
  let typed: string | undefined
  for (let left = tries; left > 0; left--) {
    await host.stdin.dropTyped?.()
    const question = left === tries ? questionOf(`${statement}.`, wanted, host.stderr.columns) : wanted
    typed = (await host.stdin.ask(question))?.trim()
    if (typed !== undefined && agrees(answer, typed)) {
      consent.given = true
      return
    }
    if (!typed || /^no?$/i.test(typed)) break
    if (left > 1) messages.say(`That is not ${typeof answer === 'string' ? answer : answer.what}`)
  }
  const hint = typed && answer !== 'yes' ? `To go on, run it again and type ${answer.what}` : undefined
  throw new RefusedError('Declined: nothing was changed', { hint })
}

/** The request for an answer is never split over two lines. */
function questionOf(statement: string, wanted: string, columns: number | undefined): string {
  const safe = wrapMessage(escapeControls(statement), columns)
  const last = safe.slice(safe.lastIndexOf('\n') + 1)
  const fits = columns === undefined || cells(`${last} ${wanted}`) < columns
  return safe + (fits ? ' ' : '\n') + wanted
}

/** An empty line never agrees, even if the project has no name. A count may be typed as `3,000`. */
function agrees(answer: Question['answer'], typed: string): boolean {
  if (answer === 'yes') return /^y(es)?$/i.test(typed)
  const isCount = /^\d+$/.test(answer.text)
  return typed !== '' && (typed === answer.text.trim() || (isCount && typed === grouped(answer.text)))
}
