/** The operations on targets: for each command that changes objects, one function of its values. */
import type { Client } from '../api/client.ts'
import { type Endpoint, eventDefinitions, newer, persons, plugins, projects } from '../api/endpoints.ts'
import { encode, type JsonObject } from '../json/exact.ts'
import { countOf } from '../text/grouped.ts'
import type { Change } from './change.ts'
import { checkMainDistinctId, mergedTags, putBack, type Saved } from './change.ts'
import { type CollectionSpec, collections, type TargetIds } from './collections.ts'

export interface Write extends Pick<Parameters<Client['request']>[1], 'query' | 'body'> {
  readonly endpoint: Endpoint
  readonly change: Change
  /** Without a record, the files of a source show the change; `later`: a 201 means that the server acts later. */
  readonly shownBy?: 'files' | 'later'
}

interface OperationSpec {
  readonly collection: CollectionSpec
  readonly verb: readonly [doing: string, done: string, to: string]
  readonly status: 'deleted' | 'updated'
  /** Such as `property plan of `. */
  readonly beforeTargets: string
  /** Such as ` and all of their events`. */
  readonly afterTargets: string
  readonly remark: string | undefined
  /** How a single target is confirmed. Several targets always need a prompt. */
  readonly asks: 'yes' | 'name' | undefined
  readonly deletesEvents: boolean | undefined
  readonly batch: { readonly most: number; readonly write: (ids: readonly string[]) => Write } | undefined
  readonly readsFirst: boolean
  /** The record is read once afterwards, and must have none of its properties. */
  readonly wipes: boolean
  readonly writes: (record?: JsonObject) => readonly Write[]
}

/** What differs from `usual`. */
type Special = Pick<OperationSpec, 'collection' | 'writes'> & Partial<OperationSpec>

const usual: Omit<OperationSpec, 'collection' | 'writes'> = {
  verb: ['Changing', 'Changed', 'change'],
  status: 'updated',
  beforeTargets: '',
  afterTargets: '',
  remark: undefined,
  asks: undefined,
  deletesEvents: undefined,
  batch: undefined,
  readsFirst: false,
  wipes: false,
}
const deleting = { verb: ['Deleting', 'Deleted', 'delete'], status: 'deleted', asks: 'yes' } as const
const { persons: ofPersons, event_definitions: ofDefinitions, plugins: ofPlugins, projects: ofProjects } = collections

type Body = { readonly body: JsonObject }

function bodyWrite(endpoint: Endpoint, body: JsonObject): Write {
  return { endpoint, body, change: body }
}

function updates(collection: CollectionSpec, endpoint: Endpoint, more?: Partial<OperationSpec>) {
  return ({ body }: Body): Special => ({ collection, writes: () => [bodyWrite(endpoint, body)], ...more })
}

function deletes(collection: CollectionSpec, endpoint: Endpoint, more?: Partial<OperationSpec>) {
  return (_: object): Special => ({ ...deleting, collection, writes: () => [{ endpoint, change: {} }], ...more })
}

function undoes(collection: CollectionSpec, writesOf: (change: Change) => readonly Write[]) {
  return ({ force, ...saved }: Saved & { readonly force: boolean }): Special => ({
    collection,
    verb: ['Restoring', 'Restored', 'restore'],
    beforeTargets: 'the old values of ',
    asks: 'yes',
    readsFirst: true,
    writes: record => writesOf(putBack(saved, force, record)),
  })
}

function unset(key: string, properties?: unknown): Write {
  const query = { $unset: key }
  return { endpoint: persons.deleteProperty, query, body: { ...query, properties }, change: { $unset: [key] } }
}

/** Empty for a long value: servers refuse lines above about 8 KB with 414 or 431. */
function propertyQuery(key: string, value: string) {
  return String(new URLSearchParams({ key, value })).length > 7000 ? {} : { key, value }
}

const operations = {
  'persons delete': (values: { readonly deleteEvents: boolean; readonly batch: number | undefined }): Special => {
    const { deleteEvents, batch: most } = values
    // Servers delete the events for any value of the parameter (`docs/servers.md`).
    const events = deleteEvents ? { delete_events: true } : {}
    const write = (ids: readonly string[]) => ({
      endpoint: newer.bulkDelete,
      body: { ids, ...events },
      change: {},
    })
    return {
      ...deleting,
      collection: ofPersons,
      afterTargets: deleteEvents ? ' and all of their events' : '',
      remark: deleteEvents ? undefined : 'Their events are kept (use --delete-events to delete them too)',
      deletesEvents: deleteEvents,
      batch: most === undefined ? undefined : { most, write },
      writes: () => [{ endpoint: persons.delete, query: events, change: {} }],
    }
  },
  'persons update': updates(ofPersons, persons.update),
  'persons update-property': (values: Record<'value' | 'properties', unknown> & { readonly key: string }): Special => {
    const { key, value, properties } = values
    // The document has key and value in the query, and servers read the body.
    const query = propertyQuery(key, typeof value === 'string' ? value : encode(value))
    const change = { properties: { [key]: value } }
    const body = { key, value, properties }
    return { collection: ofPersons, writes: () => [{ endpoint: persons.updateProperty, query, body, change }] }
  },
  'persons delete-property': (values: { readonly keys: readonly string[]; readonly properties: unknown }): Special => {
    const { keys, properties } = values
    return {
      ...deleting,
      collection: ofPersons,
      beforeTargets: `${keys.length === 1 ? 'property' : 'properties'} ${keys.join(', ')} of `,
      status: 'updated',
      writes: () => keys.map(key => unset(key, properties)),
    }
  },
  'persons undo': undoes(ofPersons, ({ properties, $unset }) => [
    ...(properties === undefined ? [] : [bodyWrite(persons.update, { properties })]),
    ...(Array.isArray($unset) ? $unset : []).map(key => unset(String(key))),
  ]),
  'persons split': (values: { readonly mainDistinctId: string | undefined; readonly properties: unknown }): Special => {
    const { mainDistinctId: main, properties } = values
    const body = { main_distinct_id: main, properties }
    const wipes = main === undefined
    return {
      collection: ofPersons,
      verb: ['Splitting', 'Split', 'split'],
      remark: wipes ? 'The properties of the person are deleted permanently' : undefined,
      asks: 'yes',
      readsFirst: true,
      wipes,
      writes(record) {
        if (record && main !== undefined) checkMainDistinctId(main, record)
        return [{ endpoint: persons.split, body, change: {}, shownBy: 'later' }]
      },
    }
  },
  'event-definitions update': (values: Body & Record<'addTags' | 'removeTags', readonly string[]>): Special => {
    const { body, addTags, removeTags } = values
    const merges = addTags.length + removeTags.length > 0
    return {
      collection: ofDefinitions,
      readsFirst: merges,
      writes(record = { tags: [] }) {
        const whole = merges ? { ...body, tags: mergedTags(record, addTags, removeTags) } : body
        return [bodyWrite(eventDefinitions.update, whole)]
      },
    }
  },
  'event-definitions undo': undoes(ofDefinitions, change =>
    Object.keys(change).length === 0 ? [] : [bodyWrite(eventDefinitions.update, change)],
  ),
  'event-definitions delete': deletes(ofDefinitions, eventDefinitions.delete, {
    remark: 'The server creates the definition again when it sees the event',
  }),
  'plugins update': updates(ofPlugins, plugins.update),
  'plugins update-source': ({ body }: Body): Special => ({
    collection: ofPlugins,
    beforeTargets: 'the source of ',
    writes: () => [{ ...bodyWrite(plugins.updateSource, body), shownBy: 'files' }],
  }),
  'plugins upgrade': updates(ofPlugins, plugins.upgrade, { verb: ['Upgrading', 'Upgraded', 'upgrade'] }),
  'plugins delete': deletes(ofPlugins, plugins.delete),
  'projects delete': deletes(ofProjects, projects.delete, { asks: 'name', afterTargets: ' with everything in it' }),
}

type OperationName = keyof typeof operations

export type OperationRequest = {
  readonly [N in OperationName]: { readonly command: N; readonly values: Parameters<(typeof operations)[N]>[0] }
}[OperationName]

export interface Operation extends OperationSpec {
  readonly command: OperationName
  readonly ids: TargetIds
}

export function isOperation(command: unknown): command is OperationName {
  return typeof command === 'string' && Object.hasOwn(operations, command)
}

export function operationOf({ command, values }: OperationRequest, own?: JsonObject): Operation {
  const specOf = operations[command] as (values: object) => Special
  const spec = { ...usual, ...specOf({ ...values, ...own }) }
  return { command, ids: spec.batch === undefined ? spec.collection.name : 'person_uuids', ...spec }
}

export function isDelete({ status }: Operation): boolean {
  return status === 'deleted'
}

export function targetName({ collection }: Operation, id: string): string {
  return `${collection.noun[0]} ${id}`
}

export function counted(count: number, { collection }: Operation): string {
  return countOf(count, ...collection.noun)
}
