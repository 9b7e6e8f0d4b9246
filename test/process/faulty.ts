/** A service of persons that fails in every way it can, by a seed, and says when a moment has come. */
import { type Asked, json, startServer, type TestServer } from '../server.ts'

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function sequence(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Person {
  readonly distinctIds: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
}

/** What else this service does. */
export interface Manner {
  /** A proxy sends some deletions twice, and passes on the second answer. */
  readonly repeats?: boolean
  /** Persons are merged into others, who have their names then. */
  readonly merges?: boolean
  /** A batch that names one of them is a 500. */
  readonly poisoned?: readonly string[]
}

export interface Faulty extends TestServer {
  readonly persons: ReadonlyMap<string, Person>
  /** Persons whose events were queued for deletion. */
  readonly queued: ReadonlySet<string>
  /** Ids in the order in which writes to them came in. */
  readonly written: readonly string[]
  /** Ids whose write got its whole answer, and a good one. */
  readonly answered: ReadonlySet<string>
  /** Those whom somebody else merged into another. */
  readonly merged: ReadonlySet<string>
  /** Begins a life: calls back before, within or behind the write that is so many from now. */
  after(writes: number, act: () => void): void
}

interface Body {
  readonly ids?: readonly string[]
  readonly delete_events?: boolean
  readonly key?: string
  readonly value?: unknown
  readonly properties?: Person['properties']
  readonly $unset?: string
}

interface Reply {
  readonly status: number
  readonly body?: unknown
}

const notFound = { status: 404, body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.' } }

export async function startFaulty(
  given: ReadonlyMap<string, Person>,
  random: () => number,
  { repeats = false, merges = false, poisoned = [] }: Manner = {},
): Promise<Faulty> {
  const persons = new Map(given)
  const queued = new Set<string>()
  const written: string[] = []
  const answered = new Set<string>()
  const merged = new Set<string>()
  let countdown = Number.POSITIVE_INFINITY
  let storm = 0
  let calm = false
  let act: () => void = () => undefined

  function perform({ method, path, query, body }: Asked): Reply {
    const [, , , , , id = '', action = ''] = path.split('/')
    if (id === '') return { status: 200, body: { results: found(query), next: null } }
    if (id === 'bulk_delete') return deleteMany(JSON.parse(body))
    const person = persons.get(id)
    if (!person) return notFound
    if (method === 'DELETE') {
      if (query.has('delete_events')) queued.add(id)
      persons.delete(id)
      return { status: 204 }
    }
    if (method !== 'GET')
      persons.set(id, { ...person, properties: changed(person.properties, action, JSON.parse(body)) })
    return action === 'update_property' ? { status: 202 } : { status: 200, body: recordOf(id) }
  }

  function recordOf(id: string) {
    const person = persons.get(id)
    return { id: Number(id) || 1, uuid: id, distinct_ids: person?.distinctIds, properties: person?.properties }
  }

  function found(query: URLSearchParams) {
    const [email, distinctId] = [query.get('email'), query.get('distinct_id')]
    const [{ key, value }] = JSON.parse(query.get('properties') ?? '[{}]')
    const fits = ({ distinctIds, properties }: Person) =>
      (email === null || properties.email === email) &&
      (distinctId === null || distinctIds.includes(distinctId)) &&
      (key === undefined || [value].flat().includes(properties[key]))
    const rows = [...persons].filter(([, person]) => fits(person)).map(([id]) => recordOf(id))
    return rows.slice(0, Number(query.get('limit') ?? 100))
  }

  /** Sometimes it cannot delete the last one. */
  function deleteMany({ ids: sent = [], delete_events: events = false }: Body): Reply {
    if (sent.some(id => poisoned.includes(id))) return { status: 500, body: { detail: 'A server error occurred.' } }
    const there = sent.filter(id => persons.has(id))
    const failed = there.length > 1 && random() < 0.2 ? there.slice(-1) : []
    const deleted = there.filter(id => !failed.includes(id))
    for (const id of deleted) {
      persons.delete(id)
      if (events) queued.add(id)
    }
    const counts = { persons_found: there.length, persons_deleted: deleted.length, events_queued_for_deletion: events }
    const errors = failed.map(id => ({ person_uuid: id, step: 'delete_person' }))
    return { status: 202, body: { ...counts, deletion_errors: errors } }
  }

  /** Somebody else does it, at any moment. */
  function mergeOne(): void {
    const [id, person] = [...persons].find(([one]) => given.has(one) && one !== 'bystander' && random() < 0.1) ?? []
    if (id === undefined || person === undefined) return
    persons.delete(id)
    merged.add(id)
    persons.set(String(900_000 + Number(id)), person)
  }

  const server = await startServer((asked, response) => {
    const isWrite = asked.method !== 'GET'
    const ids = isWrite ? idsIn(asked) : []
    written.push(...ids)
    if (isWrite && merges && random() < 0.2) mergeOne()
    const now = isWrite && --countdown === 0 ? random() : undefined
    if (now !== undefined && now < 0.3) act()
    // A gateway answers everything with 404 for a while, once in a life: two storms can meet a write and each of its reads.
    if (!calm && random() < 0.02) {
      storm = 1 + Math.floor(random() * 15)
      calm = true
    }
    if (storm > 0) {
      storm--
      return json(response, { detail: 'Not Found' }, 404)
    }
    const fate = random()
    if (fate < 0.04) return json(response, { type: 'server_error', detail: 'A server error occurred.' }, 500)
    // Seldom without a time: that slows the run down for long.
    if (fate < 0.058) response.setHeader('retry-after', '1')
    if (fate < 0.06) return json(response, { detail: 'Request was throttled.' }, 429)
    if (fate < 0.09) return void response.destroy()
    const first = perform(asked)
    const deletes = asked.method === 'DELETE' || asked.path.endsWith('/bulk_delete/')
    const answer = repeats && deletes && fate > 0.97 ? perform(asked) : first
    if (now !== undefined && now >= 0.3 && now < 0.7) act()
    if (fate < 0.12) return void response.destroy()
    if (fate < 0.14) {
      response.writeHead(200, { 'content-length': '100' }).write('{"id"')
      return void response.destroy()
    }
    if (answer.status < 300) for (const id of ids) answered.add(id)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
    if (now !== undefined && now >= 0.7) act()
  })
  return {
    ...server,
    persons,
    queued,
    written,
    answered,
    merged,
    after(writes, then) {
      countdown = writes
      act = then
      calm = false
      storm = 0
    },
  }
}

function idsIn({ path, body }: Asked): readonly string[] {
  const id = path.split('/')[5] ?? ''
  return id === 'bulk_delete' ? JSON.parse(body).ids : [id]
}

function changed(properties: Person['properties'], action: string, body: Body): Person['properties'] {
  if (action === 'update_property') return { ...properties, [body.key ?? '']: body.value }
  if (action !== 'delete_property') return { ...properties, ...body.properties }
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== body.$unset))
}
