/** The commands that change many things, one row each: the endpoint of a step, and how it is spoken of. */

import type { Client } from '../api/client.ts'
import { type Endpoint, eventDefinitions, persons, plugins, projects } from '../api/endpoints.ts'
import type { Request } from '../http/message.ts'
import type { View } from '../output/document.ts'
import { views } from '../output/views.ts'
import { grouped } from '../values/grouped.ts'

export interface OperationRow {
  /** What is sent to each target. */
  readonly endpoint: Endpoint
  /** Reads a target as it is. */
  readonly reading: Endpoint
  readonly noun: readonly [one: string, many: string]
  /** As in `Deleting 3 persons` and `Deleted 3 persons`. */
  readonly verb: readonly [doing: string, done: string]
  readonly status: 'deleted' | 'updated'
  /** The path parameter that the targets lie in. */
  readonly scope?: 'project_id' | 'parent_lookup_organization_id'
  /** Takes something away for good, so that it asks even about one target. */
  readonly takesAway?: true
  readonly view: View
  /** Whether an answer is compared with the body: these endpoints accept fields and ignore them. */
  readonly compares?: true
}

const person = ['person', 'persons'] as const
const eventDefinition = ['event definition', 'event definitions'] as const
const deleting = { verb: ['Deleting', 'Deleted'], status: 'deleted', takesAway: true } as const
const changing = { verb: ['Changing', 'Changed'], status: 'updated' } as const
const ofPerson = { reading: persons.get, noun: person, scope: 'project_id', view: views.person } as const
const ofEventDefinition = {
  reading: eventDefinitions.get,
  noun: eventDefinition,
  scope: 'project_id',
  view: views.eventDefinition,
} as const

export const operations = {
  'persons delete': { endpoint: persons.delete, ...ofPerson, ...deleting },
  'persons update': { endpoint: persons.update, ...ofPerson, ...changing },
  'persons update-property': { endpoint: persons.updateProperty, ...ofPerson, ...changing },
  'persons delete-property': {
    endpoint: persons.deleteProperty,
    ...ofPerson,
    verb: ['Deleting a property of', 'Deleted a property of'],
    status: 'updated',
    takesAway: true,
  },
  'event-definitions update': {
    endpoint: eventDefinitions.update,
    ...ofEventDefinition,
    ...changing,
    compares: true,
  },
  'event-definitions delete': { endpoint: eventDefinitions.delete, ...ofEventDefinition, ...deleting },
  'plugins delete': {
    endpoint: plugins.delete,
    reading: plugins.get,
    noun: ['plugin', 'plugins'],
    scope: 'parent_lookup_organization_id',
    view: views.plugin,
    ...deleting,
  },
  'projects update': {
    endpoint: projects.update,
    reading: projects.get,
    noun: ['project', 'projects'],
    view: views.project,
    compares: true,
    ...changing,
  },
} as const satisfies Readonly<Record<string, OperationRow>>

export type OperationName = keyof typeof operations

/** What is done to every target of a run: a row of the table, filled in but for the id. */
export interface Operation {
  readonly command: OperationName
  /** The path parameters beside the id. */
  readonly path: Readonly<Record<string, string>>
  readonly params: readonly (readonly [string, string])[]
  readonly body?: unknown
}

export function rowOf({ command }: Operation): OperationRow {
  return operations[command]
}

export function isDelete(change: Operation): boolean {
  return rowOf(change).status === 'deleted'
}

/** Whether the events of the persons go as well. */
export function deletesEvents({ params }: Operation): boolean {
  return params.some(([name]) => name === 'delete_events')
}

/** The write to one target. Throws `UsageError` for an id that cannot be a path segment. */
export function writeRequest(client: Client, change: Operation, id: string): Request {
  const { path, params, body } = change
  return client.request(rowOf(change).endpoint, { path: { ...path, id }, params, rawBody: body })
}

/** The request that reads one target. */
export function readRequest(client: Client, change: Operation, id: string): Request {
  return client.request(rowOf(change).reading, { path: { ...change.path, id } })
}

/** `1 person`, `3 persons` */
export function counted(count: number, command: OperationName): string {
  const [one, many] = operations[command].noun
  return `${grouped(count)} ${count === 1 ? one : many}`
}
