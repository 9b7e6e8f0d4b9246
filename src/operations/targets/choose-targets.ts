import { eventDefinitions, projects } from '../../api/endpoints.ts'
import type { BulkOptions } from '../../cli/bulk-options.ts'
import type { Connection, Context } from '../../cli/command.ts'
import { checkFilters } from '../../cli/filters.ts'
import { personNames } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { filterWords, type ShowValue } from '../../filters/filter-words.ts'
import { checkId, type OtherNames } from '../../values/ids.ts'
import type { TargetCollection } from '../collections.ts'
import { findByName } from './find-by-name.ts'
import { findTargets, type TargetFilter } from './find-targets.ts'
import { inputOf, readNamedPersons } from './named-persons.ts'
import { eachPersonOnce, mixesForms } from './one-person.ts'
import { type ReadList, readIds } from './read-list.ts'
import { readRows } from './read-rows.ts'
import { saveUnmatched } from './report-unmatched.ts'
import { type Found, type Selection, selectKnown } from './selection.ts'
import { refuseUnclearSource } from './sources.ts'
import type { RowShape } from './typed-cells.ts'

const list = '--from FILE, or --from - for stdin'

const argumentNames: Readonly<Record<TargetCollection, OtherNames>> = {
  persons: { ...personNames, list },
  event_definitions: { text: 'a name use --by-name', list },
  plugins: { list },
  projects: { list },
}

/** Throws `UsageError` without a source, for several, and for an unusable file. */
export async function chooseTargets(
  context: Context,
  collection: TargetCollection,
  typed: readonly string[],
  options: BulkOptions,
): Promise<Selection> {
  const { from, distinctIdsFrom, emailsFrom, byName = [] } = options
  refuseUnclearSource(typed, options)
  refuseListOptions(options)
  for (const id of typed) checkId(collection, id, argumentNames[collection])
  if (typed.length > 0) {
    const ids = [...new Map(typed.map(id => [id.toLowerCase(), id])).values()]
    return { ...selectIds(collection, { ids }), isOne: typed.length === 1 }
  }
  if (byName.length > 0) {
    const names = [...new Set(byName)]
    return { targets: named(names), limit: names.length, isOne: names.length === 1 }
  }
  if (options.rows !== undefined) return fromRows(context, collection, options.rows, options.types)
  if (from !== undefined) return fromFile(context, collection, from)
  if (distinctIdsFrom === undefined && emailsFrom === undefined) return byFilter(collection, options)
  const { list, find } = await readNamedPersons(context, options)
  warnOfCut(context, emailsFrom === undefined ? '--distinct-ids-from' : '--emails-from', list)
  if (list.names.length === 0) {
    saveUnmatched(context, [], options.unmatched)
    return selectKnown({ ids: [], input: inputOf(list, []) })
  }
  const limit = options.onSeveral === 'all' ? undefined : list.names.length
  return { targets: find, limit, fromStdin: (emailsFrom ?? distinctIdsFrom) === '-' }
}

function named(names: readonly string[]): Selection['targets'] {
  return async connection => ({ ids: await findByName(connection, names) })
}

async function fromFile(context: Context, collection: TargetCollection, from: string): Promise<Selection> {
  const list = await readIds(context.host, from, collection)
  warnOfCut(context, '--from', list)
  const { targets: ids, lines, sha256 } = list
  const input = { lines, matched: lines, unmatched: [], sha256 }
  return { ...selectIds(collection, { ids, input }), fromStdin: from === '-' }
}

function selectIds(collection: TargetCollection, found: Found): Selection {
  const { ids } = found
  if (collection !== 'persons' || !mixesForms(ids)) return selectKnown(found)
  const targets = async (connection: Connection, concurrency: number) => ({
    ...found,
    ids: await eachPersonOnce(connection, ids, concurrency),
  })
  return { targets, limit: ids.length }
}

async function fromRows(
  context: Context,
  collection: TargetCollection,
  file: string,
  types: readonly string[] = [],
): Promise<Selection> {
  const { by, rows } = await readRows(context.host, file, rowShape(collection), types)
  const ids = rows.map(({ target }) => target)
  const onAgain = (first: number, again: number) => {
    throw new UsageError(`--rows ${file}: line ${rows[again]?.line} names the person of line ${rows[first]?.line}`, {
      hint: 'Keep one of them',
    })
  }
  const once: Selection['targets'] = async (connection, concurrency) => ({
    ids: await eachPersonOnce(connection, ids, concurrency, onAgain),
  })
  const isMixed = collection === 'persons' && mixesForms(ids)
  const targets = isMixed ? once : by === 'id' || ids.length === 0 ? { ids } : named(ids)
  return { targets, limit: rows.length, fromStdin: file === '-', bodies: rows.map(({ body }) => body) }
}

function rowShape(collection: TargetCollection): RowShape {
  if (collection === 'persons') return { collection, fields: 'properties', byName: false }
  if (collection === 'projects') return { collection, fields: projects.update.body, byName: false }
  return { collection, fields: eventDefinitions.update.body, byName: true }
}

function warnOfCut({ messages }: Context, option: string, { mayBeCut, lastLine }: ReadList): void {
  if (!mayBeCut) return
  messages.warn(`${option}: the last line, number ${lastLine}, has no end: the list may be cut off`)
}

function byFilter(collection: TargetCollection, options: BulkOptions): Selection {
  const { search, email, distinctId, property = [], where = [] } = options
  const filter = { search, email, distinctId, property, where }
  checkFilters(filter)
  return {
    limit: distinctId === undefined ? undefined : 1,
    selectedBy: shown => selectedBy(filter, shown),
    targets: async connection => ({ ids: await findTargets(connection, collection, filter) }),
  }
}

function selectedBy({ search, email, distinctId, property, where }: TargetFilter, shown: ShowValue): string {
  const options = { search, email, 'distinct id': distinctId }
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${shown(value, name)}`],
  )
  const filters = [...property, ...where].map(filter => filterWords(filter, shown))
  return [...given, ...filters].join(', ') || 'all that the service lists'
}

/** Throws `UsageError` if these options are given without a list of persons. */
function refuseListOptions(options: BulkOptions): void {
  const { distinctIdsFrom, emailsFrom, column, unmatched, requireAll, onSeveral } = options
  if (distinctIdsFrom !== undefined || emailsFrom !== undefined) return
  const given = { '--column': column, '--unmatched': unmatched, '--on-several': onSeveral }
  const name = requireAll ? '--require-all' : Object.entries(given).find(([, value]) => value !== undefined)?.[0]
  if (name === undefined) return
  throw new UsageError(`${name} needs --emails-from or --distinct-ids-from`, { hint: 'Leave it out' })
}
