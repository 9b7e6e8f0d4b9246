/** A 404 behind a lost answer counts as a deletion only where the service still answers the list of the target. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { type Answer, emptyPage, json, notFound } from '../server.ts'
import { accepting, startService } from '../service.ts'

type Give = (response: ServerResponse) => void

const forbidden: Give = response => json(response, { detail: 'You do not have permission.' }, 403)

/** A service that fails at the first DELETE of each object, and finds nothing at the second one. */
async function start() {
  const sent = new Set<string>()
  let giveList: Give = emptyPage
  const answer: Answer = (asked, response) => {
    if (asked.query.has('limit')) return giveList(response)
    if (sent.has(asked.path)) return notFound(response)
    if (asked.method === 'GET') return accepting(asked, response)
    sent.add(asked.path)
    json(response, { detail: 'A server error occurred.' }, 500)
  }
  const { run, receipt, server, sent: writes } = await startService(answer)
  return {
    run,
    receipt,
    list: (give: Give) => {
      giveList = give
    },
    lists: () => server.asked.filter(({ query }) => query.has('limit')).map(({ path }) => path),
    deletes: () => writes().length,
  }
}

const unknown: readonly (readonly [string, Give, number])[] = [
  ['is not found', notFound, 3],
  ['is no page', response => json(response, { id: 1 }), 5],
  ['is forbidden', forbidden, 4],
]

test.each(
  unknown,
)('where the list %s, nobody counts as deleted, in the same run or in a resume', async (_, give, exit) => {
  const { run, list, lists, receipt } = await start()
  list(give)
  expect((await run('persons delete 7 8 --yes --concurrency 1')).code).toBe(exit)
  expect((await run('persons delete 17 18 --yes --concurrency 1 --retries 0')).code).toBe(8)
  expect((await run('jobs resume --last --receipt r.json')).code).toBe(exit)
  expect(receipt()).toMatchObject({ complete: true, counts: { deleted: 0, gone: 0, failed: 2, left: 0 } })
  expect(lists()).toHaveLength(2)
  list(emptyPage)
  const { code, stdout } = await run('jobs resume --last --receipt r.json -o ids')
  expect([code, stdout, lists().length]).toEqual([0, '17\n18\n', 4])
  const inferred = { status: 'deleted', evidence: 'inferred' }
  expect(receipt()).toMatchObject({ counts: { deleted: 2 }, outcomes: [inferred, inferred] })
})

const single: readonly (readonly [line: string, list: string])[] = [
  ['persons delete 7', '/api/projects/1/persons/'],
  ['persons delete 7 --delete-events', '/api/projects/1/persons/'],
  [
    'plugins delete 7 --organization 018f0000-0000-4000-8000-000000000001',
    '/api/organizations/018f0000-0000-4000-8000-000000000001/plugins/',
  ],
  ['projects delete 7', '/api/projects/'],
]

const inferred = 'No answer said that it was deleted; it is gone, so it counts as deleted'

test.each(single)('%s is a success behind a lost answer where its list is a page', async (line, list) => {
  const { run, lists, deletes } = await start()
  const { code, stderr } = await run(`${line} --yes`)
  expect([code, stderr]).toEqual([0, expect.stringContaining(inferred)])
  // Before the object is read, and after it.
  expect([lists(), deletes()]).toEqual([[list, list], 2])
})

test.each(single)('%s is none where the list is not found, either', async line => {
  const { run, list } = await start()
  list(notFound)
  const { code, stderr } = await run(`${line} --yes`)
  expect([code, stderr]).toEqual([3, expect.not.stringContaining('Deleted')])
})

test('an answer that proves nothing is not called lost where the object is gone after it', async () => {
  let isGone = false
  const { run } = await startService((asked, response) => {
    if (asked.query.has('limit')) return emptyPage(response)
    if (isGone) return notFound(response)
    isGone = true
    json(response, { queued: true }, 202)
  })
  const { code, stderr } = await run('persons delete 7 --yes')
  expect([code, stderr]).toEqual([0, expect.stringContaining(inferred)])
})

test('projects delete needs no key that may list projects', async () => {
  const { run, list } = await start()
  list(forbidden)
  expect((await run('projects delete 7 --yes')).code).toBe(0)
})

test.each([
  ['an error', 'application/json', '{"error":"upstream"}'],
  ['a page', 'text/html', '<html>Busy</html>'],
  ['plain text', 'text/plain', 'Busy'],
])('%s under a 200 is no answer of the service: a 404 in the resume is inferred', async (_, type, body) => {
  let open = false
  const { run, receipt } = await startService((asked, response) => {
    if (asked.query.has('limit')) return emptyPage(response)
    if (open) return notFound(response)
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  const { code, stdout } = await run('persons delete 7 8 --delete-events --yes --concurrency 1 -o ndjson')
  expect([code, JSON.parse(stdout)]).toMatchObject([
    5,
    { id: '7', status: 'failed', error: { code: 'not-the-service' } },
  ])
  open = true
  expect((await run('jobs resume --last --receipt r.json')).code).toBe(8)
  expect(receipt().outcomes).toMatchObject([
    { id: '7', status: 'deleted', evidence: 'inferred' },
    { id: '8', status: 'failed', error: { code: 'events-not-queued' } },
  ])
})

test('api infers nothing: a 404 behind a lost answer is a 404', async () => {
  const { run } = await start()
  expect((await run('api DELETE /api/projects/1/persons/7/ --yes')).code).toBe(3)
})
