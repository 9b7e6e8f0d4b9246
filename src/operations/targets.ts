/** The targets of a command that changes many things: how they can be given, and which they are. */

import type { Connection, Context } from '../cli/command.ts'
import { asks } from '../cli/confirm.ts'
import { checkFilters, filters } from '../cli/filters.ts'

import { flag, manyArguments, type OptionsOf, once, option, personNames, smallest } from '../cli/options.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { type Collection, checkId, type OtherNames } from '../values/ids.ts'
import { atLeast, text } from '../values/kinds.ts'
import { type Persons, personsByDistinctId, selectPersons } from './find-persons.ts'
import { readIds } from './read-ids.ts'

const count = atLeast(0)

export const ids = manyArguments('ID', 'ids of the targets; or give them by an option below')

/** Options of every command that changes many things. */
export const many = {
  from: once(text, 'FILE', 'ids from a file, or - for stdin: one per line, or NDJSON or CSV with id'),
  expect: option(count, 'N', 'refuse unless there are exactly N targets'),
  max: smallest(count, 'N', 'refuse if there are more than N targets'),
  concurrency: option(atLeast(1), 'N', 'requests at once (8)'),
  maxFailures: option(count, 'N', 'stop after N failures'),
  backup: option(text, 'FILE', 'save each full record first, after what the file holds'),
  receipt: option(text, 'FILE', 'write what was done to this file, for the ticket'),
  reason: option(text, 'TEXT', 'why, for the receipt'),
}

export const canary = {
  canary: option(count, 'N', 'delete N, check that they are gone, then go on'),
}

const { search, email, distinctId, property } = filters

/** How persons can be given beside their ids. */
export const ofPersons = {
  distinctIdsFrom: once(text, 'FILE', 'persons with the distinct ids in a file, or - for stdin'),
  search,
  email,
  distinctId,
  property,
  all: flag('every person of the project'),
}

export type TargetOptions = Partial<OptionsOf<typeof many> & OptionsOf<typeof canary> & OptionsOf<typeof ofPersons>>

interface Selecting {
  /** The most targets that the command line allows for by itself; undefined for filters and --all. */
  readonly limit?: number | undefined
  /** Nobody is left to answer a question on stdin. */
  readonly fromStdin?: boolean
}

/** The targets of a command: known from the command line, or to be found. */
export type Selection = Selecting &
  (
    | {
        readonly ids: readonly string[]
        /** One id as the only argument: the command answers with its record. */
        readonly single?: string
      }
    | {
        readonly ids?: undefined
        readonly single?: undefined
        /** Throws `RefusedError` when the service ignored the filter. */
        readonly find: (connection: Connection, concurrency: number) => Promise<readonly string[]>
      }
  )

/** How else a command can name its targets. */
const argumentNames: Readonly<Partial<Record<Collection, OtherNames>>> = { persons: personNames }

/** The one source that was given. Throws `UsageError` for none and for several, and for a file that cannot be used. */
export async function chooseTargets(
  context: Context,
  collection: Collection,
  typed: readonly string[],
  options: TargetOptions,
): Promise<Selection> {
  const { host } = context
  const { from, distinctIdsFrom, all } = options
  const filtered = filterOptions(options)
  const given = [
    ...(typed.length > 0 ? ['ids'] : []),
    ...(from === undefined ? [] : ['--from']),
    ...(distinctIdsFrom === undefined ? [] : ['--distinct-ids-from']),
    ...(filtered.length > 0 ? [filtered.join(' ')] : []),
    ...(all ? ['--all'] : []),
  ]
  if (given.length !== 1) throw unclear(given, distinctIdsFrom !== undefined || options.property !== undefined)
  for (const id of typed) checkId(collection, id, argumentNames[collection])
  if (typed.length === 1 && typed[0] !== undefined) return { ids: typed, single: typed[0], limit: 1 }
  if (typed.length > 1) return known([...new Set(typed)])
  if (from !== undefined)
    return known(await readIds(host, from, { option: '--from', name: 'id', of: collection }), from)
  if (distinctIdsFrom === undefined) return byFilter(options)
  const wanted = { option: '--distinct-ids-from', name: 'distinct_id' } as const
  const distinctIds = await readIds(host, distinctIdsFrom, wanted)
  if (distinctIds.length === 0) return known([])
  return {
    limit: distinctIds.length,
    fromStdin: distinctIdsFrom === '-',
    async find(connection, concurrency) {
      const { ids, unknown } = await personsByDistinctId(personsOf(connection), distinctIds, concurrency)
      if (unknown.length > 0) sayUnknown(context, unknown, distinctIds.length)
      return ids
    },
  }
}

function known(ids: readonly string[], from?: string): Selection {
  return { ids, limit: ids.length, fromStdin: from === '-' }
}

/** Which they are is said where people are shown at all: to whoever is asked, and in a dry run. */
function sayUnknown({ messages, values }: Context, unknown: readonly string[], of: number): void {
  messages.warn(`${unknown.length} of ${of} distinct ids belong to no person${reasonFor(unknown)}`)
  if (!asks(values) && !values.dryRun) return
  for (const distinctId of unknown.slice(0, 10)) messages.say(`  ${JSON.stringify(distinctId)}: not found`)
  if (unknown.length > 10) messages.say(`  and ${unknown.length - 10} more`)
}

function reasonFor(unknown: readonly string[]): string {
  if (unknown.every(line => /[,;\t]/.test(line))) return '; to be read as CSV, a file needs a column distinct_id'
  return unknown.some(one => one !== one.trim()) ? '; some begin or end with a blank within quotes' : ''
}

function personsOf({ client, project, now }: Connection): Persons {
  return { client, project: project(), now: now() }
}

function byFilter({ search, email, distinctId, property = [] }: TargetOptions): Selection {
  const filter = { search, email, distinctId, property }
  checkFilters(filter)
  return {
    limit: distinctId === undefined ? undefined : 1,
    find: connection => selectPersons(personsOf(connection), filter),
  }
}

/** Throws `RefusedError` unless the number of targets is one that was allowed. */
export function guardCount(count: number, { expect, max }: TargetOptions, limit = Number.POSITIVE_INFINITY): void {
  const found = `Found ${count} ${count === 1 ? 'target' : 'targets'}`
  const hint = 'Nothing was changed. Check the targets'
  if (expect !== undefined && count !== expect) {
    throw new RefusedError(`${found}, expected ${expect}`, { hint: `${hint}; if they are right, correct --expect` })
  }
  if (max !== undefined && count > max) {
    throw new RefusedError(`${found}, at most ${max} allowed`, { hint: `${hint}; if they are right, raise --max` })
  }
  if (count > limit) throw new RefusedError(`${found}, at most ${limit} can be meant`, { hint })
}

/** The options as a job keeps them: that they were given, and numbers; no text, which could say something of somebody. */
export function recordedOptions(options: Readonly<Record<string, unknown>>): Record<string, boolean | number | '…'> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, boolean | number | '…'][] => {
      if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return []
      return [[name, value === true || (typeof value === 'number' && name in { ...many, ...canary }) ? value : '…']]
    }),
  )
}

/** The filters that were given, by the names of their options. */
function filterOptions({ search, email, distinctId, property = [] }: TargetOptions): string[] {
  const given = { '--search': search, '--email': email, '--distinct-id': distinctId, '--property': property[0] }
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

function unclear(given: readonly string[], persons: boolean): UsageError {
  const ways = persons ? 'ids, --from, --distinct-ids-from, a filter such as --search, or --all' : 'ids or --from'
  if (given.length === 0) return new UsageError('No targets were given', { hint: `Give ${ways}` })
  return new UsageError(`Targets must come from one source, not from ${given.join(' and ')}`, {
    hint: `Give one of ${ways}`,
  })
}
