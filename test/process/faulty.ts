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

export interface Faulty extends TestServer {
  /** The persons that are there, with their properties. */
  readonly persons: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** Persons whose events were queued for deletion. */
  readonly queued: ReadonlySet<string>
  /** Ids in the order in which writes to them came in. */
  readonly written: readonly string[]
  /** Begins a life: calls back before, within or behind the write that is so many from now. */
  after(writes: number, act: () => void): void
}

function idsIn(body: string): readonly string[] {
  return (JSON.parse(body) as { readonly ids: readonly string[] }).ids
}

/** `repeats`: a proxy sends some deletions twice, and passes on the second answer. */
export async function startFaulty(
  ids: readonly string[],
  random: () => number,
  { repeats = false } = {},
): Promise<Faulty> {
  const persons = new Map<string, Record<string, unknown>>(ids.map(id => [id, {}]))
  const queued = new Set<string>()
  const written: string[] = []
  let countdown = Number.POSITIVE_INFINITY
  let storm = 0
  let calm = false
  let act: () => void = () => undefined

  function perform({ method, path, query, body }: Asked): { status: number; body?: unknown } {
    const id = path.split('/')[5] ?? ''
    if (method === 'GET' && id === '') return { status: 200, body: { results: [], next: null } }
    if (id === 'bulk_delete') return deleteMany(idsIn(body))
    const person = persons.get(id)
    if (!person) return { status: 404, body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.' } }
    if (method === 'GET') return { status: 200, body: { id: Number(id) || 1, uuid: id, properties: person } }
    if (method === 'DELETE') {
      if (query.has('delete_events')) queued.add(id)
      persons.delete(id)
      return { status: 204 }
    }
    const { key, value } = JSON.parse(body) as { key: string; value: unknown }
    person[key] = value
    return { status: 202 }
  }

  /** Sometimes it cannot delete the last one. */
  function deleteMany(sent: readonly string[]): { status: number; body: unknown } {
    const found = sent.filter(id => persons.has(id))
    const failed = found.length > 1 && random() < 0.2 ? found.slice(-1) : []
    for (const id of found) if (!failed.includes(id)) persons.delete(id)
    const counts = { persons_found: found.length, persons_deleted: found.length - failed.length }
    const errors = failed.map(id => ({ person_uuid: id, step: 'delete_person' }))
    return { status: 202, body: { ...counts, deletion_errors: errors } }
  }

  const server = await startServer((asked, response) => {
    const id = asked.path.split('/')[5] ?? ''
    if (asked.method !== 'GET') written.push(...(id === 'bulk_delete' ? idsIn(asked.body) : [id]))
    const now = --countdown === 0 ? random() : undefined
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
    const deletes = asked.method === 'DELETE' || id === 'bulk_delete'
    const answer = repeats && deletes && fate > 0.97 ? perform(asked) : first
    if (now !== undefined && now >= 0.3 && now < 0.7) act()
    if (fate < 0.12) return void response.destroy()
    if (fate < 0.14) {
      response.writeHead(200, { 'content-length': '100' }).write('{"id"')
      return void response.destroy()
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
    if (now !== undefined && now >= 0.7) act()
  })
  return {
    ...server,
    persons,
    queued,
    written,
    after(writes, then) {
      countdown = writes
      act = then
      calm = false
      storm = 0
    },
  }
}
