/** Persons that a list names by e-mail or distinct id. */

import type { Connection, Context } from '../../cli/command.ts'
import { RefusedError } from '../../errors.ts'
import { jobsFolder } from '../../jobs/job.ts'
import type { FoundLine } from '../../jobs/journal/entry.ts'
import { type Lookups, openLookups } from '../../jobs/lookups.ts'
import type { ReceiptInput } from '../../jobs/receipts/receipt.ts'
import type { ListKind } from './list-formats.ts'
import { isNobody, type LookUp, lookUp, type Unmatched } from './look-up.ts'
import { readNames } from './read-list.ts'
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

/** Sends nothing before `find`. Throws `UsageError` for a list that cannot be read. */
export async function readNamedPersons(context: Context, options: PersonListOptions): Promise<NamedPersons> {
  const { emailsFrom, distinctIdsFrom, column, unmatched: file } = options
  const by = emailsFrom === undefined ? 'distinctId' : 'email'
  const kind: ListKind =
    by === 'email'
      ? { option: '--emails-from', column: column ?? 'email', isNamed: column !== undefined }
      : { option: '--distinct-ids-from', column: column ?? 'distinct_id', isNamed: column !== undefined }
  const list = await readNames(context.host, emailsFrom ?? distinctIdsFrom ?? '', kind)
  const { names } = list
  return {
    list,
    async find(connection, concurrency) {
      const lookups = keepLookups(context, connection, kind, list)
      const known = new Map(lookups?.found)
      const onFound = (index: number, found: FoundLine) => {
        known.set(index, found)
        lookups?.record(index, found)
      }
      const onSeveral = options.onSeveral === 'all' ? 'all' : 'leave'
      const work: LookUp = { by, concurrency, onSeveral, onFound, known: lookups?.found }
      const { ids, unmatched } = await lookUp(connection, names, work).catch((error: unknown) => {
        lookups?.keep()
        const nobody = names.filter((_, index) => isNobody(known.get(index)))
        if (nobody.length > 0) saveUnmatched(context, nobody, file)
        throw error
      })
      try {
        reportUnmatched(context, unmatched, { ...list, by }, options)
      } catch (error) {
        // Whoever is refused for several persons gives the same list again, with --on-several.
        if (options.requireAll && error instanceof RefusedError) lookups?.remove()
        else lookups?.keep()
        throw error
      }
      return { ids, input: inputOf(list, unmatched), lookups }
    },
  }
}

export function inputOf({ names, lines, sha256 }: NamedList, unmatched: readonly Unmatched[]): ReceiptInput {
  return { lines, matched: names.length - unmatched.length, unmatched: unmatched.map(({ line }) => line), sha256 }
}

/** Look-ups can take hours where the service is slow, so they are kept through an interruption; not for a dry run or a short list. */
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
  const keep = () => {
    const isKept = lookups.keep()
    if (isKept) context.messages.say('The look-ups are kept: the same command with the same list goes on from there')
    return isKept
  }
  return { ...lookups, keep }
}
