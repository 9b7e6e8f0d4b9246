/**
 * Servers, and what stands before them, at their worst. Where a fault may take memory, or the end of the program, the built
 * program meets it as a real process; where it is only an answer, this process does, over real sockets too.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { projects } from '../../src/api/endpoints.ts'
import { list } from '../../src/api/pages.ts'
import { RejectedError } from '../../src/errors.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { analytics, type Env, type Finished } from '../process/program.ts'
import { newWorld } from '../world.ts'
import { type FaultServer, startFaults } from './fault-server.ts'
import { type FaultName, faults, page } from './faults.ts'
import { watched } from './watched.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaults()
})
afterAll(() => server.close())

const commands = {
  get: ['persons', 'get', '1'],
  ids: ['persons', 'list', '--all', '-o', 'ids'],
  five: ['persons', 'list', '--limit', '5', '-o', 'ids'],
  table: ['persons', 'list', '--limit', '5'],
  trends: ['persons', 'trends', '-o', 'ids'],
  raw: ['api', 'GET', '/api/projects/1/persons/1/'],
  delete: ['persons', 'delete', '1', '--yes'],
  deleteMany: ['persons', 'delete', '--email', 'bob@example.com', '--max', '9', '--yes'],
  upgrade: ['plugins', 'upgrade', '1', '--organization', '018f0000-0000-4000-8000-000000000001'],
  update: ['projects', 'update', '1', '--timezone', 'UTC'],
}

const overdue = 'HOST timed out after 1 s.'
const notKnown = 'It is not known whether the change was made: check before you repeat it.'

const safeAgain = 'The change may have been made; it is safe to run the same command again.'

type Row = [fault: FaultName, command: keyof typeof commands, exit: number, says: string, requests?: number]

/** What stderr begins with, `HOST` standing for the server. Where nothing is said of requests, one was sent. */
const hard: Row[] = [
  ['closes at once', 'get', 7, 'HOST closed the connection.'],
  ['closes at once', 'upgrade', 7, `HOST closed the connection.\n${notKnown}`],
  ['never answers', 'get', 7, overdue],
  ['never answers', 'delete', 7, `${overdue}\nIt may have been deleted: look for it before you repeat the command.`],
  ['drips its head', 'get', 7, overdue],
  ['drips its body', 'get', 7, overdue],
  ['drips its body', 'ids', 7, overdue],
  ['stops in the middle', 'ids', 7, overdue],
  ['claims too long a body', 'get', 7, 'The answer of HOST was cut off.'],
  ['claims too long a body', 'update', 7, `The answer of HOST was cut off.\n${safeAgain}`],
  ['claims too short a body', 'get', 5, 'Unexpected response: cut short.'],
  ['ends without the last chunk', 'ids', 7, 'The answer of HOST was cut off.'],
  ['sends chunks of nonsense', 'get', 7, 'The answer of HOST was cut off.'],
  ['speaks another protocol', 'get', 7, 'HOST does not speak HTTP.'],
  ['sends headers without end', 'get', 7, 'HOST sent headers that are too large.'],
  ['sends a header of control characters', 'get', 7, 'HOST does not speak HTTP.'],
  ['says continue first', 'get', 0, ''],
  ['gives early hints', 'get', 0, ''],
  ['gives early hints for ever', 'get', 7, overdue],
  ['switches protocols', 'get', 7, 'HOST closed the connection.'],
  ['sends gzip unasked', 'get', 0, ''],
  ['sends a gzip bomb', 'get', 5, 'Unexpected response: more than 64 MB when it is decompressed.'],
  ['sends a gzip bomb', 'raw', 5, 'Unexpected response: more than 64 MB when it is decompressed.'],
  ['answers twice', 'get', 0, ''],

  ['nests deeply', 'ids', 0, ''],
  ['nests deeply', 'get', 5, 'A record of the answer is nested too deeply.'],
  ['nests deeply', 'update', 5, 'A record of the answer is nested too deeply.'],
  ['sends gigabytes', 'get', 5, 'The answer is larger than 256 MB, and was not read to its end.'],
  ['sends gigabytes', 'ids', 5, 'Unexpected response: a member that is too large.'],
  ['sends one row without end', 'ids', 5, 'Unexpected response: an item that is too large.'],
  ['sends tiny rows without end', 'five', 0, ''],
  ['sends members without end', 'ids', 5, 'Unexpected response: too much around its items.'],
  ['sends white space without end', 'ids', 5, 'Unexpected response: too much around its items.'],
  ['sends very many rows at once', 'trends', 0, ''],
  ['sends very many members', 'get', 0, ''],
  ['sends a row of many members', 'table', 0, ''],

  ['leads from page to page without end', 'five', 0, '', 5],
  ['leads from page to page without end', 'deleteMany', 10, 'The server ignored the filter', 2],
]

const plain: Row[] = [
  ['sends nothing', 'get', 5, 'Unexpected response: an empty body instead of one record.'],
  ['sends nothing', 'ids', 5, 'Unexpected response: empty.'],
  ['sends null', 'get', 5, 'Unexpected response: null instead of one record.'],
  ['sends null', 'ids', 5, 'Unexpected response: no list.'],
  ['sends half of JSON', 'get', 5, 'Unexpected response: cut short.'],
  ['sends two documents', 'get', 5, 'Unexpected response: text after its end.'],
  ['sends NaN', 'get', 5, 'Unexpected response: not JSON.'],
  ['sends NaN', 'ids', 5, 'Unexpected response: not JSON.'],
  ['sends bytes that are no UTF-8', 'table', 5, 'Unexpected response: not UTF-8.'],

  ['leads back to the first page', 'ids', 0, 'The service led back to a page already read, so the list ends there'],
  ['leads to no address', 'ids', 5, 'Unexpected response: its next page has no address.'],
  ['leads to a number', 'ids', 5, 'Unexpected response: its next page has no address.'],

  ['is a web page', 'get', 5, 'Unexpected response: a web page.'],
  ['is a web page', 'delete', 5, 'Unexpected response: a web page.'],
  ['is a web page in disguise', 'get', 5, 'Unexpected response: a web page.'],
  ['sends to a log-in page', 'get', 5, 'The service redirects to a log-in page at http://HOST.'],
  ['sends to nowhere', 'get', 5, 'The service redirects without an address.'],
  ['wants https', 'get', 5, 'The service is at https://HOST, not at http://HOST.'],
  ['is a proxy that wants a password', 'get', 5, 'The proxy wants a user name and password (407)'],
  ['is a gateway without a server', 'get', 7, 'The service failed (502): the answer is a web page.'],
  ['is a content network', 'get', 7, 'The service failed (524): error code: 524.'],

  ['refuses a field', 'update', 5, 'The service refused the request (400): timezone: This field is required.'],
  ['swaps code and detail', 'get', 5, 'The service refused the request (400): Something is wrong here.'],
  ['refuses with a message', 'get', 5, 'The service refused the request (400): Not today: The moon is full.'],
  ['refuses in plain text', 'get', 5, 'The service refused the request (400): No.'],
  [
    'refuses without a word',
    'get',
    5,
    'The service refused the request (400).\nThe service gave no reason; the same request would be refused again.',
  ],
  ['does not know the key', 'get', 4, 'The key was not accepted (401): Invalid key.'],
  ['does not allow it', 'get', 4, 'Not allowed (403): Not for you.'],
  ['wants money', 'update', 5, 'The plan or licence of the server does not include this (402): Upgrade.'],
  ['knows nobody', 'delete', 3, 'Project 1 was not found.', 2],
  ['fails', 'get', 7, 'The service failed (500): A server error occurred.'],
  ['fails with a web page', 'get', 7, 'The service failed (500): the answer is a web page.'],
  ['asks to wait for nonsense', 'get', 6, 'Too many requests (429).'],
  ['answers with control characters', 'get', 5, 'The service refused the request (400): \\u001b[2J'],

  ['accepts and ignores', 'update', 5, 'The service accepted timezone and did not apply it.'],
  ['accepts without a body', 'update', 0, 'The service accepted the change of project 1'],
  ['deletes', 'delete', 0, 'Deleted person 1 of project 1'],
  ['deletes with a body', 'delete', 0, 'Deleted person 1 of project 1'],
]

/** MB; what is read whole may be 256 of them. */
const most: Partial<Record<FaultName, number>> = {
  'sends gigabytes': 450,
  'sends one row without end': 450,
  'sends very many rows at once': 300,
  'sends very many members': 400,
  'sends a row of many members': 200,
}

type Run = (argv: readonly string[], env: Env) => Promise<Finished>

async function meets(run: Run, [fault, command, exit, says, requests = 1]: Row): Promise<void> {
  const { url, asked } = server.meet(faults[fault])
  const patience = says.startsWith(overdue) ? '1' : '30'
  const { code, stderr } = await run([...commands[command], '--timeout', patience, '--retries', '0'], at(url))
  const output = stderr.replaceAll(new URL(url).host, 'HOST')
  expect([code, output.slice(0, says.length), asked.length]).toEqual([exit, says, requests])
  if (says === '') expect(output).toBe('')
}

describe.concurrent('a service that', () => {
  test.each(hard)('%s: %s', async (...row) => {
    let peak = 0
    await meets(async (argv, env) => {
      const ended = await watched(argv, env)
      peak = ended.peak
      return ended
    }, row)
    expect(peak).toBeLessThan(most[row[0]] ?? 160)
  })
})

describe('a service that', () => {
  const here: Run = (argv, env) => newWorld().run(argv, { env })

  test.each(plain)('%s: %s', (...row) => meets(here, row))

  test.each([
    ['sends nothing', 'get'],
    ['sends nothing', 'ids'],
    ['sends nothing', 'trends'],
    ['sends no id', 'get'],
    ['sends null', 'get'],
    ['sends null', 'ids'],
    ['sends NaN', 'get'],
    ['sends NaN', 'ids'],
  ] as const)('%s: the error in JSON holds its status: %s', async (fault, command) => {
    const { url } = server.meet(faults[fault])
    const { stderr } = await here([...commands[command], '-o', 'json'], at(url))
    expect(JSON.parse(stderr).error).toMatchObject({ exit: 5, status: 200, code: 'not-the-service' })
  })

  /** The whole of the patience that is usual: four retries, and five minutes for a wait. */
  test.each<Row>([
    ['asks to wait for a year', 'get', 6, 'Too many requests (429): Request was throttled.', 1],
    ['asks to wait in words', 'upgrade', 6, 'Too many requests (429)', 1],
    ['asks to wait until a date', 'get', 7, 'The service failed (503).', 1],
    ['fails', 'upgrade', 7, 'The service failed (500)', 1],
    ['speaks another protocol', 'get', 7, 'HOST does not speak HTTP.', 1],
    ['does not know the key', 'get', 4, 'The key was not accepted (401)', 1],
    ['is a web page', 'update', 5, 'Unexpected response: a web page.', 1],
    ['fails', 'get', 7, 'The service failed (500)', 5],
    ['fails', 'delete', 7, 'The service failed (500): A server error occurred.\nIt may have been deleted', 5],
  ])('%s is asked no more often than makes sense: %s', async (fault, command, exit, says, requests) => {
    const { url, asked } = server.meet(faults[fault])
    const { code, stderr } = await here(commands[command], at(url))
    const lines = stderr.split('\n').filter(line => !line.startsWith('The service is not available; trying again'))
    expect([code, lines.join('\n').replaceAll(new URL(url).host, 'HOST').slice(0, says.length), asked.length]).toEqual([
      exit,
      says,
      requests,
    ])
  })

  test.each<Row>([
    ['is a web page', 'get', 5, 'Unexpected response: a web page.'],
    ['is a proxy that wants a password', 'get', 5, 'The proxy wants a user name and password (407)'],
    ['is a gateway without a server', 'delete', 7, 'The service failed (502)'],
    ['sends to a log-in page', 'ids', 5, 'The service redirects to a log-in page'],
    ['closes at once', 'get', 7, 'The proxy HOST closed the connection.'],
  ])('%s, as a proxy before it: %s', async (fault, command, exit, says) => {
    const { url, asked } = server.meet(faults[fault])
    const env = { ...at('http://analytics.example.com'), ANALYTICS_ALLOW_HTTP: '1', HTTP_PROXY: new URL(url).origin }
    const base = `http://analytics.example.com${new URL(url).pathname}`
    const { code, stderr } = await here([...commands[command], '--base-url', base, '--retries', '0'], env)
    expect([code, stderr.replaceAll(new URL(url).host, 'HOST').slice(0, says.length), asked.length]).toEqual([
      exit,
      says,
      1,
    ])
  })
})

function at(url: string): Env {
  return { ANALYTICS_BASE_URL: url, ANALYTICS_API_KEY: 'key-of-environment', ANALYTICS_PROJECT: '1' }
}

test('empty pages that lead to one another without end are followed for long, but not for ever', async () => {
  let sent = 0
  const send = async () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield Buffer.from(page(`?cursor=${++sent}`, ''))
    })(),
  })
  const client = createClient(new URL('http://127.0.0.1/'), send, createSecrets())
  const { batches } = list(client, client.request(projects.list, { path: {} }), { follow: true })
  const read = async () => {
    for await (const _ of batches) throw new Error('There are no rows')
  }
  await expect(read()).rejects.toBeInstanceOf(RejectedError)
  expect(sent).toBeLessThan(10_010)
})

test('memory does not grow with the addresses of the pages that were read', async () => {
  let sent = 0
  const server = createServer({ maxHeaderSize: 2 ** 20 }, (_, response) => {
    const next = ++sent < 64 ? `?cursor=${sent}${'x'.repeat(2 ** 19)}` : null
    response.writeHead(200, { 'content-type': 'application/json' }).end(page(next))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // 32 MB of addresses do not fit in that.
  const small = { NODE_OPTIONS: '--max-old-space-size=24' }
  const { code } = await analytics(commands.ids, { ...at(`http://127.0.0.1:${port}/`), ...small })
  server.close()
  expect([code, sent]).toEqual([0, 64])
})
