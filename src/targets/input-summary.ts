/** Which lines of a list of persons match: for stderr, `--unmatched` and the receipt. */
import type { Context } from '../context.ts'
import { RefusedError } from '../errors.ts'
import type { ReceiptInput } from '../jobs/receipt.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { countOf, firstOf, grouped } from '../text/grouped.ts'
import { findSimilar, type PersonReader, type Similar } from './person-lookups.ts'
import { mostNamed, saveUnmatched } from './read-list.ts'
import { type NameList, nameKinds } from './read-names.ts'

interface Matches {
  readonly list: NameList
  readonly concurrency: number
  readonly idsOf: (name: string) => readonly string[]
}

/** Reports the lines without a person. Throws `RefusedError` if the options require one person for each line. */
export async function summarizeInput(
  context: Context,
  reader: PersonReader,
  { list, concurrency, idsOf }: Matches,
): Promise<ReceiptInput> {
  const { unit, lines, options, sha256 } = list
  const missing = lines.filter(({ text }) => idsOf(text).length === 0)
  const names = [...new Set(missing.map(({ text }) => text))]
  const similar = new Map<string, Similar>()
  const searched = options.unmatched === undefined ? names.slice(0, mostNamed) : names
  await runParallel(searched, concurrency, async name => {
    similar.set(name, await findSimilar(reader, { by: list.by, name }))
  })
  const unmatched = missing.flatMap(({ line, text }) => {
    const match = similar.get(text)
    return match ? [{ line, text, ...match }] : []
  })
  await saveUnmatched(context.host, options.unmatched, nameKinds[list.by].columns[0], unmatched)
  if (missing.length > 0 && list.where !== undefined) {
    const of = countOf(lines.length, unit, `${unit}s`)
    const match = missing.length === 1 ? 'matches' : 'match'
    context.messages.warn(`${list.where}: ${grouped(missing.length)} of ${of} ${match} no person`)
  }
  reportMissing(context, list, names, similar)
  if (options.requireAll && missing.length > 0) {
    throw new RefusedError(`--require-all: ${countOf(missing.length, `${unit} matches`, `${unit}s match`)} no person`, {
      hint: 'Correct the list, or remove --require-all',
    })
  }
  reportSeveral(context, list, idsOf)
  const numbers = missing.map(({ line }) => line)
  return { lines: lines.length, matched: lines.length - numbers.length, unmatched: numbers, sha256 }
}

function reportMissing(
  { messages, host }: Context,
  { by, where, unit, options, firstLines }: NameList,
  names: readonly string[],
  similar: ReadonlyMap<string, Similar>,
): void {
  for (const name of names.slice(0, mostNamed)) {
    const hint = similar.get(name)?.hint ?? ''
    // Logs are kept, so names are shown only at a terminal.
    const shown = host.stderr.isTerminal ? ` (${JSON.stringify(name)})` : ''
    if (where === undefined) messages.warn(`No person with this ${nameKinds[by].label} was found${hint}`)
    else messages.notice(`  ${unit} ${firstLines.get(name)}${shown}: no match${hint}`)
  }
  const more = names.length - mostNamed
  if (more > 0)
    messages.notice(`  and ${grouped(more)} more${options.unmatched ? '' : ' (use --unmatched FILE to save all)'}`)
}

/** Two persons may have one email. Throws `RefusedError` unless all are used. */
function reportSeveral(
  { messages }: Context,
  { by, where, unit, options, firstLines }: NameList,
  idsOf: Matches['idsOf'],
): void {
  const [first, ...others] = [...firstLines].filter(([name]) => idsOf(name).length > 1)
  if (!first) return
  const lines = others.map(([, line]) => line)
  const also =
    others.length === 0 ? '' : `; so ${others.length === 1 ? 'does' : 'do'} ${unit}s ${firstOf(lines, mostNamed - 1)}`
  const what = where === undefined ? `This ${nameKinds[by].label}` : `${where}: ${unit} ${first[1]}`
  const message = `${what} matches several persons: ${firstOf(idsOf(first[0]), 3)}${also}`
  if (!options.allowMultiple) {
    throw new RefusedError(message, { hint: 'Correct the list, give ids, or use all of them with --on-several all' })
  }
  messages.notice(message)
}
