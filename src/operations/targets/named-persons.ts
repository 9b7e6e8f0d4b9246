import type { Connection, Context } from '../../context.ts'
import type { ReceiptInput } from '../../jobs/receipts/receipt.ts'
import type { ListKind } from './given-name.ts'
import { type LookUp, lookUp, type Unmatched } from './look-up.ts'
import { type ListedName, ListMistakes, readNames } from './read-list.ts'
import { reportUnmatched, saveUnmatched, type UnmatchedOptions } from './report-unmatched.ts'
import type { Found } from './selection.ts'

interface PersonListOptions extends UnmatchedOptions {
  readonly emailsFrom?: string | undefined
  readonly distinctIdsFrom?: string | undefined
  readonly column?: string | undefined
}

type NamedList = Awaited<ReturnType<typeof readNames>>

interface NamedPersons {
  readonly list: NamedList
  find(connection: Connection, concurrency: number): Promise<Found>
}

/** Sends no request before `find`. Throws `UsageError` for an unreadable list. */
export async function readNamedPersons(context: Context, options: PersonListOptions): Promise<NamedPersons> {
  const { emailsFrom, distinctIdsFrom, column, unmatched: file } = options
  const by = emailsFrom === undefined ? 'distinctId' : 'email'
  const kind: ListKind =
    by === 'email'
      ? { option: '--emails-from', column: column ?? 'email', isNamed: column !== undefined }
      : { option: '--distinct-ids-from', column: column ?? 'distinct_id', isNamed: column !== undefined }
  const list = await readNames(context.host, emailsFrom ?? distinctIdsFrom ?? '', kind).catch((error: unknown) => {
    if (error instanceof ListMistakes) saveUnmatched(context, error.entries, file)
    throw error
  })
  const { names } = list
  return {
    list,
    async find(connection, concurrency) {
      const nobodies = new Set<ListedName>()
      const onSeveral = options.onSeveral === 'all' ? 'all' : 'leave'
      const work: LookUp = { by, concurrency, onSeveral, onNobody: name => nobodies.add(name) }
      const found = await lookUp(connection, names, work).catch((error: unknown) => {
        const nobody = names.filter(name => nobodies.has(name))
        if (nobody.length > 0) saveUnmatched(context, everyLine(list, nobody), file)
        throw error
      })
      const { ids } = found
      const unmatched = everyLine(list, found.unmatched)
      reportUnmatched(context, unmatched, { ...list, by }, options)
      return { ids, input: inputOf(list, unmatched) }
    },
  }
}

/** A name is looked up once, and each of its lines is accounted for. */
function everyLine<N extends ListedName>({ repeats }: NamedList, names: readonly N[]): readonly N[] {
  return names
    .flatMap(name => [name.line, ...(repeats.get(name.text) ?? [])].map(line => ({ ...name, line })))
    .sort((a, b) => a.line - b.line)
}

export function inputOf({ lines, sha256 }: NamedList, unmatched: readonly Unmatched[]): ReceiptInput {
  return { lines, matched: lines - unmatched.length, unmatched: unmatched.map(({ line }) => line), sha256 }
}
