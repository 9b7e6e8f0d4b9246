/** The model of the service behind real HTTP. It fails at random, by a seed, and calls back at a given write. */
import { type Model, modelService, numberOf, rowOf } from '../model-service.ts'
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
  readonly distinct_ids: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
}

/** Optional faults of the service. */
export interface Manner {
  /** A proxy sends some deletions twice, and passes on the second response. */
  readonly repeats?: boolean
  /** Persons are merged into others, who have their names then. */
  readonly merges?: boolean
  /** A batch that names one of them is a 500. */
  readonly poisoned?: readonly string[]
}

export interface Faulty extends TestServer {
  readonly model: Model
  /** Ids in the order in which writes to them arrived. */
  readonly written: readonly string[]
  /** Ids whose write got a whole and good response. */
  readonly answered: ReadonlySet<string>
  /** Ids that another user merged into another person. */
  readonly merged: ReadonlySet<string>
  /** Begins a life: calls back before, during or after the write that is so many from now. */
  after(writes: number, act: () => void): void
}

export async function startFaulty(
  given: ReadonlyMap<string, Person>,
  random: () => number,
  { repeats = false, merges = false, poisoned = [] }: Manner = {},
): Promise<Faulty> {
  const ids = [...given.keys()]
  const failing = ids.filter(() => random() < 0.05)
  const model = modelService({ persons: ids, form: 'counts', failing })
  for (const [id, person] of given) model.put('persons', id, { ...rowOf('persons', numberOf(id)), ...person })
  const written: string[] = []
  const answered = new Set<string>()
  const merged = new Set<string>()
  let countdown = Number.POSITIVE_INFINITY
  let storm = 0
  let calm = false
  let act: () => void = () => undefined

  function perform({ method, path, query, body }: Asked) {
    const isPoisoned = path.endsWith('/bulk_delete/') && poisoned.some(id => body.includes(id))
    if (isPoisoned) return { status: 500, body: '{"detail":"A server error occurred."}' }
    const reply = model.answer({ method, url: new URL(`${path}?${query}`, 'http://a.example'), headers: {}, body })
    if (reply === 'lost') throw new Error('The model has no fates here')
    return path.endsWith('/update_property/') && reply.status === 200 ? { status: 202 } : reply
  }

  function mergeOne(): void {
    const id = model.left().find(one => one !== 'bystander' && random() < 0.1)
    const person = id === undefined ? undefined : model.find('persons', id)
    if (id === undefined || person === undefined) return
    model.put('persons', id, undefined)
    merged.add(id)
    const other = 900_000 + Number(id)
    model.put('persons', String(other), { ...person, id: other })
  }

  const server = await startServer((asked, response) => {
    const isWrite = asked.method !== 'GET' && !asked.path.endsWith('/batch_by_distinct_ids/')
    const ids = isWrite ? idsIn(asked) : []
    written.push(...ids)
    if (isWrite && merges && random() < 0.2) mergeOne()
    const now = isWrite && --countdown === 0 ? random() : undefined
    if (now !== undefined && now < 0.3) act()
    // A gateway responds with 404 for a while, once per process: two such storms could meet a write and each of its reads.
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
    // Rarely without Retry-After, which slows the run down for long.
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
    response.end(answer.body)
    if (now !== undefined && now >= 0.7) act()
  })
  return {
    ...server,
    model,
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
