/** A service in memory whose gateway answers 404 to everything for a while, and may lose a request before that. */
import type { Dispatcher, DispatchOptions } from '../src/dispatcher.ts'

export interface Weather {
  /** Number of the first request that the gateway answers with 404, and how many follow it. */
  readonly start: number
  readonly length: number
  /** A second storm. */
  readonly again?: Pick<Weather, 'start' | 'length'>
  /** The request before the storm is a 502, and nothing was done. */
  readonly failsBefore?: boolean
  /** What the service answers to a DELETE. */
  readonly deleted?: 202 | 204
}

export interface StormyService {
  readonly dispatcher: Dispatcher
  /** The persons that are there, with their properties. */
  readonly persons: Map<string, Record<string, unknown>>
  /** `METHOD path` of every request, with the status of its answer. */
  readonly asked: string[]
}

const notFound = { detail: 'Not found.', type: 'invalid_request', code: 'not_found', attr: null }
const ofGateway = { detail: 'Not Found' }

export function stormyService(ids: readonly string[], weather: Weather): StormyService {
  const persons = new Map(ids.map(id => [id, { plan: 'free' } as Record<string, unknown>]))
  const asked: string[] = []
  const answer = (options: DispatchOptions): readonly [status: number, body: unknown] => {
    const number = asked.length
    if (weather.failsBefore && number === weather.start - 1) return [502, 'Bad gateway']
    const isWithin = ({ start, length }: Weather) => number >= start && number < start + length
    if (isWithin(weather) || (weather.again && isWithin(weather.again))) return [404, ofGateway]
    const [, id] = /\/persons\/([^/?]+)\//.exec(options.path) ?? []
    if (id === undefined) return [200, { next: null, results: [], id: 1, name: 'Shop', uuid: null }]
    const properties = persons.get(id)
    if (!properties) return [404, notFound]
    if (options.method === 'DELETE') {
      persons.delete(id)
      return [weather.deleted ?? 204, undefined]
    }
    if (options.method === 'PATCH') Object.assign(properties, JSON.parse(String(options.body)).properties)
    return [200, { id: Number(id), name: 'Ada', distinct_ids: [`d-${id}`], properties, created_at: null, uuid: null }]
  }
  return {
    persons,
    asked,
    dispatcher: {
      dispatch(options, handler) {
        const [status, body] = answer(options)
        asked.push(`${options.method} ${options.path.replace(/\?.*/, '')} ${status}`)
        const controller = { pause: () => undefined, resume: () => undefined, abort: () => undefined }
        setImmediate(() => {
          handler.onRequestStart?.(controller, {})
          handler.onResponseStart?.(controller, status, { 'content-type': 'application/json' }, '')
          if (body !== undefined) handler.onResponseData?.(controller, Buffer.from(JSON.stringify(body)))
          handler.onResponseEnd?.(controller, {})
        })
        return true
      },
      destroy: async () => undefined,
    },
  }
}
