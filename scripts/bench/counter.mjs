/** Stands in front of a service: counts what is asked and the bytes of the answers. It has event definitions of its own. */
import { createServer, request } from 'node:http'
import { createGzip } from 'node:zlib'

/** Milliseconds between two requests at 240 a minute. */
const interval = 250

export const definitionOf = number => `event ${String(number).padStart(4, '0')}`
const uuidOf = number => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const definitions = Array.from({ length: 2000 }, (_, i) => ({ id: uuidOf(i), name: definitionOf(i), tags: [] }))

/**
 * `limited`: 429 without `Retry-After` beyond 240 requests a minute. `compressing`: gzip if the client accepts it.
 * `older`: a server without the lookup of many distinct ids.
 */
export async function openCounter(upstream, { limited = false, compressing = false, older = false }) {
  const counted = { requests: 0, bytes: 0 }
  let free = 0

  function pass(incoming, outgoing) {
    const { method, url, headers } = incoming
    const forwarded = request(new URL(url, upstream), { method, headers }, answer => {
      const isPacked = compressing && /\bgzip\b/.test(headers['accept-encoding'] ?? '')
      const { 'content-length': length, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode, isPacked ? { ...rest, 'content-encoding': 'gzip' } : answer.headers)
      const body = isPacked ? answer.pipe(createGzip()) : answer
      body.on('data', chunk => {
        counted.bytes += chunk.length
      })
      body.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  }

  async function defined(incoming, outgoing) {
    const { pathname, searchParams } = new URL(incoming.url, upstream)
    let text = ''
    for await (const chunk of incoming) text += chunk
    const [, id] = /event_definitions\/(.+)\/$/.exec(pathname) ?? []
    const found = definitions.find(one => one.id === id)
    if (found) return outgoing.end(JSON.stringify(Object.assign(found, text === '' ? {} : JSON.parse(text))))
    const [offset, limit] = ['offset', 'limit'].map(name => Number(searchParams.get(name) ?? 100 * (name === 'limit')))
    const end = offset + limit
    const next = end < definitions.length ? `${pathname}?limit=${limit}&offset=${end}` : null
    outgoing.end(
      JSON.stringify({ count: definitions.length, next, previous: null, results: definitions.slice(offset, end) }),
    )
  }

  const server = createServer((incoming, outgoing) => {
    counted.requests++
    const now = performance.now()
    const refuse = (status, detail) => {
      incoming.resume()
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }))
    }
    if (limited && now < free) return refuse(429, 'Request was throttled.')
    free = now + interval
    if (older && incoming.url.includes('/batch_by_distinct_ids/')) return refuse(404, 'Not found.')
    if (!incoming.url.includes('/event_definitions/')) return pass(incoming, outgoing)
    outgoing.setHeader('content-type', 'application/json')
    defined(incoming, outgoing)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    counted,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
