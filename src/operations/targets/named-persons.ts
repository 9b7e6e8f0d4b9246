import type { Connection, Context } from '../../context.ts'
import type { ReceiptInput } from '../../jobs/receipts/receipt.ts'
import type { ListKind } from './given-name.ts'
import { type LookUp, lookUp, type Unmatched } from './look-up.ts'
import { type ListedName, ListMistakes, readNames } from './read-list.ts'
import { reportUnmatched, saveUnmatched, type UnmatchedOptions } from './report-unmatched.ts'
import type { Found } from './selection.ts'

export interface PersonList extends UnmatchedOptions {
  readonly by: LookUp['by']
  /** `-` is stdin. */
  readonly file: string
  readonly column?: string | undefined
}

type NamedList = Awaited<ReturnType<typeof readNames>>

interface NamedPersons {
  readonly list: NamedList
  find(connection: Connection, concurrency: number): Promise<Found>
}

export const lists = {
  email: { option: '--emails-from', usual: 'email' },
  distinctId: { option: '--distinct-ids-from', usual: 'distinct_id' },
} as const

/** Sends no request before `find`. Throws `UsageError` for an unreadable list. */
export async function readNamedPersons(context: Context, given: PersonList): Promise<NamedPersons> {
  const { by, file: source, column, unmatched: file } = given
  const { option, usual } = lists[by]
  const kind: ListKind = { option, column: column ?? usual, isNamed: column !== undefined }
  const list = await readNames(context.host, source, kind).catch((error: unknown) => {
    if (error instanceof ListMistakes) saveUnmatched(context, error.entries, file)
    throw error
  })
  const { names } = list
  return {
    list,
    async find(connection, concurrency) {
      const nobodies = new Set<ListedName>()
      const onSeveral = given.onSeveral === 'all' ? 'all' : 'leave'
      const work: LookUp = { by, concurrency, onSeveral, onNobody: name => nobodies.add(name) }
      const found = await lookUp(connection, names, work).catch((error: unknown) => {
        const nobody = names.filter(name => nobodies.has(name))
        if (nobody.length > 0) saveUnmatched(context, everyLine(list, nobody), file)
        throw error
      })
      const { ids } = found
      const unmatched = everyLine(list, found.unmatched)
      reportUnmatched(context, unmatched, { ...list, by }, given)
      return { ids, input: inputOf(list, unmatched), areRead: true }
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
