/** A small service in memory for tests: every object is there until it is deleted, and every write is taken. */
import type { DispatchController, Dispatcher } from '../src/dispatcher.ts'

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** `lost`: the connection breaks before an answer. */
export type Answer = (asked: Asked) => Reply | 'lost'

type Row = Record<string, unknown>

const organizationId = '018f0000-0000-4000-8000-000000000001'

export const reply = (status: number, body?: unknown): Reply =>
  body === undefined
    ? { status }
    : { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }

/** An error in the service's own words. */
export function refusal(status: number): Reply {
  const words: Record<number, readonly [type: string, code: string, detail: string]> = {
    400: ['validation_error', 'invalid_input', 'Malformed request.'],
    401: ['authentication_error', 'authentication_failed', 'Incorrect authentication credentials.'],
    403: ['authentication_error', 'permission_denied', 'You do not have permission to perform this action.'],
    404: ['invalid_request', 'not_found', 'Not found.'],
    405: ['invalid_request', 'method_not_allowed', 'Method not allowed.'],
    429: ['throttled_error', 'throttled', 'Request was throttled.'],
  }
  const [type, code, detail] = words[status] ?? ['server_error', 'error', 'A server error occurred.']
  return reply(status, { type, code, detail, attr: null })
}

export const page = (results: readonly unknown[]): Reply =>
  reply(200, { count: results.length, next: null, previous: null, results })

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

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

/** A service that remembers what was changed. Its lists hold the objects 1, 2 and 3, or those that a name of one chooses. */
export function plainService(): (asked: Asked) => Reply {
  const changed = new Map<string, Row | undefined>()
  const keyOf = (noun: string, number: number) => `${noun} ${number}`
  const row = (noun: string, number: number) => {
    const key = keyOf(noun, number)
    return changed.has(key) ? changed.get(key) : rowOf(noun, number)
  }
  const list = (noun: string, query: URLSearchParams) => {
    const rows = [1, 2, 3].map(number => row(noun, number)).filter(one => one !== undefined)
    const names = ['search', 'email', 'distinct_id', 'properties'].flatMap(name => query.get(name) ?? [])
    return page(rows.filter(one => names.every(name => JSON.stringify(one).includes(name))))
  }
  const write = (noun: string, number: number, found: Row, change: Row) => {
    const after = { ...found, ...change }
    changed.set(keyOf(noun, number), after)
    return reply(200, after)
  }
  return ({ method, url, body }) => {
    const found =
      /.*\/(projects|persons|plugins|event_definitions)\/(?:(@current|\d+|[\da-f-]{36})\/)?([a-z_/]*)$/.exec(
        url.pathname,
      )
    if (!found) return refusal(404)
    const [, noun = '', id, action = ''] = found
    const sent: Row = body === '' ? {} : JSON.parse(body)
    if (id === undefined) {
      if (action === 'bulk_delete/') {
        for (const one of sent.ids as readonly string[]) changed.set(keyOf(noun, numberOf(one)), undefined)
        return reply(202)
      }
      if (action !== '') return reply(200, { results: [], next: null })
      return method === 'GET' ? list(noun, url.searchParams) : reply(201, { ...rowOf(noun, 9), ...sent })
    }
    const number = numberOf(id)
    const kept = row(noun, number)
    if (!kept) return refusal(404)
    const object = noun === 'event_definitions' ? { ...kept, id } : kept
    if (method === 'DELETE') {
      changed.set(keyOf(noun, number), undefined)
      return reply(204)
    }
    if (method === 'GET') return reply(200, action === '' ? object : { results: [], next: null })
    const properties = object.properties as Row | undefined
    if (action === 'update_property/') {
      return write(noun, number, object, { properties: { ...properties, [String(sent.key)]: sent.value } })
    }
    if (action === 'delete_property/') {
      const { [String(sent.$unset)]: _, ...left } = properties ?? {}
      return write(noun, number, object, { properties: left })
    }
    if (action === 'split/') return reply(201, { success: true })
    const merged = sent.properties ? { properties: { ...properties, ...(sent.properties as Row) } } : {}
    return write(noun, number, object, { ...sent, ...merged })
  }
}

function numberOf(id: string): number {
  return id === '@current' ? 1 : Number(id.slice(id.lastIndexOf('-') + 1))
}

/** What takes the place of the network, so that requests arrive in the same order each time. */
export function dispatcherOf(answer: Answer): Dispatcher {
  return {
    dispatch({ origin, path, method, headers, body }, handler) {
      const controller: DispatchController = { abort() {} }
      const answered = answer({ method, url: new URL(path, origin), headers, body: body ? String(body) : '' })
      setImmediate(() => {
        handler.onRequestStart(controller, {})
        if (answered === 'lost') {
          return handler.onResponseError(controller, Object.assign(new Error('lost'), { code: 'ECONNRESET' }))
        }
        handler.onResponseStart(controller, answered.status, answered.headers ?? {}, '')
        if (answered.body !== undefined) handler.onResponseData(controller, Buffer.from(answered.body))
        handler.onResponseEnd(controller, {})
      })
      return true
    },
    destroy: async () => undefined,
  }
}
