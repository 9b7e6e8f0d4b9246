import { expect, test } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { persons } from '../../src/api/endpoints.ts'
import { list } from '../../src/api/pages.ts'
import type { Send } from '../../src/http/message.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'

/** Waits until everything that needs no outside event is done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** A service with `last` pages of two rows, and the pages that were requested. */
function service(last: number) {
  const asked: number[] = []
  const send: Send = async ({ url }) => {
    const page = Number(url.searchParams.get('cursor') ?? 1)
    asked.push(page)
    const next = page < last ? `?cursor=${page + 1}` : null
    const results = [{ id: page }, { id: -page }]
    const body = Buffer.from(JSON.stringify({ next, results }))
    return { certainty: 'answered', response: { status: 200, headers: {}, body } }
  }
  const client = createClient(new URL('http://127.0.0.1/'), send, createSecrets())
  const read = (reading: Parameters<typeof list>[2]) => {
    const request = client.request(persons.list, { path: { project_id: '1' } })
    return list(client, request, reading).batches[Symbol.asyncIterator]()
  }
  return { asked, read }
}

test('however slow the reader is, one page is requested ahead, and no more', async () => {
  const { asked, read } = service(6)
  const batches = read({ follow: true })
  for (let page = 1; page <= 6; page++) {
    await batches.next()
    await settled()
    expect(asked.length).toBe(Math.min(6, page + 1))
  }
  expect(await batches.next()).toMatchObject({ done: true })
  expect(asked).toEqual([1, 2, 3, 4, 5, 6])
})

test('no page is requested beyond a limit', async () => {
  const { asked, read } = service(6)
  const seen: unknown[] = []
  const batches = read({ follow: true, limit: 4 })
  for (let step = await batches.next(); !step.done; step = await batches.next()) seen.push(...step.value)
  await settled()
  expect([seen.length, asked]).toEqual([4, [1, 2]])
})
