/** Servers that take only so many connections at once. */
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorld } from '../../world.ts'
import { get, listening, selfSigned, serve, text, transport } from '../loopback.ts'

type Refuse = (socket: Socket) => void

const reset: Refuse = socket => socket.resetAndDestroy()
const close: Refuse = socket => socket.destroy()
const ignore: Refuse = () => undefined

interface Limit {
  readonly most: number
  readonly refuse: Refuse
  /** Requests that one connection may send. */
  readonly each?: number
  readonly concurrency?: number
}

/** Takes `most` connections at once; `refused` counts the others. */
async function limited({ most, refuse, each = Number.POSITIVE_INFINITY }: Limit, server: Server = http.createServer()) {
  const seen = { refused: 0, open: 0, deletions: [] as string[] }
  const left = new WeakMap<Socket, number>()
  server.on(server instanceof https.Server ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (seen.open >= most) {
      seen.refused++
      return refuse(socket)
    }
    left.set(socket, each)
    seen.open++
    socket.on('close', () => seen.open--)
  })
  server.on('request', ({ method, url = '', socket }: http.IncomingMessage, response: http.ServerResponse) => {
    const rest = left.get(socket)
    if (rest === undefined) return
    if (method === 'DELETE') seen.deletions.push(url)
    left.set(socket, rest - 1)
    if (rest <= 1) response.setHeader('connection', 'close')
    setTimeout(() => response.writeHead(204).end(), 2)
  })
  return { base: await listening(server, server instanceof https.Server ? 'https' : 'http'), seen }
}

type Server = http.Server | https.Server

const limits: readonly [string, Limit][] = [
  ['3, and resets the others', { most: 3, refuse: reset }],
  ['3, and closes the others', { most: 3, refuse: close }],
  ['3, and never answers the others', { most: 3, refuse: ignore }],
  ['1, and resets the others', { most: 1, refuse: reset }],
  ['7, and resets the others', { most: 7, refuse: reset }],
  ['20, and resets the others', { most: 20, refuse: reset, concurrency: 64 }],
  ['3, and resets the others, each for one request', { most: 3, refuse: reset, each: 1 }],
  ['3, and resets the others, each for ten requests', { most: 3, refuse: reset, each: 10 }],
]

const certificate = selfSigned('localhost')

test.each<{ what: string; limit: Limit; server: Server }>([
  ...limits.map(([what, limit]) => ({ what, limit, server: http.createServer() })),
  {
    what: '3 over TLS, and closes the others',
    limit: { most: 3, refuse: close },
    server: https.createServer(certificate ?? {}),
  },
])('a server takes so many connections at once: $what', async ({ limit, server }) => {
  const { base, seen } = await limited(limit, server)
  const world = newWorld()
  writeFileSync(join(world.folder, 'ca.pem'), certificate?.cert ?? '')
  const ids = Array.from({ length: 200 }, (_, i) => String(i + 1))
  writeFileSync(join(world.folder, 'ids.txt'), ids.join('\n'))
  const env = {
    ANALYTICS_BASE_URL: base.href.replace('127.0.0.1', 'localhost'),
    ANALYTICS_CA_FILE: 'ca.pem',
    ANALYTICS_API_KEY: 'key-of-tests',
    ANALYTICS_PROJECT: '1',
  }
  const { concurrency = 8 } = limit
  // The clock of tests waits for no retry.
  const line = `persons delete --from ids.txt --yes -o ndjson --timeout 2 --retries 10 --concurrency ${concurrency}`
  const { code, stdout } = await world.run(line.split(' '), { env })
  const outcomes = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(outcomes.filter(({ status }) => status !== 'deleted')).toEqual([])
  expect([code, outcomes.filter(({ status }) => status === 'deleted').length]).toEqual([0, ids.length])
  expect(new Set(outcomes.map(({ id }) => id))).toEqual(new Set(ids))
  expect(new Set(seen.deletions).size).toBe(seen.deletions.length)
  expect(seen.refused).toBeLessThan(3 * concurrency)
})

test('connections that end after an answer, or one of them without, show no limit', async () => {
  let held: http.ServerResponse[] = []
  let isBroken = true
  const base = await serve((_, response) => {
    held.push(response)
    if (held.length < 8) return
    if (isBroken) held.pop()?.destroy()
    isBroken = false
    for (const one of held) one.writeHead(200, { connection: 'close' }).end()
    held = []
  })
  const { send } = transport()
  const answered = async () => {
    const all = await Promise.allSettled(Array.from({ length: 8 }, async () => text(await send(get(base)))))
    return all.filter(({ status }) => status === 'fulfilled').length
  }
  // No answer comes before eight requests have come.
  expect([await answered(), await answered(), await answered()]).toEqual([7, 8, 8])
})

test('a request that was given up opens no other connection', async () => {
  let opened = 0
  const server = http.createServer(({ url }, response) => {
    if (url === '/answered') response.end('{}')
  })
  server.on('connection', () => opened++)
  const base = await listening(server, 'http')
  const { send } = transport({ timeout: 1000 })
  const unanswered = await Promise.allSettled([send(get(base)), send(get(base)), send(get(base))])
  expect(unanswered.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect([await text(await send(get(base, '/answered'))), opened]).toEqual(['{}', 4])
})

test('an answer that is not read to its end takes no later request with it', async () => {
  const base = await serve((_, response) => response.end('{}'))
  const { send } = transport()
  const begin = async () => {
    const source = (await send({ ...get(base), connections: 4 })).body[Symbol.asyncIterator]()
    const { value } = await source.next()
    await source.return?.()
    return String(value)
  }
  expect(new Set(await Promise.all(Array.from({ length: 100 }, begin)))).toEqual(new Set(['{}']))
})

test('the time that a request waits for a connection is not time of its answer', async () => {
  const base = await serve((_, response) => void setTimeout(() => response.end('{}'), 800))
  const { send } = transport({ timeout: 1500 })
  const request = { ...get(base), connections: 1 }
  const answers = Array.from({ length: 3 }, () => send(request).then(text))
  expect(await Promise.all(answers)).toEqual(['{}', '{}', '{}'])
})

test('a request that waited for a connection is not sent where it must not begin any more', async () => {
  let asked = 0
  const lost = new Error('Another process works on the job')
  let isLost = false
  const base = await serve((_, response) => {
    asked++
    isLost = true
    response.end('{}')
  })
  const { send } = transport()
  const check = () => {
    if (isLost) throw lost
  }
  const request = { ...get(base), connections: 1, check }
  const [first, second] = await Promise.allSettled([send(request).then(text), send(request).then(text)])
  expect([first, second, asked]).toEqual([
    { status: 'fulfilled', value: '{}' },
    { status: 'rejected', reason: lost },
    1,
  ])
})
