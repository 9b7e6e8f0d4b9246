import { expect, test } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { persons } from '../../src/api/endpoints.ts'
import { list, type Reading } from '../../src/api/pages.ts'
import type { Send } from '../../src/http/message.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'

const all: Reading = { follow: true }

/** Everything that can happen without the outside world has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** A page of two rows, in three chunks: what stands before the rows, the rows, the end. */
function chunksOf(page: number, last: number): Buffer[] {
  const next = page < last ? `"?cursor=${page + 1}"` : 'null'
  return [`{"next":${next},"results":[`, `{"id":${page}},{"id":${page}}`, ']}'].map(text => Buffer.from(text))
}

/** A service of so many pages, which gives a chunk only when the test lets it. */
function service(last: number) {
  const asked: number[] = []
  const gates: (() => void)[] = []
  let open = false
  async function* body(page: number) {
    for (const chunk of chunksOf(page, last)) {
      if (!open) await new Promise<void>(resolve => gates.push(resolve))
      yield chunk
    }
  }
  const send: Send = async ({ url }) => {
    const page = Number(url.searchParams.get('cursor') ?? 1)
    asked.push(page)
    return { status: 200, headers: {}, body: body(page) }
  }
  const client = createClient(new URL('http://127.0.0.1/'), send, createSecrets())
  const read = (reading: Reading) => {
    const request = client.request(persons.list, { path: { project_id: '1' } })
    return list(client, request, reading).batches[Symbol.asyncIterator]()
  }
  return {
    asked,
    read,
    openAll() {
      open = true
      for (const pass of gates.splice(0)) pass()
    },
    /** Lets the chunk through that has waited the longest. */
    async pass() {
      await settled()
      gates.shift()?.()
      await settled()
    },
  }
}

test('however slow the reader is, one page is asked for ahead of the one that it has, and no more', async () => {
  const { asked, read, openAll } = service(6)
  openAll()
  const batches = read(all)
  for (let page = 1; page <= 6; page++) {
    await batches.next()
    await settled()
    // The second page is not asked for before the first was given away.
    expect(asked.length).toBe(page === 1 ? 1 : Math.min(6, page + 1))
  }
  expect(await batches.next()).toMatchObject({ done: true })
  expect(asked).toEqual([1, 2, 3, 4, 5, 6])
})

test('a page is asked for as soon as the one before it says where it is', async () => {
  const { asked, read, pass } = service(3)
  const batches = read(all)
  const first = batches.next()
  for (let chunk = 0; chunk < 3; chunk++) await pass()
  await first
  expect(asked).toEqual([1])
  const second = batches.next()
  await settled()
  expect(asked).toEqual([1, 2])
  await pass()
  expect(asked).toEqual([1, 2, 3])
  // Three more chunks to each page, less the one that has passed.
  for (let chunk = 0; chunk < 5; chunk++) await pass()
  expect(await second).toMatchObject({ value: [{}, {}] })
})

test('no page is asked for that a limit makes needless', async () => {
  const { asked, read, openAll } = service(6)
  openAll()
  const seen: unknown[] = []
  const batches = read({ follow: true, limit: 4 })
  for (let step = await batches.next(); !step.done; step = await batches.next()) seen.push(...step.value)
  await settled()
  expect([seen.length, asked]).toEqual([4, [1, 2]])
})

test('a reader that leaves leaves nothing behind that fails', async () => {
  const { read, pass } = service(3)
  const batches = read(all)
  const first = batches.next()
  for (let chunk = 0; chunk < 3; chunk++) await pass()
  await first
  await batches.return?.()
  await settled()
  expect(await batches.next()).toMatchObject({ done: true })
})
