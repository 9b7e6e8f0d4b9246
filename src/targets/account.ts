/** What became of each line of a list that names persons. */
import type { Context } from '../context.ts'
import { RefusedError } from '../errors.ts'
import type { ReceiptInput } from '../jobs/receipt.ts'
import { countOf, firstOf, grouped } from '../text/grouped.ts'
import { findInOtherCase, nameOfKind, type PersonReader } from './find-persons.ts'
import { lineOf, type NameList, namesIn } from './read-names.ts'
import type { ListOptions, NameKind } from './source.ts'
import { mostNamed, saveNames } from './wrong-lines.ts'

interface Accounting {
  readonly by: NameKind
  readonly options: ListOptions
  readonly idsOf: (name: string) => readonly string[]
}

/** Says which lines nobody has. Throws `RefusedError` if the options want a person for each line, or one alone. */
export async function accountFor(
  context: Context,
  reader: PersonReader,
  list: NameList,
  accounting: Accounting,
): Promise<ReceiptInput> {
  const { by, options, idsOf } = accounting
  const { messages, host } = context
  const { unit } = list
  const lines = list.lines.length
  const unmatched = list.lines.filter(({ text }) => idsOf(text).length === 0)
  if (options.unmatched !== undefined) saveNames(host.cwd, options.unmatched, unmatched, fieldOf[by])
  if (unmatched.length > 0 && !list.isTyped) {
    messages.warn(
      `${list.where}: nobody has the ${nameOfKind[by]} of ${grouped(unmatched.length)} of ${countOf(lines, unit, `${unit}s`)}`,
    )
  }
  const missing = namesIn(list).filter(name => idsOf(name).length === 0)
  for (const name of missing.slice(0, mostNamed)) {
    const others = await findInOtherCase(reader, name, by)
    const other = others.length === 0 ? '' : `; person ${others.join(', ')} has it in other upper and lower case`
    // Logs are kept, so names are shown only at a terminal.
    const shown = host.stderr.isTerminal ? ` (${JSON.stringify(name)})` : ''
    if (list.isTyped) messages.warn(`Nobody has this ${nameOfKind[by]}${other}`)
    else messages.notice(`  ${unit} ${lineOf(list, name)}${shown}: nobody has it${other}`)
  }
  const more = missing.length - mostNamed
  if (more > 0)
    messages.notice(`  and ${grouped(more)} more${options.unmatched ? '' : ' (--unmatched FILE keeps all)'}`)
  if (options.requireAll && unmatched.length > 0) {
    throw new RefusedError(`--require-all: not every ${unit} names a person`, {
      hint: 'Correct the list, or leave --require-all out',
    })
  }
  refuseSeveral(list, accounting)
  const numbers = unmatched.map(({ line }) => line)
  return { lines, matched: lines - numbers.length, unmatched: numbers, sha256: list.sha256 }
}

function refuseSeveral(list: NameList, { by, options, idsOf }: Accounting): void {
  const [first, ...others] = namesIn(list).filter(name => idsOf(name).length > 1)
  if (first === undefined || options.takesSeveral) return
  const whose = list.isTyped ? `this ${nameOfKind[by]}` : `the ${nameOfKind[by]} of ${list.unit} ${lineOf(list, first)}`
  const lines = others.map(name => lineOf(list, name))
  const also = lines.length === 0 ? '' : `; and so for ${list.unit} ${firstOf(lines, mostNamed - 1)}`
  throw new RefusedError(`Several persons have ${whose}: ${firstOf(idsOf(first), 3)}${also}`, {
    hint: 'Correct the list or give ids, or take all of them with --on-several all',
  })
}

const fieldOf = { email: 'email', distinctId: 'distinct_id' } as const
