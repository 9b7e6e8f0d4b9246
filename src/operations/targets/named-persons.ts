/** Persons that a list names by e-mail or distinct id. */
import type { Connection, Context } from '../../cli/command.ts'
import { jobsFolder } from '../../jobs/job.ts'
import { type Lookups, openLookups } from '../../jobs/lookups.ts'
import type { Targets } from '../../jobs/target-list.ts'
import { type Accounting, account, saveUnmatched } from './account.ts'
import { lookUp } from './look-up.ts'
import { type ListKind, readNames } from './read-list.ts'

export interface PersonListOptions extends Accounting {
  readonly emailsFrom?: string | undefined
  readonly distinctIdsFrom?: string | undefined
  readonly column?: string | undefined
}

export interface TargetInput {
  readonly lines: number
  readonly matched: number
  readonly unmatched: readonly number[]
  readonly sha256: string
}

type NamedList = Awaited<ReturnType<typeof readNames>>

export interface NamedPersons {
  readonly list: NamedList
  find(connection: Connection, concurrency: number): Promise<Targets>
  input(): TargetInput
}

/** Sends nothing before `find`. Throws `UsageError` for a list that cannot be read. */
export async function readNamedPersons(context: Context, options: PersonListOptions): Promise<NamedPersons> {
  const { emailsFrom, distinctIdsFrom, column, unmatched: file } = options
  const by = emailsFrom === undefined ? 'distinctId' : 'email'
  const kind: ListKind =
    by === 'email'
      ? { option: '--emails-from', column: column ?? 'email' }
      : { option: '--distinct-ids-from', column: column ?? 'distinct_id' }
  const list = await readNames(context.host, emailsFrom ?? distinctIdsFrom ?? '', kind)
  const { names, lines, sha256 } = list
  let missing: readonly number[] = []
  return {
    list,
    async find(connection, concurrency) {
      const nobody = new Set<number>()
      const kept = keepLookups(context, connection, kind, list)
      const onFound = (place: number, ids: readonly string[]) => {
        if (ids.length === 0) nobody.add(place)
        else kept?.record(place, ids)
      }
      const onSeveral = options.onSeveral === 'all' ? 'all' : 'leave'
      try {
        const known = kept?.found ?? new Map()
        const { ids, unmatched } = await lookUp(connection, names, {
          by,
          concurrency,
          onSeveral,
          onFound,
          known,
        }).catch((error: unknown) => {
          kept?.keep()
          throw error
        })
        kept?.remove()
        missing = unmatched.map(({ line }) => line)
        account(context, unmatched, names.length, options)
        return ids
      } catch (error) {
        if (nobody.size > 0 && missing.length === 0)
          saveUnmatched(
            context,
            names.filter((_, place) => nobody.has(place)),
            file,
          )
        throw error
      }
    },
    input: () => ({ lines, matched: names.length - missing.length, unmatched: missing, sha256 }),
  }
}

/** Look-ups can take hours where the service is slow, so they are kept through an interruption. */
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
  return openLookups(jobsFolder(context.stateFolder()), plan, lines, context.host)
}
