/** Reports lines of a list without a target: on stderr, in a file, or by refusing the run. */
import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { RefusedError } from '../../errors.ts'
import { writePrivateFile } from '../../files/private-file.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import { unseenIn } from '../../text/unseen-character.ts'
import { lineFor } from './given-name.ts'
import type { LookUp, Unmatched } from './look-up.ts'

export interface UnmatchedOptions {
  readonly unmatched?: string | undefined
  readonly requireAll?: boolean | undefined
  readonly onSeveral?: 'all' | 'skip' | undefined
}

const reasons = {
  nobody: 'belongs to nobody',
  several: 'belongs to several persons',
  'other-case': 'is found only with other upper and lower case',
} as const

const mostNamed = 10

export function saveUnmatched({ host }: Context, unmatched: readonly Pick<Unmatched, 'text'>[], file?: string): void {
  if (file === undefined) return
  writePrivateFile(resolve(host.cwd, file), '--unmatched', unmatched.map(({ text }) => `${lineFor(text)}\n`).join(''))
}

function causeOf(unmatched: readonly Unmatched[], { isPlain }: ReportedList): string {
  const isCsv = isPlain && unmatched.every(({ text }) => /[,;]/.test(text))
  return isCsv ? '; CSV needs a heading, and --column names its column' : ''
}

/** An e-mail that somebody copied may hold a character that nobody sees. */
function reasonFor({ text, why }: Unmatched): string {
  return why === 'nobody' ? `${reasons[why]}${unseenIn(text)}` : reasons[why]
}

interface ReportedList {
  readonly by: LookUp['by']
  readonly isPlain: boolean
  readonly lines: number
}

/** Throws `RefusedError` if the options require a target for each line. */
export function reportUnmatched(
  context: Context,
  unmatched: readonly Unmatched[],
  list: ReportedList,
  options: UnmatchedOptions,
): void {
  saveUnmatched(context, unmatched, options.unmatched)
  if (unmatched.length === 0) return
  const { messages, host } = context
  const verb = unmatched.length === 1 ? 'has' : 'have'
  const lines = countOf(list.lines, 'line', 'lines')
  messages.fault(`${grouped(unmatched.length)} of ${lines} ${verb} no target${causeOf(unmatched, list)}`)
  for (const one of unmatched.slice(0, mostNamed)) {
    // Logs are kept, so names are shown only at a terminal.
    messages.say(`  ${host.stderr.isTerminal ? JSON.stringify(one.text) : `line ${one.line}`} ${reasonFor(one)}`)
  }
  const more = unmatched.length - mostNamed
  if (more > 0)
    messages.say(`  and ${grouped(more)} more${options.unmatched === undefined ? ' (--unmatched FILE keeps all)' : ''}`)
  const hint = 'Nothing was changed. Correct the list'
  if (options.requireAll) {
    throw new RefusedError('--require-all: not every line has a target', {
      hint: `${hint}, or leave --require-all out`,
    })
  }
  if (options.onSeveral === undefined && unmatched.some(({ why }) => why === 'several')) {
    throw new RefusedError(`Several persons have the same ${list.by === 'email' ? 'e-mail' : 'distinct id'}`, {
      hint: `${hint}, or give --on-several all or --on-several skip`,
    })
  }
}
