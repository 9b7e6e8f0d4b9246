import nock from 'nock'
import { afterEach, expect, test } from 'vitest'
import { authorize } from '../../src/http/authorize.ts'
import { retry } from '../../src/http/retry.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { fakeClock } from '../clock.ts'
import { wire } from '../wire.ts'
import { failureOf, get, responseOf, serve, transport } from './loopback.ts'

const origin = 'https://analytics.example.com'

afterEach(() => {
  nock.cleanAll()
  nock.restore()
})

test('through node:http goes exactly what undici would send, where nock sees it', async () => {
  if (!nock.isActive()) nock.activate()
  const scope = nock(origin, {
    reqheaders: {
      authorization: 'Bearer the-key',
      'user-agent': 'analytics/0.0.0-test',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
    },
  })
    .post('/analytics/api/projects/', { name: 'Ada’s' })
    .query({ format: 'json' })
    .reply(429, 'later', { 'Retry-After': '3' })
    .post('/analytics/api/projects/')
    .query({ format: 'json' })
    .reply(201, { id: 7 })

  const clock = fakeClock()
  const signal = new AbortController().signal
  const authorized = authorize(transport({ dispatcher: wire() }).attempt, {
    origin,
    key: async () => 'the-key',
    headers: {},
    secrets: createSecrets(),
  })
  const send = retry(authorized, { retries: 4, clock, random: Math.random, signal, notice: () => undefined, failureOf })
  const sent = await send({
    ...get(new URL(origin), '/analytics/api/projects/?format=json'),
    method: 'POST',
    effect: 'act',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Ada’s"}',
  })
  const response = responseOf(sent)
  expect([response.status, String(response.body), clock.sleeps]).toEqual([201, '{"id":7}', [3000]])
  scope.done()
})

test('it says when a connection is cut', async () => {
  const base = await serve(request => request.socket.destroy())
  const { send } = transport({ dispatcher: wire() })
  await expect(send(get(base))).rejects.toMatchObject({ exit: 7, facts: { code: 'ECONNRESET' } })
})
