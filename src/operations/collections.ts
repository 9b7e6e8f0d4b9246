import { type Endpoint, eventDefinitions, persons, plugins, projects } from '../api/endpoints.ts'
import type { Resource } from '../api/resources.ts'
import { idOf } from '../api/responses/record-identity.ts'
import type { Connection } from '../context.ts'
import { checkRows, conditionOf, type RowCheck } from '../filters/check-rows.ts'
import type { Filter } from '../filters/filter.ts'
import { isServerChecked, type PersonFilter, personConditions } from '../filters/person-filter.ts'
import { type View, views } from '../output/views.ts'
import type { Collection, IdKind } from '../values/ids.ts'

type TargetCollection = Exclude<Collection, 'organizations'>

export type TargetIds = Exclude<IdKind, 'organizations'>

export function collectionOf(ids: TargetIds): TargetCollection {
  return ids === 'person_uuids' ? 'persons' : ids
}

type RecordEndpoint = Endpoint & { readonly of: Resource }

export interface CollectionSpec {
  readonly name: TargetCollection
  readonly read: RecordEndpoint
  /** A page of this list shows that the project or organization exists. */
  readonly list: RecordEndpoint
  /** Rows per request when all are read; servers accept thousands of persons. */
  readonly largePage: number
  readonly noun: readonly [one: string, many: string]
  readonly scope: 'project_id' | 'parent_lookup_organization_id' | undefined
  readonly view: View
}

export const collections = {
  persons: {
    name: 'persons',
    read: persons.get,
    list: persons.list,
    largePage: 1000,
    noun: ['person', 'persons'],
    scope: 'project_id',
    view: views.person,
  },
  event_definitions: {
    name: 'event_definitions',
    read: eventDefinitions.get,
    list: eventDefinitions.list,
    largePage: 100,
    noun: ['event definition', 'event definitions'],
    scope: 'project_id',
    view: views.eventDefinition,
  },
  plugins: {
    name: 'plugins',
    read: plugins.get,
    list: plugins.list,
    largePage: 100,
    noun: ['plugin', 'plugins'],
    scope: 'parent_lookup_organization_id',
    view: views.plugin,
  },
  projects: {
    name: 'projects',
    read: projects.get,
    list: projects.list,
    largePage: 100,
    noun: ['project', 'projects'],
    scope: undefined,
    view: views.project,
  },
} as const satisfies { readonly [N in TargetCollection]: CollectionSpec }

export type Scope = Readonly<Record<string, string>>

export async function pathIn({ project, organization }: Connection, { scope }: CollectionSpec): Promise<Scope> {
  if (scope === 'project_id') return { [scope]: project() }
  if (scope === 'parent_lookup_organization_id') return { [scope]: await organization() }
  return {}
}

export function pathTo(scope: Scope, id: string) {
  return { project_id: '@current', parent_lookup_organization_id: '@current', ...scope, id }
}

interface RowFilters {
  readonly filter: PersonFilter
  /** Filters in the service's own format, which replace the others in the request. */
  readonly serverFilters: readonly Filter[] | undefined
  readonly offset: number | undefined
}

export function rowCheckOf(
  { client, now }: Pick<Connection, 'client' | 'now'>,
  { read, list: { of }, name: collection }: CollectionSpec,
  path: object,
  { filter, serverFilters, offset }: RowFilters,
): RowCheck {
  const isSent = (one: Filter) => collection === 'persons' && serverFilters === undefined && isServerChecked(one)
  return checkRows({
    conditions: [
      ...personConditions(filter),
      ...filter.where.map(one => conditionOf(one, now(), isSent(one))),
      ...(serverFilters ?? []).map(one => conditionOf(one, now(), true)),
    ],
    typedKeys: filter.where.map(({ key }) => key),
    documented: Object.keys(of),
    offset,
    readWhole: row => client.record(read, { path: { ...path, id: idOf(row.value, collection) } }),
  })
}
