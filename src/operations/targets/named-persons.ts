import type { Connection, Context } from '../../cli/command.ts'
import { jobsFolder } from '../../jobs/job.ts'
import type { FoundLine } from '../../jobs/journal/entry.ts'
import { type KnownLine, type Lookups, openLookups } from '../../jobs/lookups.ts'
import type { ReceiptInput } from '../../jobs/receipts/receipt.ts'
import { countOf } from '../../text/grouped.ts'
import type { ListKind } from './given-name.ts'
import { isNobody, type LookUp, lookUp, type Unmatched } from './look-up.ts'
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
      const lookups = keepLookups(context, connection, kind, list)
      const nobodies = new Set<number>()
      const onFound = (index: number, found: FoundLine) => {
        if (isNobody(found)) nobodies.add(index)
        lookups?.record(index, found)
      }
      const onSeveral = options.onSeveral === 'all' ? 'all' : 'leave'
      const work: LookUp = { by, concurrency, onSeveral, onFound, known: lookups?.known }
      try {
        const found = await lookUp(connection, names, work).catch((error: unknown) => {
          const nobody = names.filter((_, index) => nobodies.has(index))
          if (nobody.length > 0) saveUnmatched(context, everyLine(list, nobody), file)
          throw error
        })
        const { ids } = found
        const unmatched = everyLine(list, found.unmatched)
        reportUnmatched(context, unmatched, { ...list, by }, options)
        return { ids, input: inputOf(list, unmatched), lookups }
      } catch (error) {
        lookups?.stop(error)
        throw error
      }
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

/** Look-ups may take hours, so they are stored, except for a dry run or a short list. */
function keepLookups(context: Context, connection: Connection, kind: ListKind, list: NamedList): Lookups | undefined {
  if (context.values.dryRun || list.names.length < 2) return undefined
  const plan = {
    command: `persons ${kind.option}`,
    options: {},
    base: connection.client.base.href,
    profile: context.settings.profile?.name ?? null,
    path: { project_id: connection.project() },
    lookup: `${kind.option} ${kind.column} ${list.sha256}`,
  }
  const lines = list.names.map(({ line }) => line)
  const lookups = openLookups(jobsFolder(context.stateFolder()), plan, lines, context.host)
  const { messages } = context
  const { known } = lookups
  if (known.size > 0) {
    const oldest = oldestOf(known.values()).slice(0, 16).replace('T', ' ')
    messages.say(`Going on with ${countOf(known.size, 'look-up', 'look-ups')}, the oldest of ${oldest} UTC`)
  }
  const stop = (error: unknown) => {
    const isKept = lookups.stop(error)
    if (isKept) messages.say('The look-ups are kept: the same command with the same list goes on from there')
    return isKept
  }
  return { ...lookups, stop }
}

function oldestOf(known: Iterable<KnownLine>): string {
  return new Date([...known].reduce((oldest, { at }) => Math.min(oldest, at), Number.POSITIVE_INFINITY)).toISOString()
}
