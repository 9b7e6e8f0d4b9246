import { list } from '../api/pages.ts'
import { idOf } from '../api/responses/record-identity.ts'
import type { Connection, Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { type PersonFilter, personQuery } from '../filters/person-filter.ts'
import { textAt } from '../json/exact.ts'
import {
  type CollectionSpec,
  collectionOf,
  collections,
  pathIn,
  rowCheckOf,
  type TargetIds,
} from '../operations/collections.ts'
import { countOf } from '../text/grouped.ts'
import { checkId } from '../values/ids.ts'
import { findDefinitions } from './find-definitions.ts'
import { summarizeInput } from './input-summary.ts'
import { personFinder } from './person-lookups.ts'
import { type NamedLine, type NameList, nameListOf, readIds, readNames } from './read-names.ts'
import { readRows } from './read-rows.ts'
import type { TargetSource, Targets } from './source.ts'

interface Selection {
  readonly find: (connection: Connection, concurrency: number) => Promise<Targets>
  /** Undefined if it is known only after the lookup. */
  readonly count: number | undefined
  /** The command line limits the number; false for filters, --all and --on-several. */
  readonly isBounded: boolean
}

/** Throws `UsageError` for a file that cannot be used. Sends no request. */
export async function chooseTargets(context: Context, kind: TargetIds, source: TargetSource): Promise<Selection> {
  switch (source.kind) {
    case 'typed': {
      const ids = [...new Map(source.ids.map(id => [id.toLowerCase(), id])).values()]
      const repeats = source.ids.length - ids.length
      if (repeats > 0) context.messages.notice(`${countOf(repeats, 'duplicate id is', 'duplicate ids are')} ignored`)
      return selectIds({ ids, input: null })
    }
    case 'definitions':
      return selectDefinitions([...new Set(source.names)], { input: null })
    case 'rows':
      return selectRows(context, kind, source)
    case 'file':
      return selectIds(await readIds(context, kind, source.list))
    case 'persons': {
      const { by, list: options } = source
      if (!('name' in options)) return selectPersons(context, kind, await readNames(context, by, options))
      const lines = [{ text: options.name, line: 1, body: undefined }]
      const list = nameListOf({ by, options, where: undefined, unit: 'line', sha256: '', lines })
      return selectPersons(context, kind, list)
    }
    case 'saved': {
      const { ids, valuesPerTarget } = source
      return selectIds({ ids: ids.map(id => checkId(kind, id)), valuesPerTarget, input: null })
    }
    case 'filter': {
      const find = (connection: Connection) => findByFilter(context, connection, kind, source.filter)
      return { count: undefined, isBounded: false, find }
    }
  }
}

function selectIds(targets: Targets): Selection {
  return { count: targets.ids.length, isBounded: true, find: async () => targets }
}

function selectDefinitions(names: readonly string[], targets: Omit<Targets, 'ids'>): Selection {
  const find = async (connection: Connection) => ({ ...targets, ids: await findDefinitions(connection, names) })
  return { count: names.length, isBounded: true, find }
}

function selectPersons(context: Context, kind: TargetIds, list: NameList): Selection {
  const names = [...list.firstLines.keys()]
  const find = async (connection: Connection, concurrency: number): Promise<Targets> => {
    const findPersons = personFinder(connection, list, { concurrency, isShown: false })
    const personsByName = await findPersons(names, ({ value }) => idOf(value, kind))
    const idsOf = (name: string) => [...(personsByName.get(name)?.values() ?? [])]
    const input = await summarizeInput(context, connection, { list, concurrency, idsOf })
    const targets = new Map<string, { readonly id: string; readonly named: NamedLine }>()
    for (const named of list.lines) {
      for (const [person, id] of personsByName.get(named.text) ?? []) {
        const before = targets.get(person)
        if (before && named.body) {
          const lines = `${list.unit}s ${before.named.line} and ${named.line}`
          throw new UsageError(`${list.where}: ${lines} name the same person, ${id}`, { hint: 'Keep only one' })
        }
        if (!before) targets.set(person, { id, named })
      }
    }
    const chosen = [...targets.values()]
    return {
      // Where the server returns UUIDs, they are the keys.
      ...withUuids([...targets].map(([person, { id }]) => [id, person] as const)),
      matchedBy: { by: list.by, names: chosen.map(({ named }) => named.text) },
      input: list.where === undefined ? null : input,
      valuesPerTarget: chosen[0]?.named.body && chosen.map(({ named: { body } }) => ({ body })),
    }
  }
  const isEmpty = names.length === 0
  return { count: isEmpty ? 0 : undefined, isBounded: isEmpty || !list.options.allowMultiple, find }
}

async function selectRows(
  context: Context,
  kind: TargetIds,
  { list, types }: Extract<TargetSource, { readonly kind: 'rows' }>,
): Promise<Selection> {
  const { by, ...read } = await readRows(context, kind, list, types)
  const names = read.lines.map(({ text }) => text)
  const valuesPerTarget = read.lines.map(({ body }) => ({ body }))
  const input = { lines: names.length, matched: names.length, unmatched: [], sha256: read.sha256 }
  const targets = { ids: names, valuesPerTarget, input }
  if (by === 'id') return selectIds(targets)
  if (by === 'name') return selectDefinitions(names, targets)
  return selectPersons(context, kind, nameListOf({ ...read, by, options: list }))
}

async function findByFilter(
  { messages }: Context,
  connection: Connection,
  kind: TargetIds,
  filter: PersonFilter,
): Promise<Targets> {
  const { client } = connection
  const facts: CollectionSpec = collections[collectionOf(kind)]
  const path = await pathIn(connection, facts)
  const check = rowCheckOf(connection, facts, path, { filter, serverFilters: undefined, offset: 0 })
  const request = client.request(facts.list, { path, query: { ...personQuery(filter), limit: facts.largePage } })
  // A row that shifts between pages may be listed twice.
  const uuids = new Map<string, string | undefined>()
  for await (const rows of list(client, request, { follow: true, isStrict: true, keep: check.keep }).batches) {
    for (const { value } of rows) uuids.set(idOf(value, kind), textAt(value, 'uuid'))
  }
  check.end()
  const warning = check.ignoredWarning()
  if (warning !== undefined) messages.warn(warning)
  return { ...withUuids([...uuids]), input: null }
}

function withUuids(found: readonly (readonly [id: string, uuid: string | undefined])[]) {
  const ids = found.map(([id]) => id)
  const others = found.map(([id, uuid]) => (uuid === undefined || uuid === id ? null : uuid))
  return { ids, uuids: others.some(uuid => uuid !== null) ? others : undefined }
}
