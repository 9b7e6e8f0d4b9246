/** One row for each command that changes objects. */

import { forms } from '../api/answers/forms.ts'
import type { Client } from '../api/client.ts'
import { type Endpoint, eventDefinitions, newer, type PathOf, persons, plugins, projects } from '../api/endpoints.ts'
import { propertyPath } from '../api/property-path.ts'
import { encode, isObject, type JsonObject } from '../json/exact.ts'
import { collections } from './collections.ts'
import type { OperationName, Shapes, UndoValues } from './operation-form.ts'
import type { FieldChange, OperationRow } from './operation-row.ts'
import { putBackFields, putBackProperties } from './put-back.ts'
import { checkMainDistinctId, findKeptProperties, splitResult } from './split-person.ts'
import { tagsFor } from './values-for-target.ts'

const changesIn = (fields: JsonObject = {}, pathOf = (name: string) => name): readonly FieldChange[] =>
  Object.entries(fields).map(([name, value]) => ({ path: pathOf(name), value }))

const propertyChanges = (body: JsonObject = {}) =>
  isObject(body.properties) ? changesIn(body.properties, propertyPath) : []

/** Empty for a long value: servers refuse lines above about 8 KB with 414 or 431. */
const propertyQuery = (key: string, value: string) =>
  String(new URLSearchParams({ key, value })).length > 7000 ? {} : { key, value }

const deletions = (keys: readonly string[]): readonly FieldChange[] =>
  keys.map(key => ({ path: propertyPath(key), value: undefined }))

const deletionsOf = (
  client: Client,
  path: PathOf<(typeof persons.deleteProperty)['path']>,
  keys: readonly string[],
  properties?: unknown,
) =>
  keys.map(key =>
    client.request(persons.deleteProperty, { path, query: { $unset: key }, rawBody: { $unset: key, properties } }),
  )

type WithBody = { readonly body?: JsonObject | undefined }

/** One request, with the body of the values, if they have one. */
const sentTo = <E extends Endpoint>(endpoint: E) => ({
  endpoint,
  writes: (client: Client, path: PathOf<E['path']>, { body }: WithBody) => [
    client.request(endpoint, { path, rawBody: body }),
  ],
})

const changing = { verb: ['Changing', 'Changed', 'change'], status: 'updated' } as const
const deleting = { verb: ['Deleting', 'Deleted', 'delete'], status: 'deleted', asks: 'yes' } as const

const ofBody = {
  comparedFields: ({ body }: WithBody) => body,
  fieldChanges: ({ body }: WithBody) => changesIn(body),
} as const

const undoing = {
  verb: ['Putting back', 'Put back', 'put back values of'],
  part: () => 'the old values of ',
  status: 'updated',
  asks: 'yes',
  needsRecord: ({ undo }: UndoValues) => undo !== undefined,
} as const

/** An undo of fields that cannot be removed. */
const restoring = <E extends Endpoint>(endpoint: E) => {
  const { writes } = sentTo(endpoint)
  return {
    endpoint,
    ...undoing,
    ...ofBody,
    isExact: true,
    valuesFor: putBackFields,
    writes: (client: Client, path: PathOf<E['path']>, values: WithBody) =>
      values.body === undefined ? [] : writes(client, path, values),
  } as const
}

export const operations: { readonly [N in OperationName]: OperationRow<Shapes[N]> } = {
  'persons delete': {
    endpoint: persons.delete,
    ...collections.persons,
    ...deleting,
    also: ({ deleteEvents }) => (deleteEvents ? ' and all of their events' : ''),
    // Servers delete the events for any value of the parameter (`docs/servers.md`).
    writes: (client, path, { deleteEvents }) => [
      client.request(persons.delete, { path, query: deleteEvents ? { delete_events: true } : {} }),
    ],
    writeOfMany: (client, path, { deleteEvents }, ids) =>
      client.request(newer.bulkDelete, { path, rawBody: deleteEvents ? { ids, delete_events: true } : { ids } }),
  },
  'persons update': {
    ...sentTo(persons.update),
    ...collections.persons,
    ...changing,
    undoneBy: 'persons undo',
    fieldChanges: ({ body }) => propertyChanges(body),
  },
  'persons update-property': {
    endpoint: persons.updateProperty,
    ...collections.persons,
    ...changing,
    undoneBy: 'persons undo',
    fieldChanges: ({ key, value }) => [{ path: propertyPath(key), value }],
    // The document has key and value in the query, servers read the body, so both contain them.
    writes: (client, path, { key, value, properties }) => [
      client.request(persons.updateProperty, {
        path,
        query: propertyQuery(key, typeof value === 'string' ? value : encode(value)),
        rawBody: { key, value, properties },
      }),
    ],
  },
  'persons delete-property': {
    endpoint: persons.deleteProperty,
    ...collections.persons,
    verb: ['Deleting', 'Deleted', 'delete properties of'],
    asks: 'yes',
    part: ({ keys }) => `${keys.length === 1 ? 'property' : 'properties'} ${keys.join(', ')} of `,
    status: 'updated',
    undoneBy: 'persons undo',
    fieldChanges: ({ keys }) => deletions(keys),
    writes: (client, path, { keys, properties }) => deletionsOf(client, path, keys, properties),
  },
  'persons undo': {
    endpoint: persons.update,
    ...collections.persons,
    ...undoing,
    undoneBy: 'persons undo',
    valuesFor: putBackProperties,
    fieldChanges: ({ body, unset }) => [...propertyChanges(body), ...deletions(unset)],
    writes: (client, path, { body, unset }) => [
      ...(body === undefined ? [] : [client.request(persons.update, { path, rawBody: body })]),
      ...deletionsOf(client, path, unset),
    ],
  },
  'persons split': {
    endpoint: persons.split,
    ...collections.persons,
    verb: ['Splitting', 'Split', 'split'],
    also: ({ mainDistinctId }) => (mainDistinctId === undefined ? ' and deleting the properties for good' : ''),
    status: 'updated',
    asks: 'yes',
    checkRecord: checkMainDistinctId,
    faultFinder: ({ mainDistinctId }) => (mainDistinctId === undefined ? findKeptProperties : undefined),
    resultSentence: splitResult,
    writes: (client, path, { mainDistinctId, properties }) => [
      client.request(persons.split, { path, rawBody: { main_distinct_id: mainDistinctId, properties } }),
    ],
  },
  'event-definitions update': {
    ...sentTo(eventDefinitions.update),
    ...collections.event_definitions,
    ...changing,
    ...ofBody,
    undoneBy: 'event-definitions undo',
    valuesFor: tagsFor,
    needsRecord: ({ addTags = [], removeTags = [] }) => addTags.length + removeTags.length > 0,
  },
  'event-definitions undo': {
    ...restoring(eventDefinitions.update),
    ...collections.event_definitions,
    undoneBy: 'event-definitions undo',
  },
  'event-definitions delete': {
    ...sentTo(eventDefinitions.delete),
    ...collections.event_definitions,
    ...deleting,
    remark: 'A definition comes back, with a new id, when its event is seen again',
  },
  'plugins update': { ...sentTo(plugins.update), ...collections.plugins, ...changing, ...ofBody },
  'plugins update-source': {
    ...sentTo(plugins.updateSource),
    ...collections.plugins,
    ...changing,
    part: () => 'the source of ',
    comparedFields: ({ body }, answer) => (forms.files.is(answer.value) ? body : undefined),
  },
  'plugins upgrade': {
    ...sentTo(plugins.upgrade),
    ...collections.plugins,
    ...ofBody,
    verb: ['Upgrading', 'Upgraded', 'upgrade'],
    status: 'updated',
  },
  'plugins delete': { ...sentTo(plugins.delete), ...collections.plugins, ...deleting },
  'projects update': {
    ...sentTo(projects.update),
    ...collections.projects,
    ...changing,
    ...ofBody,
    undoneBy: 'projects undo',
  },
  'projects undo': { ...restoring(projects.update), ...collections.projects, undoneBy: 'projects undo' },
  'projects delete': {
    ...sentTo(projects.delete),
    ...collections.projects,
    ...deleting,
    asks: 'name',
    also: () => ' with everything in it',
  },
}
