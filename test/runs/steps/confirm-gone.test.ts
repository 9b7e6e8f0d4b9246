/** When a 404 says that a person is gone. */
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyPage, isList, json, notFound, personId } from '../../server.ts'
import { accepting, jobCounts, startService } from '../../service.ts'

const ten = '1 2 3 4 5 6 7 8 9 10 --yes --concurrency 1'

test('under a project that is not there nobody is gone', async () => {
  const service = await startService((_, response) => notFound(response))
  expect((await service.run('persons delete 1 2 3 --yes --receipt r.json')).code).toBe(3)
  expect(service.receipt().outcomes.map(({ status }) => status)).toEqual(['left', 'left', 'left'])
  writeFileSync(join(service.world.folder, 'list'), '1\n')
  expect((await service.run('persons delete --from list --yes')).code).toBe(3)
})

test('a 404 after a 500 is a deletion that is inferred', async () => {
  let tries = 0
  const service = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (++tries === 1) json(response, { detail: 'A server error occurred.' }, 500)
    else notFound(response)
  })
  expect((await service.run('persons delete 1 --yes --receipt r.json')).code).toBe(0)
  expect(service.receipt().outcomes).toMatchObject([{ id: '1', status: 'deleted', evidence: 'inferred' }])
})

test('a 503 that asks to wait is unanswered like any other 5xx', async () => {
  let tries = 0
  const service = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (++tries > 1) return notFound(response)
    response.writeHead(503, { 'retry-after': '0', 'content-type': 'application/json' }).end('{"detail":"Busy."}')
  })
  expect((await service.run('persons delete 1 --delete-events --yes --receipt r.json')).code).toBe(0)
  expect(service.receipt().outcomes).toMatchObject([{ id: '1', status: 'deleted', evidence: 'inferred' }])
})

test('a web page that says 404 is not a person who is gone, but no answer of the service', async () => {
  const { run, server } = await startService(
    (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<html>'),
  )
  expect((await run(`persons delete ${ten}`)).code).toBe(5)
  expect(await jobCounts(run)).toEqual(['interrupted', 0, 0])
  expect(server.asked).toHaveLength(1)
  expect((await run('persons delete 1 --yes')).code).toBe(5)
})

test('with --delete-events a 404 is a failure, unless an earlier attempt was never answered', async () => {
  const tries = new Map<number, number>()
  const { run, server } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    const id = personId(asked.path)
    tries.set(id, (tries.get(id) ?? 0) + 1)
    if (id === 1) return notFound(response)
    if (id === 2 && tries.get(id) === 1) return void response.destroy()
    if (id === 2) return notFound(response)
    response.writeHead(204).end()
  })
  const { code, stdout } = await run('persons delete 1 2 3 --delete-events --yes -o ndjson --concurrency 1')
  const outcomes = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(outcomes).toEqual([
    { id: '3', status: 'deleted', error: null },
    { id: '1', status: 'failed', error: expect.objectContaining({ code: 'events-not-queued', status: 404 }) },
    { id: '2', status: 'deleted', error: null },
  ])
  expect(code).toBe(8)
  expect(
    server.asked.every(({ method, query }) => (method === 'DELETE') === (query.get('delete_events') === 'true')),
  ).toBe(true)
})

test('without --delete-events the parameter is not sent at all', async () => {
  const { run, server } = await startService((_, response) => void response.writeHead(204).end())
  await run(`persons delete ${ten}`)
  expect(server.asked.map(({ query }) => query.toString())).toEqual(Array.from({ length: 10 }, () => ''))
})

test('one that was turned away when the run was stopped was not sent: its 404 is no success', async () => {
  let open = false
  const { run } = await startService((asked, response) => {
    if (!open) return void response.writeHead(401).end()
    isList(asked) ? emptyPage(response) : notFound(response)
  })
  await run('persons delete 1 2 --delete-events --yes --concurrency 1')
  open = true
  const [job] = JSON.parse((await run('jobs list -o json')).stdout) as { id: string }[]
  const { stdout } = await run(`jobs resume ${job?.id} -o ndjson`)
  expect(stdout.match(/events-not-queued/g)).toHaveLength(2)
})

test.each([
  ['is not answered', (response: ServerResponse) => void response.destroy()],
  ['fails', (response: ServerResponse) => json(response, {}, 500)],
])('one whose record %s for the backup was not sent: its 404 in the resume is no success', async (_, answerRead) => {
  let open = false
  const { run, world } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (open || personId(asked.path) === 2) return notFound(response)
    answerRead(response)
  })
  const backup = `${world.folder}/backup`
  await run(`persons delete 1 2 --delete-events --yes --concurrency 1 --retries 0 --backup ${backup}`)
  open = true
  const [job] = JSON.parse((await run('jobs list -o json')).stdout) as { id: string }[]
  const { stdout } = await run(`jobs resume ${job?.id} --backup ${backup} -o ndjson`)
  expect(stdout).toContain('events-not-queued')
  expect(stdout).not.toContain('deleted')
})

test('a single delete whose answer was lost is a success when the person is gone then', async () => {
  let first = true
  const { run } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (first) response.destroy()
    else notFound(response)
    first = false
  })
  expect((await run('persons delete 1 --yes')).code).toBe(0)
})

test('a foreign 404 behind a 5xx does not make the resume forget that the person may be deleted', async () => {
  const answers = [{ status: 500 }, { status: 404, body: { message: 'Not Found' } }]
  const { run } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (personId(asked.path) !== 4) return void response.writeHead(204).end()
    const { status, body = {} } = answers.shift() ?? { status: 404, body: { detail: 'Not found.' } }
    json(response, body, status)
  })
  expect((await run(`persons delete ${ten} --delete-events`)).code).toBe(5)
  expect(await jobCounts(run)).toEqual(['interrupted', 3, 0])
  const { code, stdout } = await run('jobs resume --last --receipt r.json -o ndjson')
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, '{"id":"4","status":"deleted","error":null}'])
})

test('a web page behind a lost answer does not make the resume forget that the person may be deleted', async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    response => void response.destroy(),
    response => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
  ]
  const { run } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    const answer = answers.shift() ?? notFound
    answer(response)
  })
  expect(
    (await run('persons delete 1 2 --delete-events --yes --retries 0 --concurrency 1 --max-failures 1')).code,
  ).toBe(8)
  expect((await run('jobs resume --last')).code).toBe(5)
  const { stdout } = await run('jobs resume --last -o ndjson')
  expect(stdout.split('\n')[0]).toBe('{"id":"1","status":"deleted","error":null}')
})

test('a 5xx whose retry would come after --max-duration may have deleted: its later 404 is a success', async () => {
  let open = false
  const { run } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (open) return notFound(response)
    response.writeHead(500).end()
  })
  expect((await run('persons delete 1 2 --yes --concurrency 1 --delete-events --max-duration 1s')).code).toBe(8)
  open = true
  const { stdout } = await run('jobs resume --last -o ndjson')
  expect(stdout.split('\n')[0]).toBe('{"id":"1","status":"deleted","error":null}')
})

test('that nobody was there is said: it may be the wrong place', async () => {
  const { run } = await startService((asked, response) => (isList(asked) ? emptyPage(response) : notFound(response)))
  const { code, stderr } = await run('persons delete 7 8 --yes')
  expect([code, stderr]).toEqual([0, expect.stringContaining('All targets were gone already')])
})

test('a 404 counts as gone only where the project answers its list with a page', async () => {
  const absent = await startService((_, response) => notFound(response))
  const { code, stdout } = await absent.run('persons delete 7 8 --yes -o ndjson')
  expect([code, stdout]).toEqual([3, ''])
  const other = await startService((asked, response) =>
    isList(asked) ? json(response, { ok: true }) : notFound(response),
  )
  expect((await other.run('persons delete 7 8 --yes')).code).toBe(5)
})

test('a deletion without an answer is not called safe to repeat, nor its events unqueued', async () => {
  const service = await startService((asked, response) => {
    if (asked.method !== 'DELETE') return accepting(asked, response)
    response.destroy()
  })
  const { code, stderr } = await service.run('persons delete 9 --delete-events --yes --retries 0 --receipt r.json')
  expect([code, stderr.split('\n').at(-2)]).toEqual([
    7,
    'It may have been deleted: look for it before you repeat the command, which cannot tell whether the events were queued.',
  ])
  const { events, outcomes } = service.receipt()
  expect(outcomes).toMatchObject([{ id: '9', status: 'failed', evidence: null }])
  expect(events).toMatchObject({
    queued: null,
    note: expect.stringMatching(
      /who were gone, or whose deletion the service refused .* For other failures, and for targets left that may be done, this is not known$/,
    ),
  })
})

test.each([
  [30, 'deleted', 'inferred'],
  [90, 'gone', 'answered'],
])('who was read %i s before its 404 is %s', async (seconds, status, evidence) => {
  const answers = ['read', 'wait']
  const service = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    const answer = answers.shift()
    if (answer === 'read') return accepting(asked, response)
    if (answer === 'wait') return void response.writeHead(429, { 'retry-after': `${seconds}` }).end()
    notFound(response)
  })
  expect((await service.run('persons delete 1 2 --yes --backup b --concurrency 1 --receipt r.json')).code).toBe(0)
  expect(service.receipt().outcomes[0]).toMatchObject({ status, evidence })
})
