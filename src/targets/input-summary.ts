/** Which lines of a list of persons match: for stderr, `--unmatched` and the receipt. */
import type { Context } from '../context.ts'
import { RefusedError } from '../errors.ts'
import type { ReceiptInput } from '../jobs/receipt.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import { countOf, firstOf, grouped } from '../text/grouped.ts'
import { findSimilar, type Similar, similarHint } from './find-similar.ts'
import type { PersonReader } from './person-lookups.ts'
import type { NameList } from './read-names.ts'
import { type ListOptions, type NameKind, nameKinds } from './source.ts'
import { mostNamed, saveUnmatched, type UnmatchedLine } from './unmatched.ts'

interface Matches {
  readonly by: NameKind
  readonly options: ListOptions
  readonly concurrency: number
  readonly idsOf: (name: string) => readonly string[]
}

/** Names the lines without a person. Throws `RefusedError` if the options require one person for each line. */
export async function summarizeInput(
  context: Context,
  reader: PersonReader,
  list: NameList,
  matches: Matches,
): Promise<ReceiptInput> {
  const { options, idsOf } = matches
  const { unit, lines } = list
  const missing = lines.filter(({ text }) => idsOf(text).length === 0)
  await reportMissing(context, reader, list, { ...matches, missing })
  if (options.requireAll && missing.length > 0) {
    throw new RefusedError(`--require-all: ${countOf(missing.length, `${unit} matches`, `${unit}s match`)} no person`, {
      hint: 'Correct the list, or remove --require-all',
    })
  }
  reportSeveral(context, list, matches)
  const unmatched = missing.map(({ line }) => line)
  return { lines: lines.length, matched: lines.length - unmatched.length, unmatched, sha256: list.sha256 }
}

async function reportMissing(
  { messages, host }: Context,
  reader: PersonReader,
  list: NameList,
  { by, options, concurrency, missing }: Matches & { readonly missing: NameList['lines'] },
): Promise<void> {
  const { where, unit, firstLines } = list
  const names = [...new Set(missing.map(({ text }) => text))]
  const named = names.slice(0, mostNamed)
  const similar = new Map<string, Similar>()
  await runParallel(options.unmatched === undefined ? named : names, concurrency, async name => {
    similar.set(name, await findSimilar(reader, name, by))
  })
  const lines = missing.map(({ line, text }): UnmatchedLine => {
    const { reason = 'not-found', persons = [] } = similar.get(text) ?? {}
    return { line, text, reason, persons }
  })
  await saveUnmatched(host, options.unmatched, nameKinds[by].columns[0], lines)
  if (missing.length > 0 && where !== undefined) {
    const of = countOf(list.lines.length, unit, `${unit}s`)
    messages.warn(
      `${where}: ${grouped(missing.length)} of ${of} ${missing.length === 1 ? 'matches' : 'match'} no person`,
    )
  }
  for (const name of named) {
    const found = similar.get(name)
    const hint = found === undefined ? '' : similarHint(found)
    // Logs are kept, so names are shown only at a terminal.
    const shown = host.stderr.isTerminal ? ` (${JSON.stringify(name)})` : ''
    if (where === undefined) messages.warn(`No person has this ${nameKinds[by].label}${hint}`)
    else messages.notice(`  ${unit} ${firstLines.get(name)}${shown}: no match${hint}`)
  }
  const more = names.length - named.length
  if (more > 0)
    messages.notice(`  and ${grouped(more)} more${options.unmatched ? '' : ' (--unmatched FILE keeps all)'}`)
}

/** Two persons may have one email. Throws `RefusedError` unless all are used. */
function reportSeveral({ messages }: Context, list: NameList, { by, options, idsOf }: Matches): void {
  const { where, unit, firstLines } = list
  const several = [...firstLines].filter(([name]) => idsOf(name).length > 1)
  const [first, ...others] = several
  if (!first) return
  const lines = firstOf(
    others.map(([, line]) => line),
    mostNamed - 1,
  )
  const also = others.length === 0 ? '' : `; so ${others.length === 1 ? 'does' : 'do'} ${unit}s ${lines}`
  const what = where === undefined ? `This ${nameKinds[by].label}` : `${where}: ${unit} ${first[1]}`
  const message = `${what} matches several persons: ${firstOf(idsOf(first[0]), 3)}${also}`
  if (!options.allowMultiple) {
    throw new RefusedError(message, { hint: 'Correct the list, give ids, or use all of them with --on-several all' })
  }
  messages.notice(message)
}
