/** A service in memory whose gateway answers 404 to everything for a while, and may lose a request before that. */
import type { Dispatcher } from '../src/dispatcher.ts'
import { type Asked, dispatcherOf, type Reply, refusal, reply } from './plain-service.ts'

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

interface StormyService {
  readonly dispatcher: Dispatcher
  /** The persons that are there, with their properties. */
  readonly persons: Map<string, Record<string, unknown>>
  /** `METHOD path` of every request, with the status of its answer. */
  readonly asked: string[]
}

export function stormyService(ids: readonly string[], weather: Weather): StormyService {
  const persons = new Map(ids.map(id => [id, { plan: 'free' } as Record<string, unknown>]))
  const asked: string[] = []
  const answer = ({ method, url, body }: Asked): Reply => {
    const number = asked.length
    if (weather.failsBefore && number === weather.start - 1) return reply(502, 'Bad gateway')
    const isWithin = ({ start, length }: Weather) => number >= start && number < start + length
    if (isWithin(weather) || (weather.again && isWithin(weather.again))) return reply(404, { detail: 'Not Found' })
    const [, id] = /\/persons\/([^/?]+)\//.exec(url.pathname) ?? []
    if (id === undefined) return reply(200, { next: null, results: [], id: 1, name: 'Shop', uuid: null })
    const properties = persons.get(id)
    if (!properties) return refusal(404)
    if (method === 'DELETE') {
      persons.delete(id)
      return reply(weather.deleted ?? 204)
    }
    if (method === 'PATCH') Object.assign(properties, JSON.parse(body).properties)
    const person = { id: Number(id), name: 'Ada', distinct_ids: [`d-${id}`], created_at: null, uuid: null }
    return reply(200, { ...person, properties })
  }
  return {
    persons,
    asked,
    dispatcher: dispatcherOf(request => {
      const answered = answer(request)
      asked.push(`${request.method} ${request.url.pathname} ${answered.status}`)
      return answered
    }),
  }
}
