/** The targets of a command that changes objects, and the options that choose them. */

import { eventDefinitions, projects } from '../../api/endpoints.ts'
import type { Connection, Context } from '../../cli/command.ts'
import { checkFilters, filters } from '../../cli/filters.ts'
import {
  flag,
  manyArguments,
  type OptionsOf,
  once,
  option,
  personNames,
  repeated,
  smallest,
} from '../../cli/options.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { filterKind } from '../../filters/filter.ts'
import { duration } from '../../values/duration.ts'
import { checkId, type OtherNames } from '../../values/ids.ts'
import { atLeast, between, day, oneOf, text } from '../../values/kinds.ts'
import { findByName } from './find-by-name.ts'
import { findTargets, type TargetCollection } from './find-targets.ts'
import { readNamedPersons, type TargetInput } from './named-persons.ts'
import { type ReadList, readList } from './read-list.ts'
import { type RowShape, readRows } from './read-rows.ts'

const count = atLeast(0)

export const ids = manyArguments('ID', 'ids of the targets; or give them by an option below')

export const many = {
  from: once(text, 'FILE', 'ids from a file, or - for stdin: one per line, or NDJSON or CSV with id'),
  where: repeated(filterKind, 'FILTER', 'by any field: field=value != ~ > < field !field, such as last_seen_at<-90d'),
  expect: option(count, 'N', 'refuse unless there are exactly N targets'),
  max: smallest(count, 'N', 'refuse if there are more than N targets'),
  concurrency: option(between(1, 64), 'N', 'requests at once, at most 64 (8)'),
  maxFailures: option(count, 'N', 'stop after N failures'),
  backup: option(text, 'FILE', 'append each full record to this file first'),
  maxDuration: option(duration, 'DURATION', 'begin nothing new after that, such as 5h, and say how to go on'),
  receipt: option(text, 'FILE', 'write what was done to this file, for the ticket'),
  reason: option(text, 'TEXT', 'why, for the receipt'),
  requestedBy: option(text, 'TEXT', 'who asked for it, for the receipt'),
  plan: option(text, 'FILE', 'change nothing: write what would be done to this file, for jobs run'),
  received: option(day, 'DATE', 'when that was asked for, for the receipt: it says what is due a month later'),
}

export const canary = {
  canary: option(count, 'N', 'delete N, check that they are gone, then go on'),
}

const { search, email, distinctId, property } = filters

export const ofPersons = {
  distinctIdsFrom: once(text, 'FILE', 'persons with the distinct ids in a file, or - for stdin'),
  emailsFrom: once(text, 'FILE', 'persons with the e-mails in a file, or - for stdin'),
  column: option(text, 'NAME', 'the column of such a file, where it is not distinct_id or email'),
  unmatched: option(text, 'FILE', 'write the lines without a target to this file'),
  requireAll: flag('refuse unless each line has a target'),
  onSeveral: option(oneOf('all', 'skip'), 'WAY', 'where several persons have one e-mail: all or skip; else refuse'),
  search,
  email,
  distinctId,
  property,
  all: flag('every person of the project'),
}

/** Targets with their own values, for updates. */
export const ofRows = {
  rows: once(text, 'FILE', 'ids with the values to set, as NDJSON or CSV, or - for stdin'),
  types: option(text, 'KEY=TYPE,…', 'how columns of --rows are read: number, boolean, json or text'),
}

export const ofEventDefinitions = {
  byName: repeated(text, 'NAME', 'the event definition with exactly this name; may be repeated'),
}

export type TargetOptions = Partial<
  OptionsOf<typeof many> &
    OptionsOf<typeof canary> &
    OptionsOf<typeof ofPersons> &
    OptionsOf<typeof ofEventDefinitions> &
    OptionsOf<typeof ofRows>
>

interface Selecting {
  /** The highest number of targets that the command line allows; undefined for filters and --all. */
  readonly limit?: number | undefined
  /** Stdin is used up, so it cannot answer a question. */
  readonly fromStdin?: boolean
  /** One object that was named, but not by its id. */
  readonly isOne?: boolean
  /** A body for each target, in the order of the ids. */
  readonly bodies?: readonly unknown[]
  /** Known once the targets have been found. */
  readonly input?: () => TargetInput
}

/** Targets that the command line names, or that must be found. */
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

const argumentNames: Readonly<Partial<Record<TargetCollection, OtherNames>>> = {
  persons: personNames,
  event_definitions: { text: 'a name use --by-name' },
}

/** Throws `UsageError` for no source, for several, and for a file that cannot be used. */
export async function chooseTargets(
  context: Context,
  collection: TargetCollection,
  typed: readonly string[],
  options: TargetOptions,
): Promise<Selection> {
  const { from, distinctIdsFrom, emailsFrom, all, byName = [] } = options
  const filtered = filterOptions(options)
  const given = [
    ...(typed.length > 0 ? ['ids'] : []),
    ...(byName.length > 0 ? ['--by-name'] : []),
    ...(options.rows === undefined ? [] : ['--rows']),
    ...(from === undefined ? [] : ['--from']),
    ...(distinctIdsFrom === undefined ? [] : ['--distinct-ids-from']),
    ...(emailsFrom === undefined ? [] : ['--emails-from']),
    ...(filtered.length > 0 ? [filtered.join(' ')] : []),
    ...(all ? ['--all'] : []),
  ]
  if (given.length !== 1) throw unclear(given, collection)
  refuseListOptions(options)
  for (const id of typed) checkId(collection, id, argumentNames[collection])
  if (typed.length === 1 && typed[0] !== undefined) return { ids: typed, single: typed[0], limit: 1 }
  if (typed.length > 1) return known([...new Map(typed.map(id => [id.toLowerCase(), id])).values()])
  if (byName.length > 0) {
    const names = [...new Set(byName)]
    return { limit: names.length, isOne: names.length === 1, find: connection => findByName(connection, names) }
  }
  if (options.rows !== undefined) return fromRows(context, collection, options.rows, options.types)
  if (from !== undefined) return fromFile(context, collection, from)
  if (distinctIdsFrom === undefined && emailsFrom === undefined) return byFilter(collection, options)
  const { list, find, input } = await readNamedPersons(context, options)
  warnOfCut(context, emailsFrom === undefined ? '--distinct-ids-from' : '--emails-from', list)
  if (list.names.length === 0) return known([])
  const limit = options.onSeveral === 'all' ? undefined : list.names.length
  return { limit, fromStdin: (emailsFrom ?? distinctIdsFrom) === '-', find, input }
}

async function fromFile(context: Context, collection: TargetCollection, from: string): Promise<Selection> {
  const list = await readList(context.host, from, { option: '--from', column: 'id', ids: collection })
  warnOfCut(context, '--from', list)
  const { names, lines, sha256 } = list
  const input = () => ({ lines, matched: names.length, unmatched: [], sha256 })
  return { ...known(names.map(({ text }) => text)), fromStdin: from === '-', input }
}

async function fromRows(
  context: Context,
  collection: TargetCollection,
  file: string,
  types: string | undefined,
): Promise<Selection> {
  const { by, rows } = await readRows(context.host, file, rowShape(collection), types)
  const targets = rows.map(({ target }) => target)
  const facts = { limit: rows.length, fromStdin: file === '-', bodies: rows.map(({ body }) => body) }
  if (by === 'id' || targets.length === 0) return { ...facts, ids: targets }
  return { ...facts, find: connection => findByName(connection, targets) }
}

/** Throws `UsageError` for a collection without updates. */
function rowShape(collection: TargetCollection): RowShape {
  if (collection === 'persons') return { collection, fields: 'properties', byName: false }
  if (collection === 'projects') return { collection, fields: projects.update.body, byName: false }
  return { collection, fields: eventDefinitions.update.body, byName: true }
}

function known(ids: readonly string[]): Selection {
  return { ids, limit: ids.length }
}

function warnOfCut({ messages }: Context, option: string, { mayBeCut, names }: ReadList): void {
  if (!mayBeCut) return
  messages.warn(`${option}: the last line, number ${names.at(-1)?.line ?? 1}, has no end: the list may be cut off`)
}

function byFilter(collection: TargetCollection, options: TargetOptions): Selection {
  const { search, email, distinctId, property = [], where = [] } = options
  const filter = { search, email, distinctId, property, where }
  checkFilters(filter)
  return {
    limit: distinctId === undefined ? undefined : 1,
    find: connection => findTargets(connection, collection, filter),
  }
}

/** Throws `UsageError` for options of a list of persons without such a list. */
function refuseListOptions(options: TargetOptions): void {
  const { distinctIdsFrom, emailsFrom, column, unmatched, requireAll, onSeveral } = options
  if (distinctIdsFrom !== undefined || emailsFrom !== undefined) return
  const given = { '--column': column, '--unmatched': unmatched, '--on-several': onSeveral }
  const name = requireAll ? '--require-all' : Object.entries(given).find(([, value]) => value !== undefined)?.[0]
  if (name === undefined) return
  throw new UsageError(`${name} goes with --emails-from or --distinct-ids-from only`, { hint: 'Leave it out' })
}

/** Throws `RefusedError` unless the number of targets is allowed. */
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

/** Only the names of options and their numbers: text could be personal. */
export function recordedOptions(options: Readonly<Record<string, unknown>>): Record<string, boolean | number | '…'> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, boolean | number | '…'][] => {
      if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return []
      return [[name, value === true || (typeof value === 'number' && name in { ...many, ...canary }) ? value : '…']]
    }),
  )
}

function filterOptions({ search, email, distinctId, property = [], where = [] }: TargetOptions): string[] {
  const given = {
    '--search': search,
    '--email': email,
    '--distinct-id': distinctId,
    '--property': property[0],
    '--where': where[0],
  }
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

function unclear(given: readonly string[], collection: TargetCollection): UsageError {
  const ways =
    collection === 'persons'
      ? 'ids, --from, --emails-from, --distinct-ids-from, a filter such as --search or --where, or --all'
      : 'ids, --from or --where'
  if (given.length === 0) return new UsageError('No targets were given', { hint: `Give ${ways}` })
  return new UsageError(`Targets must come from one source, not from ${given.join(' and ')}`, {
    hint: `Give one of ${ways}`,
  })
}
