import type { Context } from '../context.ts'
import { RefusedError } from '../errors.ts'
import { isCi } from '../host.ts'
import { cells } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'

export function needsPrompt({ values }: Pick<Context, 'values'>): boolean {
  return !values.yes && !values.dryRun
}

/** Why no prompt is possible: the answer comes from stdin, and the prompt is shown on stderr. */
export function whyNoPrompt({ host, values }: Pick<Context, 'host' | 'values'>): string | undefined {
  if (values.noInput) return 'prompts are off (--no-input)'
  if (isCi(host.env) && !host.stdin.isTerminal) return 'CI is set, so there are no prompts'
  const [missing, other] = (['stdin', 'stderr'] as const).filter(stream => !host[stream].isTerminal)
  if (missing === undefined) return undefined
  return other ? `${missing} and ${other} are not terminals` : `${missing} is not a terminal`
}

const mostTries = 4

/**
 * Prompts for y/N, or for a text that must be typed: a count, or the name of a project, which the prompt calls `its name`.
 * Throws `RefusedError` unless the answer confirms.
 */
export async function promptForConfirmation(
  { host, messages }: Pick<Context, 'host' | 'messages'>,
  doing: string,
  typed?: { readonly text: string; readonly what: string },
): Promise<void> {
  const request = typed ? `Type ${typed.what} to confirm:` : 'Continue? [y/N]'
  // A narrow terminal may have cut the name in the preview.
  const statement = !typed || typed.what === typed.text ? doing : `${doing}: "${typed.text}"`
  const oneLine = `${escapeControls(statement)}. ${request} `
  // A message breaks between words, and a prompt does not.
  const isWide = cells(oneLine) > (host.stderr.columns ?? Number.POSITIVE_INFINITY)
  if (isWide) messages.print(statement)
  let answer: string | undefined
  for (let left = typed ? mostTries : 1; left > 0; left--) {
    const question = answer === undefined && !isWide ? oneLine : `${request} `
    answer = (await host.stdin.ask(question))?.trim()
    if (answer && (typed ? answer === typed.text.trim() : /^y(es)?$/i.test(answer))) return
    if (!answer || /^no?$/i.test(answer)) break
    if (typed && left > 1) messages.print(`That is not ${typed.what}`)
  }
  const hint = answer && typed ? `To confirm, run it again and type ${typed.what}` : undefined
  throw new RefusedError('Canceled: nothing was changed', { hint })
}
