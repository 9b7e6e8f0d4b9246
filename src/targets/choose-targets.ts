import { eventDefinitions, projects } from '../api/endpoints.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { JsonObject } from '../json/exact.ts'
import { collectionOf, type TargetCollection, type TargetIds } from '../operations/collections.ts'
import { unseenIn } from '../text/unseen-character.ts'
import { listOfKey, type TargetRow } from './check-rows.ts'
import { findTargets } from './find-by-filter.ts'
import { findByName } from './find-definitions-by-name.ts'
import { keepMistakes, type NamedPersons, namedPersons, readPersonList, targetsOf } from './named-persons.ts'
import { warnOfCut } from './read-entries.ts'
import { readIds } from './read-list.ts'
import { readRows } from './read-rows.ts'
import type { Found, ListFile, NameKind, Selection, TargetFilter, TargetSource } from './source.ts'
import { TargetCollector } from './target-collector.ts'
import type { RowShape } from './typed-cells.ts'

/** Throws `UsageError` for a file that cannot be used. Sends no request. */
export async function chooseTargets(context: Context, kind: TargetIds, source: TargetSource): Promise<Selection> {
  switch (source.kind) {
    case 'typed': {
      const once = new TargetCollector()
      for (const id of source.ids) once.add(id)
      return known({ ids: once.list() })
    }
    case 'names':
      return named([...new Set(source.names)])
    case 'rows':
      return fromRows(context, kind, source)
    case 'file':
      return fromFile(context, kind, source.list)
    case 'persons':
      return fromPersons(context, source.by, source.list)
    case 'filter':
      return {
        targets: byFilter(context, kind, source.filter),
        limit: source.filter.distinctId === undefined ? undefined : 1,
      }
  }
}

function known(found: Found): Selection {
  return { targets: found, limit: found.ids.length }
}

function named(names: readonly string[], bodies?: Found['bodies']): Selection {
  const targets: Selection['targets'] = async connection => {
    return { ids: await findByName(connection, names), bodies }
  }
  return { targets, limit: names.length }
}

async function fromFile(context: Context, kind: TargetIds, given: ListFile): Promise<Selection> {
  const { file, column } = given
  const list = await keepMistakes(context, given, () =>
    readIds(context.host, file, { option: '--from', column: column ?? 'id', isNamed: column !== undefined, ids: kind }),
  )
  warnOfCut(context, '--from', list)
  const { targets: ids, lines, sha256 } = list
  return known({ ids, account: { lines, matched: lines, unmatched: [], sha256 } })
}

async function fromPersons(context: Context, by: NameKind, file: ListFile): Promise<Selection> {
  const list = await readPersonList(context, by, file)
  const persons = namedPersons(context, by, list, file)
  if (list.names.length === 0) return known({ ids: [], account: persons.report() })
  return { targets: targetsIn(persons, by, file), limit: limitOf(file, list.names.length) }
}

function limitOf({ onSeveral }: ListFile, lines: number): number | undefined {
  return onSeveral === 'all' ? undefined : lines
}

async function fromRows(
  context: Context,
  kind: TargetIds,
  { list, types }: Extract<TargetSource, { readonly kind: 'rows' }>,
): Promise<Selection> {
  const { file } = list
  const { by, rows, mixed, ...read } = await keepMistakes(context, list, () =>
    readRows(context.host, file, rowShape(collectionOf(kind)), types),
  )
  warnOfCut(context, '--rows', read)
  if (mixed.length > 0) {
    context.messages.warn(
      `--rows: some of ${mixed.join(', ')} could be numbers, true or false; all is sent as text (--types says otherwise)`,
    )
  }
  const ids = rows.map(({ target }) => target)
  const bodies = rows.map(({ body }) => body)
  if (by === 'id' || rows.length === 0) {
    return known({ ids, bodies })
  }
  if (by === 'name') return named(ids, bodies)
  const names = rows.map(({ target, line }) => ({ text: target, line }))
  const persons = namedPersons(context, listOfKey[by], { ...read, isPlain: false, names, repeats: new Map() }, list)
  return { targets: targetsIn(persons, listOfKey[by], list, rows), limit: limitOf(list, rows.length) }
}

/** `rows` have a body for each line, and no two of them may name one person. */
function targetsIn(
  persons: NamedPersons,
  by: NameKind,
  list: ListFile,
  rows?: readonly TargetRow[],
): Selection['targets'] {
  const bodyOf = new Map(rows?.map(({ line, body }) => [line, body]))
  return async (connection, concurrency) => {
    const ids: string[] = []
    const named: string[] = []
    const bodies: JsonObject[] = []
    const lineOf = new Map<string, number>()
    for await (const lines of persons.find(connection, concurrency)) {
      for (const found of lines) {
        for (const { id } of targetsOf(found, list)) {
          const before = lineOf.get(id.toLowerCase())
          if (before !== undefined && rows) throw samePerson(list.file, before, found.line)
          if (before !== undefined) continue
          lineOf.set(id.toLowerCase(), found.line)
          ids.push(id)
          named.push(found.text)
          bodies.push(bodyOf.get(found.line) ?? {})
        }
      }
    }
    return { ids, account: persons.report(), names: named, by, bodies: rows && bodies }
  }
}

function samePerson(file: string, first: number | undefined, again: number | undefined): UsageError {
  return new UsageError(`--rows ${file}: line ${again} names the person of line ${first}`, { hint: 'Keep one of them' })
}

function rowShape(collection: TargetCollection): RowShape {
  if (collection === 'persons') return { collection, fields: 'properties', keys: ['id', 'email', 'distinct_id'] }
  if (collection === 'projects') return { collection, fields: projects.update.body, keys: ['id'] }
  return { collection, fields: eventDefinitions.update.body, keys: ['id', 'name'] }
}

function byFilter({ messages }: Context, kind: TargetIds, filter: TargetFilter): Selection['targets'] {
  return async connection => {
    const { ids, remarks } = await findTargets(connection, kind, filter)
    for (const remark of remarks) messages.warn(remark)
    const { email, distinctId } = filter
    if (ids.length === 0) warnOfUnseen(messages, { 'e-mail': email, 'distinct id': distinctId })
    return { ids }
  }
}

/** Nobody may have a name because of a character that cannot be seen. */
function warnOfUnseen(messages: Context['messages'], names: Readonly<Record<string, string | undefined>>): void {
  for (const [what, name = ''] of Object.entries(names)) {
    const unseen = unseenIn(name)
    if (unseen !== '') messages.warn(`No person was found with that ${what}${unseen}`)
  }
}
