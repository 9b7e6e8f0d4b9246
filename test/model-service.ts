/**
 * A model of the whole service, in memory: it keeps what is written, and fails on request. Every object exists until it is
 * deleted, unless the test says which persons exist. Tests that script each response use `service.ts`.
 */
import type { Dispatcher } from '../src/host.ts'
import { decode } from '../src/json/exact.ts'
import { type Answered, type Asked, dispatcherOf, page, type Reply, refusal, reply } from './in-memory.ts'
import type { Answer } from './server.ts'

export type Row = Record<string, unknown>

/**
 * What happens to a request. `lost` and `killed after`: it is carried out, and the client gets no response. `page`: a gateway
 * responds with a page. `interrupted`: the client gets a signal, and no response.
 */
export type Fate =
  | ('answered' | 'lost' | 'dropped' | 'killed' | 'killed after' | 'interrupted' | 'page')
  | ('400' | '401' | '404' | '429' | '500' | '502')

export interface Manner {
  /** Ids of the persons that exist; by default every id. */
  readonly persons?: readonly string[]
  /** The fate of a request, by its number from 0. */
  readonly fateOf?: (number: number, request: Asked) => Fate
  /** The status of a successful DELETE. */
  readonly deleted?: 202 | 204
  /** The response of `bulk_delete`. `counts` has no `ids_not_found`; `empty` is a 202 without a body. */
  readonly form?: 'empty' | 'counts' | 'counts and ids'
  /** How many requests later a batch is deleted. */
  readonly queue?: number
  /** Whom `bulk_delete` fails to delete the first time, and which field names them. */
  readonly failing?: readonly string[]
  readonly namedBy?: 'person_uuid' | 'person_id'
}

export interface Model {
  answer(asked: Asked): Answered
  readonly dispatcher: Dispatcher
  /** `METHOD path` of every request. */
  readonly asked: string[]
  find(noun: string, id: string): Row | undefined
  put(noun: string, id: string, row: Row | undefined): void
  /** Which of the given persons still exist. */
  left(): readonly string[]
  /** Persons whose deletion is accepted, with the number of requests until it is done. */
  readonly queued: Map<string, number>
  /** Persons whose events are deleted too. */
  readonly events: Set<string>
  /** The ids of each `bulk_delete`. */
  readonly batches: (readonly string[])[]
  /** Called when a fate kills the client: until `revive`, nothing that it sends arrives. */
  onKill: () => void
  onInterrupt: () => void
  revive(): void
}

const organizationId = '018f0000-0000-4000-8000-000000000001'

export const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** The object of that number as it is at first. */
export function rowOf(noun: string, number: number): Row {
  const uuid = uuidOf(number)
  if (noun === 'plugins') return { id: number, plugin_type: 'custom', name: `Plugin ${number}`, is_global: false }
  if (noun === 'event_definitions') return { id: uuid, name: `event ${number}`, tags: [] }
  if (noun === 'projects') return { id: number, uuid, organization: organizationId, name: 'Hedgehog Press' }
  const properties = { email: `person-${number}@example.com` }
  return {
    id: number,
    uuid,
    name: `Person ${number}`,
    distinct_ids: [`person-${number}`],
    properties,
    created_at: '2026-01-01T00:00:00Z',
  }
}

export function numberOf(id: string): number {
  return id === '@current' ? 1 : Number(id.slice(id.lastIndexOf('-') + 1))
}

export function modelService(manner: Manner = {}): Model {
  const { persons, fateOf = () => 'answered', deleted = 204, form = 'empty', queue = 0 } = manner
  const rows = new Map<string, Row | undefined>()
  // An empty response cannot name anybody.
  const stubborn = new Set(form === 'empty' ? [] : manner.failing)
  let isDead = false

  const model: Model = {
    answer,
    dispatcher: dispatcherOf(answer),
    asked: [],
    find(noun, id) {
      const key = `${noun} ${numberOf(id)}`
      return rows.has(key) || (noun === 'persons' && persons) ? rows.get(key) : rowOf(noun, numberOf(id))
    },
    put: (noun, id, row) => void rows.set(`${noun} ${numberOf(id)}`, row),
    left: () => (persons ?? []).filter(id => model.find('persons', id) !== undefined),
    queued: new Map(),
    events: new Set(),
    batches: [],
    onKill: () => undefined,
    onInterrupt: () => undefined,
    revive: () => {
      isDead = false
    },
  }
  for (const id of persons ?? []) model.put('persons', id, rowOf('persons', numberOf(id)))
  return model

  function answer(request: Asked): Answered {
    if (isDead) return 'lost'
    const fate = fateOf(model.asked.length, request)
    model.asked.push(`${request.method} ${request.url.pathname}`)
    for (const [id, wait] of model.queued) {
      model.queued.set(id, wait - 1)
      if (wait === 0) remove(id)
    }
    if (fate === '404') return reply(404, { detail: 'Not Found' })
    if (fate === 'page') return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }
    if (/^\d/.test(fate)) return refusal(Number(fate))
    const isDone = fate === 'answered' || fate === 'lost' || fate === 'killed after'
    const response = isDone ? perform(request) : 'lost'
    if (fate === 'answered') return response
    if (fate === 'interrupted') model.onInterrupt()
    if (fate === 'killed' || fate === 'killed after') {
      isDead = true
      model.onKill()
    }
    return 'lost'
  }

  function remove(id: string): void {
    model.put('persons', id, undefined)
    model.queued.delete(id)
  }

  function perform({ method, url, body }: Asked): Reply {
    const found =
      /.*\/(projects|persons|plugins|event_definitions)\/(?:(@current|\d+|[\da-f-]{36})\/)?([a-z_/]*)$/.exec(
        url.pathname,
      )
    if (!found) return refusal(404)
    const [, noun = '', id, action = ''] = found
    const sent: Row = body === '' ? {} : (decode(body) as Row)
    if (id === undefined) {
      if (action === 'bulk_delete/') return deleteMany(sent)
      if (action !== '') return reply(200, { results: [], next: null })
      return method === 'GET' ? list(noun, url.searchParams) : reply(201, { ...rowOf(noun, 9), ...sent })
    }
    const kept = model.find(noun, id)
    if (!kept) return refusal(404)
    const object = noun === 'event_definitions' ? { ...kept, id } : kept
    if (method === 'DELETE') {
      model.put(noun, id, undefined)
      model.queued.delete(id)
      if (url.searchParams.has('delete_events')) model.events.add(id)
      return reply(deleted)
    }
    if (method === 'GET') return reply(200, action === '' ? object : { results: [], next: null })
    if (action === 'split/') return reply(201, { success: true })
    const after = { ...object, ...changeOf(action, sent, object.properties as Row | undefined) }
    model.put(noun, id, after)
    return reply(200, after)
  }

  /** The objects 1, 2 and 3, or the given persons, that a filter leaves. */
  function list(noun: string, query: URLSearchParams): Reply {
    const all = noun === 'persons' && persons ? [...rows.values()] : ['1', '2', '3'].map(id => model.find(noun, id))
    const some = all.filter(row => row !== undefined && fits(row, query)).slice(0, Number(query.get('limit') ?? 100))
    // Lists show the first 1,000 distinct ids of a person.
    return page(
      some.map(row =>
        Array.isArray(row?.distinct_ids) ? { ...row, distinct_ids: row.distinct_ids.slice(0, 1000) } : row,
      ),
    )
  }

  function deleteMany({ ids, delete_events: events }: { ids?: readonly string[]; delete_events?: boolean }): Reply {
    const asked = ids ?? []
    model.batches.push(asked)
    const found = asked.filter(id => model.find('persons', id))
    const failed = found.filter(id => stubborn.delete(id))
    const accepted = found.filter(id => !failed.includes(id))
    for (const id of accepted) {
      if (events) model.events.add(id)
      if (queue === 0) remove(id)
      else if (!model.queued.has(id)) model.queued.set(id, queue)
    }
    if (form === 'empty') return reply(202)
    const named = (id: string) => (manner.namedBy === 'person_id' ? numberOf(id) : id)
    const counts = {
      persons_found: found.length,
      persons_deleted: queue === 0 ? accepted.length : 0,
      persons_queued_for_deletion: queue === 0 ? 0 : accepted.length,
      events_queued_for_deletion: events === true,
      deletion_errors: failed.map(id => ({ [manner.namedBy ?? 'person_uuid']: named(id), step: 'delete_person' })),
    }
    const missing = asked.filter(id => !found.includes(id))
    return reply(202, form === 'counts' ? counts : { ...counts, ids_not_found: missing })
  }
}

interface PropertyFilter {
  readonly key: string
  readonly value: unknown
  readonly operator?: string
}

function fits(row: Row, query: URLSearchParams): boolean {
  const properties = (row.properties ?? {}) as Row
  const filters: readonly PropertyFilter[] = [JSON.parse(query.get('properties') ?? '[]')].flat()
  const isEqual = ({ key, value }: PropertyFilter) => [value].flat().includes(properties[key])
  const isNamed = (name: string, names: unknown) => !query.has(name) || [names].flat().includes(query.get(name))
  return (
    JSON.stringify(row)
      .toLowerCase()
      .includes((query.get('search') ?? '').toLowerCase()) &&
    isNamed('email', properties.email) &&
    isNamed('distinct_id', row.distinct_ids) &&
    filters.every(one => (one.operator ?? 'exact') !== 'exact' || isEqual(one))
  )
}

function changeOf(action: string, sent: Row, properties: Row | undefined): Row {
  if (action === 'update_property/') return { properties: { ...properties, [String(sent.key)]: sent.value } }
  if (action === 'delete_property/') {
    const { [String(sent.$unset)]: _, ...left } = properties ?? {}
    return { properties: left }
  }
  return sent.properties ? { ...sent, properties: { ...properties, ...(sent.properties as Row) } } : sent
}

/** The model over real HTTP. */
export function answering({ answer }: Pick<Model, 'answer'>): Answer {
  return ({ method, path, query, body }, response) => {
    const reply = answer({ method, url: new URL(`${path}?${query}`, 'http://model.example'), headers: {}, body })
    if (reply === 'lost') return void response.destroy()
    response.writeHead(reply.status, reply.headers).end(reply.body)
  }
}
