/** Stands in front of a service: counts what is asked, and the bytes of the answers. */
import { Agent, createServer, request } from 'node:http'
import { createGzip } from 'node:zlib'

/** Milliseconds between two requests at 240 a minute. */
const interval = 250

/**
 * `limited` refuses what comes sooner than 240 a minute allow, with a 429 that names no time; `compressing` answers with
 * gzip where the client accepts it.
 */
export async function openCounter(upstream, { limited = false, compressing = false }) {
  const counted = { requests: 0, bytes: 0 }
  const agent = new Agent({ keepAlive: true })
  let free = 0

  function pass(incoming, outgoing) {
    // With the host that was asked, so that links to the next page lead through here too.
    const { method, url, headers } = incoming
    const forwarded = request(new URL(url, upstream), { method, headers, agent }, answer => {
      const isPacked = compressing && /\bgzip\b/.test(headers['accept-encoding'] ?? '')
      const { 'content-length': length, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode, isPacked ? { ...rest, 'content-encoding': 'gzip' } : answer.headers)
      const body = isPacked ? answer.pipe(createGzip()) : answer
      body.on('data', chunk => {
        counted.bytes += chunk.length
      })
      body.pipe(outgoing)
    })
    forwarded.once('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  }

  function refuse(incoming, outgoing) {
    incoming.resume()
    outgoing.writeHead(429, { 'content-type': 'application/json' })
    outgoing.end('{"type":"throttled_error","code":"throttled","detail":"Request was throttled.","attr":null}')
  }

  const server = createServer((incoming, outgoing) => {
    counted.requests++
    const now = performance.now()
    if (limited && now < free) return refuse(incoming, outgoing)
    free = now + interval
    pass(incoming, outgoing)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    counted,
    close() {
      agent.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}
