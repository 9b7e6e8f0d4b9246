/** Whether a change needs confirmation, and the prompt for it. */
import type { Context } from './context.ts'
import { RefusedError } from './errors.ts'
import { isCi } from './host.ts'
import { escapeControls } from './text/escape-controls.ts'
import { grouped } from './text/grouped.ts'

export interface Proposal {
  /** `This will delete person 3 of project 1 (prod, analytics.example.com)`. */
  readonly doing: string
  readonly isAsked: boolean
  /** What must be typed, and what that does; without it the question is y/N. */
  readonly typed?: TypedAnswer | undefined
  readonly readsStdin?: boolean | undefined
  readonly hint?: string
}

interface TypedAnswer {
  /** A count, or the name of a project. */
  readonly text: string
  /** `36` or `its name`. */
  readonly what: string
}

type Asker = Pick<Context, 'host' | 'values'>

export function needsPrompt({ values }: Pick<Asker, 'values'>, isAsked: boolean): boolean {
  return isAsked && !values.yes && !values.dryRun
}

/** Why no question can be asked: an answer comes from stdin, and the question is shown on stderr. */
export function whyNoPrompt({ host, values }: Asker): string | undefined {
  if (values.noInput) return 'prompts are off (--no-input)'
  if (isCi(host.env) && !host.stdin.isTerminal) return 'CI is set, so there are no prompts'
  const [missing, other] = (['stdin', 'stderr'] as const).filter(stream => !host[stream].isTerminal)
  if (missing === undefined) return undefined
  return other ? `${missing} and ${other} are not terminals` : `${missing} is not a terminal`
}

/** Call before any request. Throws `RefusedError` if it needs a prompt and there is no terminal. */
export function requireTerminal(asker: Asker, proposal: Proposal): void {
  const { doing, isAsked, readsStdin = false, hint = 'Use --yes to confirm' } = proposal
  const why = whyNoPrompt(asker)
  if (!needsPrompt(asker, isAsked) || (why === undefined && !readsStdin)) return
  const reason = why === undefined ? 'but stdin carries the list' : `but ${why}`
  throw new RefusedError(`${doing}. It needs confirmation, ${reason}`, { hint })
}

const mostTries = 4

/** Asks if it is needed. Throws `RefusedError` unless the answer agrees. */
export async function promptForConfirmation(
  asker: Asker & Pick<Context, 'messages'>,
  proposal: Proposal,
): Promise<void> {
  requireTerminal(asker, proposal)
  if (!needsPrompt(asker, proposal.isAsked)) return
  const { host, messages } = asker
  const { doing, typed: wanted } = proposal
  const request = wanted ? `Type ${wanted.what} to confirm:` : 'Continue? [y/N]'
  // A narrow terminal may have cut the name in the preview.
  const statement = !wanted || wanted.what === wanted.text ? doing : `${doing}: "${wanted.text}"`
  let answer: string | undefined
  for (let left = wanted ? mostTries : 1; left > 0; left--) {
    const question = answer === undefined ? `${escapeControls(statement)}. ${request} ` : `${request} `
    answer = (await host.stdin.ask(question))?.trim()
    if (answer !== undefined && agrees(wanted, answer)) return
    if (!answer || /^no?$/i.test(answer)) break
    if (wanted && left > 1) messages.say(`That is not ${wanted.what}`)
  }
  const hint = answer && wanted ? `To confirm, run it again and type ${wanted.what}` : undefined
  throw new RefusedError('Canceled: nothing was changed', { hint })
}

/** An empty line never agrees, even if the project has no name. A count may be typed as `3,000`. */
function agrees(wanted: TypedAnswer | undefined, answer: string): boolean {
  if (!wanted) return /^y(es)?$/i.test(answer)
  const isCount = /^\d+$/.test(wanted.text)
  return answer !== '' && (answer === wanted.text.trim() || (isCount && answer === grouped(wanted.text)))
}
