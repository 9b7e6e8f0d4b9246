import { eventDefinitions, projects } from '../../api/endpoints.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { filterWords, type ShowValue } from '../../filters/filter-words.ts'
import { TargetCollector } from '../../jobs/targets/target-collector.ts'
import type { JsonObject } from '../../json/exact.ts'
import { unseenIn } from '../../text/unseen-character.ts'
import { collectionOf, type TargetCollection, type TargetIds } from '../collections.ts'
import type { TargetSource } from '../run-request.ts'
import { findByName } from './find-by-name.ts'
import { findTargets, type TargetFilter } from './find-targets.ts'
import type { NameKind } from './look-up.ts'
import {
  keepMistakes,
  type ListFile,
  type NamedPersons,
  namedPersons,
  readPersonList,
  targetsOf,
} from './named-persons.ts'
import { eachPersonOnce, mixesForms } from './one-person.ts'
import { readIds, warnOfCut } from './read-list.ts'
import { listOfKey, readRows, type TargetRow } from './read-rows.ts'
import { type Found, type Selection, selectKnown } from './selection.ts'
import type { RowShape } from './typed-cells.ts'

/** Throws `UsageError` for a file that cannot be used. Sends no request. */
export async function chooseTargets(context: Context, kind: TargetIds, source: TargetSource): Promise<Selection> {
  switch (source.kind) {
    case 'typed': {
      const once = new TargetCollector()
      for (const id of source.ids) once.add(id)
      return { ...selectIds(kind, { ids: once.list() }), isOne: source.ids.length === 1 }
    }
    case 'fixed':
      return selectKnown({ ids: source.ids })
    case 'names': {
      const names = [...new Set(source.names)]
      return { targets: named(names), limit: names.length, isOne: names.length === 1 }
    }
    case 'rows':
      return fromRows(context, collectionOf(kind), source)
    case 'file':
      return fromFile(context, kind, source.list)
    case 'persons':
      return fromPersons(context, source.by, source.list)
    case 'filter':
      return byFilter(context, kind, source.filter)
  }
}

async function fromPersons(context: Context, by: NameKind, file: ListFile): Promise<Selection> {
  const list = await readPersonList(context, by, file)
  const persons = namedPersons(context, by, list, file)
  if (list.names.length === 0) return selectKnown({ ids: [], input: persons.report() })
  const limit = file.onSeveral === 'all' ? undefined : list.names.length
  return { targets: targetsIn(persons, file), limit, fromStdin: file.file === '-' }
}

/** `rows` have a body for each line, and no two of them may name one person. */
function targetsIn(persons: NamedPersons, list: ListFile, rows?: readonly TargetRow[]): Selection['targets'] {
  const bodyOf = new Map(rows?.map(({ line, body }) => [line, body]))
  return async (connection, concurrency, onRead) => {
    const ids: string[] = []
    const bodies: JsonObject[] = []
    const lineOf = new Map<string, number>()
    for await (const lines of persons.find(connection, concurrency)) {
      for (const found of lines) {
        for (const { id, row } of targetsOf(found, list)) {
          const before = lineOf.get(id.toLowerCase())
          if (before !== undefined && rows) throw samePerson(list.file, before, found.line)
          if (before !== undefined) continue
          lineOf.set(id.toLowerCase(), found.line)
          ids.push(id)
          if (!rows) onRead(id, row)
          bodies.push(bodyOf.get(found.line) ?? {})
        }
      }
    }
    const input = persons.report()
    return { ids, input, areRead: true, ...(rows ? { bodies } : {}) }
  }
}

function samePerson(file: string, first: number | undefined, again: number | undefined): UsageError {
  return new UsageError(`--rows ${file}: line ${again} names the person of line ${first}`, { hint: 'Keep one of them' })
}

function named(names: readonly string[]): Selection['targets'] {
  return async (connection, _, onRead) => ({ ids: await findByName(connection, names, onRead), areRead: true })
}

async function fromFile(context: Context, form: TargetIds, given: ListFile): Promise<Selection> {
  const { file, column } = given
  const kind = { option: '--from', column: column ?? 'id', isNamed: column !== undefined, ids: form } as const
  const list = await keepMistakes(context, given, () => readIds(context.host, file, kind))
  warnOfCut(context, '--from', list)
  const { targets: ids, lines, sha256 } = list
  const input = { lines, matched: lines, unmatched: [], sha256 }
  return { ...selectIds(form, { ids, input }), fromStdin: file === '-' }
}

function selectIds(kind: TargetIds, found: Found): Selection {
  const { ids } = found
  if (kind !== 'persons' || !mixesForms(ids)) return selectKnown(found)
  const targets: Selection['targets'] = async (connection, concurrency, onRead) => ({
    ...found,
    ids: await eachPersonOnce(connection, ids, concurrency, { onRead }),
  })
  return { targets, limit: ids.length }
}

async function fromRows(
  context: Context,
  collection: TargetCollection,
  { list, types }: Extract<TargetSource, { readonly kind: 'rows' }>,
): Promise<Selection> {
  const { file } = list
  const { by, rows, mixed, ...read } = await keepMistakes(context, list, () =>
    readRows(context.host, file, rowShape(collection), types),
  )
  warnOfCut(context, '--rows', read)
  if (mixed.length > 0) {
    context.messages.warn(
      `--rows: some of ${mixed.join(', ')} could be numbers, true or false; all is sent as text (--types says otherwise)`,
    )
  }
  const ids = rows.map(({ target }) => target)
  const bodies = rows.map(({ body }) => body)
  const known = { limit: rows.length, fromStdin: file === '-' }
  if (ids.length === 0 || (by === 'id' && !(collection === 'persons' && mixesForms(ids)))) {
    return { ...known, targets: { ids, bodies } }
  }
  if (by === 'name') {
    return {
      ...known,
      targets: async connection => ({ ids: await findByName(connection, ids), bodies, areRead: true }),
    }
  }
  if (by === 'id') {
    const onAgain = (first: number, again: number) => {
      throw samePerson(file, rows[first]?.line, rows[again]?.line)
    }
    const targets: Selection['targets'] = async (connection, concurrency, onRead) => ({
      ids: await eachPersonOnce(connection, ids, concurrency, { onRead, onAgain }),
      bodies,
    })
    return { ...known, targets }
  }
  const names = rows.map(({ target, line }) => ({ text: target, line }))
  const persons = namedPersons(context, listOfKey[by], { ...read, names, repeats: new Map() }, list)
  const limit = list.onSeveral === 'all' ? undefined : rows.length
  return { ...known, limit, targets: targetsIn(persons, list, rows) }
}

function rowShape(collection: TargetCollection): RowShape {
  if (collection === 'persons') return { collection, fields: 'properties', keys: ['id', 'email', 'distinct_id'] }
  if (collection === 'projects') return { collection, fields: projects.update.body, keys: ['id'] }
  return { collection, fields: eventDefinitions.update.body, keys: ['id', 'name'] }
}

function byFilter({ messages }: Context, kind: TargetIds, filter: TargetFilter): Selection {
  const { email, distinctId } = filter
  return {
    limit: distinctId === undefined ? undefined : 1,
    selectedBy: shown => selectedBy(filter, shown),
    async targets(connection, _, onRead) {
      const { ids, remarks } = await findTargets(connection, kind, filter, onRead)
      for (const remark of remarks) messages.warn(remark)
      if (ids.length === 0) warnOfUnseen(messages, { 'e-mail': email, 'distinct id': distinctId })
      return { ids, areRead: true }
    },
  }
}

/** Nobody may have a name because of a character that cannot be seen. */
function warnOfUnseen(messages: Context['messages'], names: Readonly<Record<string, string | undefined>>): void {
  for (const [what, name = ''] of Object.entries(names)) {
    const unseen = unseenIn(name)
    if (unseen !== '') messages.warn(`No person was found with that ${what}${unseen}`)
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
