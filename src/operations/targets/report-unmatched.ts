/** Reports lines of a list without a target: on stderr, in a file, or by refusing the run. */
import { resolve } from 'node:path'
import type { Context } from '../../cli/command.ts'
import { RefusedError } from '../../errors.ts'
import { writePrivateFile } from '../../files/private-file.ts'
import { countOf, grouped } from '../../text/grouped.ts'
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
  writePrivateFile(resolve(host.cwd, file), '--unmatched', unmatched.map(({ text }) => `${text}\n`).join(''))
}

function causeOf(unmatched: readonly Unmatched[], { isPlain }: ReportedList): string {
  if (isPlain && unmatched.every(({ text }) => /[,;\t]|^".*"$/.test(text)))
    return '; CSV needs a heading, and --column names its column'
  return unmatched.some(({ text }) => text !== text.trim()) ? '; some begin or end with a blank within quotes' : ''
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
  messages.warn(`${grouped(unmatched.length)} of ${lines} ${verb} no target${causeOf(unmatched, list)}`)
  for (const { line, text, why } of unmatched.slice(0, mostNamed)) {
    // Logs are kept, so names are shown only at a terminal.
    messages.say(`  ${host.stderr.isTerminal ? JSON.stringify(text) : `line ${line}`} ${reasons[why]}`)
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
