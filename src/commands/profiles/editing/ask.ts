import { noQuestion } from '../../../consent.ts'
import type { Context } from '../../../context.ts'
import { RefusedError, UsageError } from '../../../errors.ts'
import { collectAtMost } from '../../../files/read.ts'
import { isKey } from '../../../secrets/secrets.ts'
import { escapeControls } from '../../../text/escape-controls.ts'

export function askKey(context: Context): Promise<string> {
  return askUntil(context, 'API key (not shown): ', keyOf, true)
}

/** Asks again after a `UsageError`: if the command ended, a pasted key would go to the shell. Throws `RefusedError` at the end of input. */
export async function askUntil<T>(
  { host, messages }: Context,
  question: string,
  read: (typed: string) => T,
  hidden = false,
): Promise<T> {
  for (;;) {
    const typed = await host.stdin.ask(escapeControls(question), hidden)
    if (typed === undefined) throw new RefusedError('Declined: nothing was saved')
    try {
      return read(typed.trim())
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      messages.fault(error.message)
      if (error.facts.hint) messages.say(error.facts.hint)
    }
  }
}

export function isAttended(context: Context): boolean {
  return mayAsk(context) && !context.values.yes
}

export function mayAsk(context: Context): boolean {
  return !context.values.dryRun && noQuestion(context) === undefined
}

/** Throws `UsageError` if the text is not a key. */
export async function readKey(context: Context): Promise<string> {
  const { stdin } = context.host
  if (!stdin.isTerminal) return keyOf(await textOf(stdin.read()))
  if (mayAsk(context)) return askKey(context)
  throw new UsageError(
    `No key comes on stdin: it is a terminal, and ${noQuestion(context) ?? 'a dry run asks nothing'}`,
    {
      hint: 'Pipe the key into it, or give --api-key-command',
    },
  )
}

function keyOf(typed: string): string {
  const key = typed.trim()
  if (isKey(key)) return key
  throw new UsageError(
    key === ''
      ? 'The key is empty'
      : 'That is not a key: it holds blanks, several lines or unusual characters, or is in quotes',
  )
}

/** Reads all of stdin, so that a second line is noticed. */
async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return (await collectAtMost(bytes, 64 * 1024))?.toString() ?? 'more than a key'
}
