import { expect, test } from 'vitest'
import type { Response } from '../../src/http/message.ts'
import { redact } from '../../src/http/redact.ts'

const key = 'phx_0123456789'

async function bodyOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function answered(
  status: number,
  text: string,
  size: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  async function* chunks() {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  return { status, headers, body: chunks() }
}

test('the key is taken out of what a failure says, wherever its bytes are cut', async () => {
  const text = `{"detail":"Näh: ${key}${key} is not phx_01234, ${key}"}`
  for (const size of [1, 2, 5, 13, 14, 15, 1000]) {
    expect(await bodyOf(redact(answered(401, text, size), key))).toBe('{"detail":"Näh: …… is not phx_01234, …"}')
  }
})

test('headers hold neither key nor cookies, and nothing else of them is changed', () => {
  const headers = { 'set-cookie': 'sid=1', location: `/login?k=${key}`, 'x-request-id': 'a' }
  for (const status of [200, 302]) {
    expect(redact(answered(status, '', 1, headers), key).headers).toEqual({
      location: '/login?k=…',
      'x-request-id': 'a',
    })
  }
})

test('records pass as they are, and so does what only happens to look like a very short key', async () => {
  expect(await bodyOf(redact(answered(200, `{"note":"${key}"}`, 4), key))).toBe(`{"note":"${key}"}`)
  expect(await bodyOf(redact(answered(400, '{"key":"key"}', 4), 'key'))).toBe('{"key":"key"}')
})

test('a body that is not read to its end is let go', async () => {
  let isLetGo = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('a'.repeat(100))
    } finally {
      isLetGo = true
    }
  }
  for await (const _ of redact({ status: 500, headers: {}, body: endless() }, key).body) break
  expect(isLetGo).toBe(true)
})
