/** The table of operations: one row for each command. */
import type { Client, RecordEndpoint } from '../api/client.ts'
import { type Endpoint, eventDefinitions, persons, plugins, projects } from '../api/endpoints.ts'
import type { Request } from '../http/message.ts'
import { encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import type { View } from '../output/document.ts'
import { views } from '../output/views.ts'
import { fitKeys, fitTags } from './fit-values.ts'
import type { TargetCollection } from './targets/find-targets.ts'

type InProject = { readonly project_id: string }

type InOrganization = { readonly parent_lookup_organization_id: string }

type Fields = Readonly<Record<string, unknown>>

/** What each operation needs besides the ids, as JSON. */
export interface Shapes {
  'persons delete': { readonly path: InProject; readonly values: { readonly deleteEvents: boolean } }
  'persons update': { readonly path: InProject; readonly values: { readonly body: unknown } }
  'persons update-property': {
    readonly path: InProject
    readonly values: { readonly key: string; readonly value: unknown; readonly properties?: unknown }
  }
  'persons delete-property': {
    readonly path: InProject
    readonly values: {
      readonly keys: readonly string[]
      readonly allBut?: readonly string[] | undefined
      readonly properties?: unknown
    }
  }
  'persons split': {
    readonly path: InProject
    readonly values: { readonly mainDistinctId?: string | undefined; readonly properties?: unknown }
  }
  'event-definitions update': {
    readonly path: InProject
    readonly values: {
      readonly body: unknown
      readonly addTags?: readonly string[] | undefined
      readonly removeTags?: readonly string[] | undefined
    }
  }
  'event-definitions delete': { readonly path: InProject; readonly values: Nothing }
  'plugins update': { readonly path: InOrganization; readonly values: { readonly body: unknown } }
  'plugins update-source': { readonly path: InOrganization; readonly values: { readonly body: unknown } }
  'plugins upgrade': { readonly path: InOrganization; readonly values: { readonly body: unknown } }
  'plugins delete': { readonly path: InOrganization; readonly values: Nothing }
  'projects update': { readonly path: Nothing; readonly values: { readonly body: unknown } }
  'projects delete': { readonly path: Nothing; readonly values: Nothing }
}

type Nothing = Readonly<Record<never, never>>

export type OperationName = keyof Shapes

interface Shape {
  readonly path: object
  readonly values: object
}

export interface OperationRow<S extends Shape> {
  readonly endpoint: Endpoint
  readonly read: RecordEndpoint
  /** Lists objects: an answer shows that their project or organization exists. */
  readonly list: Endpoint
  readonly collection: TargetCollection
  readonly noun: readonly [one: string, many: string]
  /** As in `Deleting 3 persons` and `Deleted 3 persons`. */
  readonly verb: readonly [doing: string, done: string]
  /** Text between the verb and the targets: `property plan of `. */
  readonly part?: (values: S['values']) => string
  /** Text after the targets: ` and all of their events`. */
  readonly also?: (values: S['values']) => string
  readonly status: 'deleted' | 'updated'
  /** The path parameter of the project or organization; projects have none. */
  readonly scope: keyof InProject | keyof InOrganization | undefined
  /** Whether a single target needs a question; several always do. */
  readonly asks?: 'yes' | 'name'
  readonly view: View
  /** Values for one target from its current record; undefined where they are the same for all. */
  readonly fit?: (values: S['values'], record: Item) => S['values']
  readonly fits?: (values: S['values']) => boolean
  readonly writes: (
    client: Client,
    path: S['path'] & { readonly id: string },
    values: S['values'],
  ) => readonly Request[]
  readonly sets?: (values: S['values']) => readonly FieldChange[]
  /** Fields that the answer must hold, because these endpoints accept fields and ignore them. */
  readonly compared?: (values: S['values']) => Fields
}

export interface FieldChange {
  readonly path: string
  readonly value: unknown
}

const changesIn = (fields: unknown, under = ''): readonly FieldChange[] =>
  typeof fields === 'object' && fields !== null
    ? Object.entries(fields).map(([name, value]) => ({ path: `${under}${name}`, value }))
    : []

type Table = { readonly [N in OperationName]: OperationRow<Shapes[N]> }

const changing = { verb: ['Changing', 'Changed'], status: 'updated' } as const
const deleting = { verb: ['Deleting', 'Deleted'], status: 'deleted', asks: 'yes' } as const
const ofBody = {
  compared: ({ body }: { readonly body: unknown }) => body as Fields,
  sets: ({ body }: { readonly body: unknown }) => changesIn(body),
} as const

const ofPersons = {
  read: persons.get,
  list: persons.list,
  collection: 'persons',
  noun: ['person', 'persons'],
  scope: 'project_id',
  view: views.person,
} as const
const ofEventDefinitions = {
  read: eventDefinitions.get,
  list: eventDefinitions.list,
  collection: 'event_definitions',
  noun: ['event definition', 'event definitions'],
  scope: 'project_id',
  view: views.eventDefinition,
} as const
const ofPlugins = {
  read: plugins.get,
  list: plugins.list,
  collection: 'plugins',
  noun: ['plugin', 'plugins'],
  scope: 'parent_lookup_organization_id',
  view: views.plugin,
} as const
const ofProjects = {
  read: projects.get,
  list: projects.list,
  collection: 'projects',
  noun: ['project', 'projects'],
  scope: undefined,
  view: views.project,
} as const

export const operations: Table = {
  'persons delete': {
    endpoint: persons.delete,
    ...ofPersons,
    ...deleting,
    also: ({ deleteEvents }) => (deleteEvents ? ' and all of their events' : ''),
    // Real servers delete the events for any value of the parameter (wild.md, "Persons, writing").
    writes: (client, path, { deleteEvents }) => [
      client.request(persons.delete, { path, query: deleteEvents ? { delete_events: true } : {} }),
    ],
  },
  'persons update': {
    endpoint: persons.update,
    ...ofPersons,
    ...changing,
    sets: ({ body }) => changesIn((body as Fields | null)?.properties, 'properties.'),
    writes: (client, path, { body }) => [client.request(persons.update, { path, rawBody: body })],
  },
  'persons update-property': {
    endpoint: persons.updateProperty,
    ...ofPersons,
    ...changing,
    sets: ({ key, value }) => [{ path: `properties.${key}`, value }],
    // The document puts key and value in the query, real servers read the body; both get both.
    writes: (client, path, { key, value, properties }) => [
      client.request(persons.updateProperty, {
        path,
        query: { key, value: typeof value === 'string' ? value : encode(value) },
        rawBody: { key, value, properties },
      }),
    ],
  },
  'persons delete-property': {
    endpoint: persons.deleteProperty,
    ...ofPersons,
    ...deleting,
    part: ({ keys, allBut }) =>
      allBut
        ? `all properties but ${allBut.join(', ')} of `
        : `${keys.length === 1 ? 'property' : 'properties'} ${keys.join(', ')} of `,
    status: 'updated',
    fit: fitKeys,
    fits: ({ allBut }) => allBut !== undefined,
    sets: ({ keys }) => keys.map(key => ({ path: `properties.${key}`, value: undefined })),
    writes: (client, path, { keys, properties }) =>
      keys.map(key =>
        client.request(persons.deleteProperty, { path, query: { $unset: key }, rawBody: { $unset: key, properties } }),
      ),
  },
  'persons split': {
    endpoint: persons.split,
    ...ofPersons,
    verb: ['Splitting', 'Split'],
    also: ({ mainDistinctId }) => (mainDistinctId === undefined ? ' and deleting the properties for good' : ''),
    status: 'updated',
    asks: 'yes',
    writes: (client, path, { mainDistinctId, properties }) => [
      client.request(persons.split, { path, rawBody: { main_distinct_id: mainDistinctId, properties } }),
    ],
  },
  'event-definitions update': {
    endpoint: eventDefinitions.update,
    ...ofEventDefinitions,
    ...changing,
    ...ofBody,
    fit: fitTags,
    fits: ({ addTags = [], removeTags = [] }) => addTags.length + removeTags.length > 0,
    writes: (client, path, { body }) => [client.request(eventDefinitions.update, { path, rawBody: body })],
  },
  'event-definitions delete': {
    endpoint: eventDefinitions.delete,
    ...ofEventDefinitions,
    ...deleting,
    writes: (client, path) => [client.request(eventDefinitions.delete, { path })],
  },
  'plugins update': {
    endpoint: plugins.update,
    ...ofPlugins,
    ...changing,
    ...ofBody,
    writes: (client, path, { body }) => [client.request(plugins.update, { path, rawBody: body })],
  },
  'plugins update-source': {
    endpoint: plugins.updateSource,
    ...ofPlugins,
    ...changing,
    part: () => 'the source of ',
    writes: (client, path, { body }) => [client.request(plugins.updateSource, { path, rawBody: body })],
  },
  'plugins upgrade': {
    endpoint: plugins.upgrade,
    ...ofPlugins,
    ...ofBody,
    verb: ['Upgrading', 'Upgraded'],
    status: 'updated',
    writes: (client, path, { body }) => [client.request(plugins.upgrade, { path, rawBody: body })],
  },
  'plugins delete': {
    endpoint: plugins.delete,
    ...ofPlugins,
    ...deleting,
    writes: (client, path) => [client.request(plugins.delete, { path })],
  },
  'projects update': {
    endpoint: projects.update,
    ...ofProjects,
    ...changing,
    ...ofBody,
    writes: (client, path, { body }) => [client.request(projects.update, { path, rawBody: body })],
  },
  'projects delete': {
    endpoint: projects.delete,
    ...ofProjects,
    ...deleting,
    asks: 'name',
    also: () => ' with everything in it',
    writes: (client, path) => [client.request(projects.delete, { path })],
  },
}
