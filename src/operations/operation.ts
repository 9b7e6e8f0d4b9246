/** The operations on targets: for each command that changes objects, one function of its values. */
import type { Client } from '../api/client.ts'
import { type Endpoint, eventDefinitions, newer, persons, plugins, projects } from '../api/endpoints.ts'
import type { Request } from '../http/message.ts'
import { encode, type JsonObject } from '../json/exact.ts'
import { countOf } from '../text/grouped.ts'
import { type Change, type Part, partsOf } from './change.ts'
import { type CollectionFacts, collections, type Scope, type TargetIds } from './collections.ts'
import { checkMainDistinctId, mergedTags, putBack, type Saved } from './from-record.ts'

/** One request, and the part of the change that its answer must show. */
export interface Write extends Pick<Parameters<Client['request']>[1], 'query' | 'rawBody'> {
  readonly endpoint: Endpoint
  readonly change: Change
  /** The change is one of files: a map of file name to text shows it, and no record. */
  readonly isOfFiles?: boolean
  /** A 201 says that the server accepted it and acts later. */
  readonly isLater?: boolean
}

interface Facts {
  readonly of: CollectionFacts
  /** For `Deleting 3 persons`, `Deleted 3 persons` and `This will delete 3 persons`. */
  readonly verb: readonly [doing: string, done: string, to: string]
  readonly status: 'deleted' | 'updated'
  /** Text between verb and targets: `property plan of `. */
  readonly part?: string
  /** Text after the targets: ` and all of their events`. */
  readonly also?: string
  /** A sentence about the consequences, shown before. */
  readonly remark?: string
  /** The question for a single target; several targets always need one. */
  readonly asks?: 'yes' | 'name'
  /** Of a deletion of persons. */
  readonly deletesEvents?: boolean
  /** One request for many targets; absent if each has its own. */
  readonly batch?: { readonly most: number; readonly write: (ids: readonly string[]) => Write }
  /** Each record is read before its write. */
  readonly readsFirst?: boolean
  /** The record is read once afterwards, and must have none of its properties. */
  readonly wipes?: boolean
  /** Throws a `Failure` for a record that must not be changed. */
  readonly writes: (record?: JsonObject) => readonly Write[]
}

const changing = { verb: ['Changing', 'Changed', 'change'], status: 'updated' } as const
const deleting = { verb: ['Deleting', 'Deleted', 'delete'], status: 'deleted', asks: 'yes' } as const
const { persons: ofPersons, event_definitions: ofDefinitions, plugins: ofPlugins, projects: ofProjects } = collections

type Body = { readonly body: JsonObject }

function sent(endpoint: Endpoint, body: JsonObject): Write {
  return { endpoint, rawBody: body, change: body }
}

function deletes(of: CollectionFacts, endpoint: Endpoint, more?: Pick<Facts, 'remark' | 'asks' | 'also'>) {
  return (_: object): Facts => ({ ...deleting, of, writes: () => [{ endpoint, change: {} }], ...more })
}

type Undo = Saved & { readonly force: boolean }

function undoes(of: CollectionFacts, writesOf: (change: Change) => readonly Write[]) {
  return ({ force, ...saved }: Undo): Facts => ({
    of,
    verb: ['Restoring', 'Restored', 'restore'],
    part: 'the old values of ',
    status: 'updated',
    asks: 'yes',
    readsFirst: true,
    writes: record => writesOf(putBack(saved, force, record)),
  })
}

function unset(key: string, properties?: unknown): Write {
  const query = { $unset: key }
  return { endpoint: persons.deleteProperty, query, rawBody: { ...query, properties }, change: { $unset: [key] } }
}

/** Empty for a long value: servers refuse lines above about 8 KB with 414 or 431. */
function propertyQuery(key: string, value: string) {
  return String(new URLSearchParams({ key, value })).length > 7000 ? {} : { key, value }
}

const operations = {
  'persons delete': (values: { readonly deleteEvents: boolean; readonly batch: number | undefined }): Facts => {
    // Servers delete the events for any value of the parameter (`docs/servers.md`).
    const events = values.deleteEvents ? { delete_events: true } : {}
    return {
      ...deleting,
      of: ofPersons,
      also: values.deleteEvents ? ' and all of their events' : '',
      ...(values.deleteEvents ? {} : { remark: 'Their events are kept (use --delete-events to delete them too)' }),
      deletesEvents: values.deleteEvents,
      writes: () => [{ endpoint: persons.delete, query: events, change: {} }],
      ...(values.batch !== undefined && {
        batch: {
          most: values.batch,
          write: ids => ({ endpoint: newer.bulkDelete, rawBody: { ids, ...events }, change: {} }),
        },
      }),
    }
  },
  'persons update': ({ body }: Body): Facts => ({
    ...changing,
    of: ofPersons,
    writes: () => [sent(persons.update, body)],
  }),
  'persons update-property': (values: Record<'value' | 'properties', unknown> & { readonly key: string }): Facts => {
    const { key, value, properties } = values
    // The document has key and value in the query, servers read the body, so both contain them.
    const query = propertyQuery(key, typeof value === 'string' ? value : encode(value))
    const change = { properties: { [key]: value } }
    const rawBody = { key, value, properties }
    return { ...changing, of: ofPersons, writes: () => [{ endpoint: persons.updateProperty, query, rawBody, change }] }
  },
  'persons delete-property': (values: { readonly keys: readonly string[]; readonly properties: unknown }): Facts => {
    const { keys, properties } = values
    return {
      of: ofPersons,
      verb: ['Deleting', 'Deleted', 'delete'],
      asks: 'yes',
      part: `${keys.length === 1 ? 'property' : 'properties'} ${keys.join(', ')} of `,
      status: 'updated',
      writes: () => keys.map(key => unset(key, properties)),
    }
  },
  'persons undo': undoes(ofPersons, ({ properties, $unset }) => [
    ...(properties === undefined ? [] : [sent(persons.update, { properties })]),
    ...(Array.isArray($unset) ? $unset : []).map(key => unset(String(key))),
  ]),
  'persons split': (values: { readonly mainDistinctId: string | undefined; readonly properties: unknown }): Facts => {
    const { mainDistinctId: main, properties } = values
    return {
      of: ofPersons,
      verb: ['Splitting', 'Split', 'split'],
      ...(main === undefined && { remark: 'The properties of the person are deleted permanently' }),
      status: 'updated',
      asks: 'yes',
      readsFirst: true,
      wipes: main === undefined,
      writes(record) {
        if (record && main !== undefined) checkMainDistinctId(main, record)
        return [{ endpoint: persons.split, rawBody: { main_distinct_id: main, properties }, change: {}, isLater: true }]
      },
    }
  },
  'event-definitions update': (values: Body & Record<'addTags' | 'removeTags', readonly string[]>): Facts => {
    const { body, addTags, removeTags } = values
    const merges = addTags.length + removeTags.length > 0
    return {
      ...changing,
      of: ofDefinitions,
      readsFirst: merges,
      writes(record = { tags: [] }) {
        const whole = merges ? { ...body, tags: mergedTags(record, addTags, removeTags) } : body
        return [sent(eventDefinitions.update, whole)]
      },
    }
  },
  'event-definitions undo': undoes(ofDefinitions, change =>
    Object.keys(change).length === 0 ? [] : [sent(eventDefinitions.update, change)],
  ),
  'event-definitions delete': deletes(ofDefinitions, eventDefinitions.delete, {
    remark: 'The server creates the definition again when it sees the event',
  }),
  'plugins update': ({ body }: Body): Facts => ({
    ...changing,
    of: ofPlugins,
    writes: () => [sent(plugins.update, body)],
  }),
  'plugins update-source': ({ body }: Body): Facts => ({
    ...changing,
    of: ofPlugins,
    part: 'the source of ',
    writes: () => [{ ...sent(plugins.updateSource, body), isOfFiles: true }],
  }),
  'plugins upgrade': ({ body }: Body): Facts => ({
    of: ofPlugins,
    verb: ['Upgrading', 'Upgraded', 'upgrade'],
    status: 'updated',
    writes: () => [sent(plugins.upgrade, body)],
  }),
  'plugins delete': deletes(ofPlugins, plugins.delete),
  'projects delete': deletes(ofProjects, projects.delete, { asks: 'name', also: ' with everything in it' }),
}

type OperationName = keyof typeof operations

/** An operation as plain JSON, so that a job can keep it. */
export type OperationRequest = {
  readonly [N in OperationName]: { readonly command: N; readonly values: Parameters<(typeof operations)[N]>[0] }
}[OperationName]

export interface Operation extends Facts {
  readonly command: OperationName
}

/** `own`: the values of one target, in place of those of all. */
export function isOperation(command: unknown): command is OperationName {
  return typeof command === 'string' && Object.hasOwn(operations, command)
}

export function operationOf({ command, values }: OperationRequest, own?: JsonObject): Operation {
  const factsOf = operations[command] as (values: object) => Facts
  return { command, ...factsOf({ ...values, ...own }) }
}

type TargetPath = Readonly<Record<'id' | 'project_id' | 'parent_lookup_organization_id', string>>

export function pathTo(scope: Scope, id: string): TargetPath {
  return { project_id: '@current', parent_lookup_organization_id: '@current', ...scope, id }
}

export function requestOf(client: Client, path: TargetPath, { endpoint, query = {}, rawBody }: Write): Request {
  return client.request(endpoint, { path, query, rawBody })
}

export function isDelete({ status }: Operation): boolean {
  return status === 'deleted'
}

export function targetIdsOf({ batch, of }: Operation): TargetIds {
  return batch === undefined ? of.collection : 'person_uuids'
}

export function changesIn(writes: readonly Write[]): readonly Part[] {
  return writes.flatMap(({ change }) => partsOf(change))
}

export function targetName({ of }: Operation, id: string): string {
  return `${of.noun[0]} ${id}`
}

export function counted(count: number, { of }: Operation): string {
  return countOf(count, ...of.noun)
}
