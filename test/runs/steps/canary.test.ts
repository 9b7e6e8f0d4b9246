/** The first targets of a run have to be gone before the others are sent. */
import { expect, test } from 'vitest'
import { type Answer, emptyPage, isList, json, notFound, personId, personRow } from '../../server.ts'
import { accepting, jobCounts, startService } from '../../service.ts'

const ten = '1 2 3 4 5 6 7 8 9 10 --yes --concurrency 1'

test('a canary that is still there is not deleted, and is sent again', async () => {
  let stays = true
  const service = await startService((asked, response) => {
    if (asked.method === 'DELETE') return void response.writeHead(202).end()
    if (isList(asked)) return emptyPage(response)
    if (!/\/persons\/\d+\/$/.test(asked.path)) return json(response, { id: 1, name: 'P' })
    if (stays) json(response, personRow(personId(asked.path)))
    else notFound(response)
  })
  const { code, stdout } = await service.run('persons delete 1 2 3 --yes --canary 1 --receipt r.json -o ndjson')
  expect([code, stdout.includes('"deleted"'), service.sent().length]).toEqual([5, false, 1])
  expect(service.receipt().outcomes[0]).toMatchObject({ status: 'failed', error: { code: 'still-there' } })
  stays = false
  expect((await service.run('jobs resume --last')).code).toBe(0)
  expect(service.sent().map(({ path }) => personId(path))).toEqual([1, 1, 2, 3])
})

test('the canary counts with one target, too', async () => {
  const service = await startService((asked, response) => {
    if (asked.method === 'GET' && /\/persons\/1\/$/.test(asked.path)) return json(response, personRow(1))
    return accepting(asked, response)
  })
  expect((await service.run('persons delete 1 --canary 1 --yes')).code).toBe(5)
})

test('a canary of all targets stops nothing: the run has ended, and a resume looks at them again', async () => {
  let open = false
  const { run, server } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (asked.method === 'GET') return notFound(response)
    if (personId(asked.path) === 2 && !open) return json(response, {}, 400)
    response.writeHead(204).end()
  })
  const { code, stderr } = await run('persons delete 1 2 --yes --canary 2')
  expect([code, stderr]).toEqual([8, expect.stringContaining('1 of 2 failed')])
  expect(await jobCounts(run)).toEqual(['failed', 1, 1])
  open = true
  expect((await run('jobs resume --last')).code).toBe(0)
  expect(server.asked.slice(-3).map(({ path }) => path)).toEqual([
    '/api/projects/1/persons/2/',
    '/api/projects/1/persons/',
    '/api/projects/1/persons/2/',
  ])
})

/** A service without the persons `gone`; it accepts a deletion of the others, and does not carry out that of `kept`. */
function serviceWith({
  gone,
  kept = [],
}: {
  readonly gone: readonly number[]
  readonly kept?: readonly number[]
}): Answer {
  const missing = new Set(gone)
  return (asked, response) => {
    if (isList(asked)) return emptyPage(response)
    const id = personId(asked.path)
    if (missing.has(id)) return notFound(response)
    if (asked.method === 'GET') return json(response, personRow(id))
    if (!kept.includes(id)) missing.add(id)
    response.writeHead(202).end()
  }
}

const requests = ({ server }: Awaited<ReturnType<typeof startService>>) =>
  server.asked.filter(asked => !isList(asked)).map(({ method, path }) => `${method} ${personId(path)}`)

test('a target that was gone already is no canary: the next one is deleted and read again before the others', async () => {
  const service = await startService(serviceWith({ gone: [1, 2, 4] }))
  const { code, stdout } = await service.run(`persons delete ${ten} --canary 2 -o ids --receipt r.json`)
  expect([code, stdout]).toEqual([0, '3\n5\n1\n2\n4\n6\n7\n8\n9\n10\n'])
  expect(requests(service).slice(0, 13)).toEqual([
    ...['DELETE 1', 'DELETE 2', 'DELETE 3', 'GET 3', 'GET 3', 'DELETE 4', 'DELETE 5', 'GET 5', 'GET 5'],
    ...['GET 1', 'GET 2', 'GET 4', 'DELETE 6'],
  ])
  expect(service.receipt().counts).toMatchObject({ deleted: 7, gone: 3 })
})

test('a service that only says it deletes is found out, although the first targets are gone', async () => {
  const service = await startService(serviceWith({ gone: [1, 2], kept: [3, 4, 5, 6, 7, 8, 9, 10] }))
  const { code, stderr } = await service.run(`persons delete ${ten} --canary 1 --receipt r.json`)
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('the service answered the deletion of 3, and it is still there'),
  ])
  expect(service.sent().map(({ path }) => personId(path))).toEqual([1, 2, 3])
  expect(service.receipt().counts).toMatchObject({ gone: 2, deleted: 0, failed: 1, left: 7 })
})

test('a plan keeps its canary where the first targets are gone since, and so does a resume', async () => {
  const kept = [3]
  const service = await startService(serviceWith({ gone: [1], kept }))
  expect((await service.run('persons delete 1 2 3 4 5 --canary 2 --plan p.json')).code).toBe(0)
  expect((await service.run('jobs run p.json --yes --concurrency 1')).code).toBe(5)
  expect(service.sent().map(({ path }) => personId(path))).toEqual([1, 2, 3])
  kept.pop()
  const resumed = requests(service).length
  expect((await service.run('jobs resume --last')).code).toBe(0)
  expect(requests(service).slice(resumed)).toEqual(['DELETE 3', 'GET 3', 'GET 3', 'DELETE 4', 'DELETE 5'])
})

test('where every target was gone already, each is read once', async () => {
  const service = await startService(serviceWith({ gone: [1, 2, 3] }))
  expect((await service.run('persons delete 1 2 3 --canary 1 --yes')).code).toBe(0)
  expect(requests(service)).toEqual(['DELETE 1', 'DELETE 2', 'DELETE 3', 'GET 1', 'GET 2', 'GET 3'])
})

test('the canary is deleted, looked at again until it is gone, and then the others follow', async () => {
  let looks = 0
  const { run, server } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (asked.method === 'GET' && ++looks < 3) return json(response, { id: 1 })
    if (asked.method === 'GET') notFound(response)
    else response.writeHead(204).end()
  })
  expect((await run(`persons delete ${ten} --canary 1`)).code).toBe(0)
  const asked = server.asked.map(one => (isList(one) ? 'LIST' : one.method))
  expect(asked.slice(0, 6)).toEqual(['DELETE', 'GET', 'GET', 'GET', 'LIST', 'GET'])
  expect(asked).toHaveLength(15)
})

test('a 404 that nobody vouches for confirms no canary: the list is not there either', async () => {
  const service = await startService(({ method }, response) => {
    if (method === 'DELETE') response.writeHead(202).end()
    else notFound(response)
  })
  const { code, stderr } = await service.run('persons delete 5 6 7 --canary 1 --yes --receipt r.json')
  expect([code, service.sent().length]).toEqual([3, 1])
  expect(stderr).toContain('The deletion of 5 was sent, and it is not known whether it is gone')
  expect(service.receipt()).toMatchObject({ counts: { deleted: 0, left: 3 }, complete: false })
})

test.each(['5', '5 6'])('the receipt of %s says what may be done, where the canary cannot be read', async ids => {
  let isReadable = false
  const service = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (asked.method === 'GET') return isReadable ? notFound(response) : json(response, { detail: 'No.' }, 400)
    if (isReadable) notFound(response)
    else response.writeHead(204).end()
  })
  const deleting = await service.run(`persons delete ${ids} --canary 1 --delete-events --yes --receipt r.json`)
  expect([deleting.code, service.sent().length]).toEqual([5, 1])
  expect(deleting.stderr).toContain('The deletion of 5 was sent, and it is not known whether it is gone: ')
  const { events, notes, outcomes } = service.receipt()
  expect([events?.queued, outcomes[0]?.status]).toEqual([null, 'left'])
  expect(notes.join()).toContain('may be done')
  isReadable = true
  if (ids === '5') return
  // Now it is gone: the deletion that was accepted is found done.
  await service.run('jobs resume --last --receipt r.json')
  expect(service.receipt().outcomes[0]).toMatchObject({ status: 'deleted', evidence: 'inferred' })
})

test('the time limit begins no other target, and the canary is still looked at', async () => {
  const service = await startService(serviceWith({ gone: [] }))
  const limits = '--rate 1/s --max-duration 1500ms'
  const { code, stderr } = await service.run(`persons delete 1 2 --canary 1 ${limits} --yes --receipt r.json`)
  expect([code, stderr]).toEqual([8, expect.stringContaining('Deleted 1 of 2 persons, 1 left')])
  expect(service.receipt()).toMatchObject({ counts: { deleted: 1, left: 1 } })
})

test('a canary that was not there, so that its events were not queued, stops the run; a resume goes on with the next', async () => {
  const gone = new Set([1, 2])
  const { run, server } = await startService((asked, response) => {
    const id = personId(asked.path)
    if (isList(asked)) return emptyPage(response)
    if (gone.has(id)) return notFound(response)
    gone.add(id)
    response.writeHead(204).end()
  })
  const deleting = await run(`persons delete ${ten} --delete-events --canary 1 -o ndjson`)
  expect([deleting.code, deleting.stdout.match(/"id":"\d+"/g)]).toEqual([8, ['"id":"1"']])
  expect((await run('jobs resume --last')).code).toBe(8)
  expect(await jobCounts(run)).toEqual(['interrupted', 0, 2])
  const { code, stdout } = await run('jobs resume --last -o ids')
  expect([code, stdout]).toEqual([8, '3\n4\n5\n6\n7\n8\n9\n10\n'])
  expect(await jobCounts(run)).toEqual(['failed', 8, 2])
  expect(server.asked.filter(({ method, path }) => method === 'GET' && personId(path) === 3)).toHaveLength(2)
})

test('a canary whose deletion came later than it was looked at is deleted: the service had accepted its events', async () => {
  let isLate = true
  const { run, receipt } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (personId(asked.path) !== 1) return void response.writeHead(asked.method === 'GET' ? 404 : 202).end()
    if (!isLate) return notFound(response)
    asked.method === 'GET' ? json(response, { id: 1 }) : void response.writeHead(202).end()
  })
  expect((await run('persons delete 1 2 --delete-events --yes --canary 1 --concurrency 1')).code).toBe(5)
  isLate = false
  expect((await run('jobs resume --last --receipt r.json')).code).toBe(0)
  const { outcomes } = receipt()
  expect(outcomes).toMatchObject([
    { id: '1', status: 'deleted', evidence: 'inferred' },
    { id: '2', status: 'deleted', evidence: 'accepted' },
  ])
})

test('a canary that is still there is failed and stops the run, and a resume deletes it again', async () => {
  const { run, server } = await startService(({ method }, response) => {
    if (method === 'GET') json(response, { id: 1 })
    else response.writeHead(204).end()
  })
  const { code, stdout } = await run(`persons delete ${ten} --canary 2 -o ndjson`)
  const deletes = () => server.asked.filter(({ method }) => method === 'DELETE').length
  expect([code, deletes()]).toEqual([5, 1])
  expect(stdout).toBe(
    '{"id":"1","status":"failed","error":{"name":"rejected","status":null,"code":"still-there","message":"Stopped: the service answered the deletion of 1, and it is still there"}}\n',
  )
  const [job] = JSON.parse((await run('jobs list -o json')).stdout) as { id: string }[]
  expect((await run(`jobs resume ${job?.id}`)).code).toBe(5)
  expect(deletes()).toBe(2)
  // Of one target nothing is said of others.
  const alone = await run('persons delete 1 --canary 1 --yes')
  expect(alone.stderr).toMatch(/still there\.\nLook at it with analytics persons get 1 before you delete more\.\n$/)
})
