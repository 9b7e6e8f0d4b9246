import { expect, test } from 'vitest'
import { AuthError } from '../../src/errors.ts'
import { authorize } from '../../src/http/authorize.ts'
import type { Request, Send } from '../../src/http/message.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { answered, get, responseOf } from './loopback.ts'

const origin = 'https://analytics.example.com'
const read = get(new URL(origin))

/** Sends with the keys that are named one after the other, the last one for good; `isGood` says which the service takes. */
function withKeys(keys: readonly string[], isGood = (_: string) => true) {
  const sent: string[] = []
  let asked = 0
  const next: Send = async ({ headers }) => {
    const used = headers.authorization?.replace('Bearer ', '') ?? ''
    sent.push(used)
    await new Promise(resolve => setImmediate(resolve))
    return answered({ status: isGood(used) ? 200 : 401, headers: {}, body: Buffer.alloc(0) })
  }
  const key = async () => keys[Math.min(asked++, keys.length - 1)] ?? ''
  const authorized = authorize(next, { origin, key, headers: { 'x-of-proxy': 'a' }, secrets: createSecrets() })
  const send = async (request: Request) => responseOf(await authorized(request))
  return { send, sent, asked: () => asked }
}

test('the key is sent to its own origin only, and is read once', async () => {
  const { send, sent, asked } = withKeys(['the-first-key', 'another-key'])
  for (let i = 0; i < 2; i++) expect((await send(read)).status).toBe(200)
  expect([sent, asked()]).toEqual([['the-first-key', 'the-first-key'], 1])
})

test.each([
  'http://analytics.example.com',
  'https://analytics.example.com:8443',
  'https://analytics.example.com.evil.test',
  'https://example.com',
])('neither the key nor the request is sent to %s', async other => {
  const { send, sent } = withKeys(['the-key'])
  const error = await send(get(new URL(other))).catch(error => error)
  expect(error).toBeInstanceOf(AuthError)
  expect([error.message.includes('the-key'), sent]).toEqual([false, []])
})

test.each(['', ' ', 'two\nlines', 'schlüssel'])('%j cannot be a key, and is not sent', async key => {
  const { send, sent } = withKeys([key])
  await expect(send(read)).rejects.toBeInstanceOf(AuthError)
  expect(sent).toEqual([])
})

test('a 401 reads the key again, once for all requests under way, and a new key is used', async () => {
  const { send, sent, asked } = withKeys(['old-key', 'new-key'], used => used === 'new-key')
  const answers = await Promise.all([send(read), send(read), send(read)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect([sent.filter(used => used === 'old-key').length, asked()]).toEqual([3, 2])
  await send(read)
  expect([sent.at(-1), asked()]).toEqual(['new-key', 2])
})

test('if the key is the same, the 401 is returned', async () => {
  const { send, sent, asked } = withKeys(['old-key'], () => false)
  const answers = await Promise.all([send(read), send(read)])
  expect(answers.map(({ status }) => status)).toEqual([401, 401])
  expect([sent.length, asked()]).toEqual([2, 2])
})

test('after three different keys a 401 is returned', async () => {
  const { send, sent } = withKeys(
    Array.from({ length: 9 }, (_, i) => `key-number-${i}`),
    () => false,
  )
  expect([(await send(read)).status, sent.length]).toEqual([401, 3])
})
