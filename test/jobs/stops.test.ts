/** What ends a run before its end, with which exit code, and what is left for `jobs resume`. */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Answer, emptyPage, isList, json, notFound, personRow, startServer, type TestServer } from '../server.ts'
import { World } from '../world.ts'

let world = new World()
let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  world.remove()
  world = new World()
})

async function serve(answer: Answer) {
  server = await startServer(answer)
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
  return (line: string) => world.run(line.split(' '), { env })
}

const idOf = (path: string) => Number(path.split('/')[5])
const ten = '1 2 3 4 5 6 7 8 9 10 --yes --concurrency 1'

async function counts(run: (line: string) => Promise<{ stdout: string }>) {
  const [job] = JSON.parse((await run('jobs list -o json')).stdout) as Record<string, unknown>[]
  return [job?.state, job?.done, job?.failed]
}

/** Runs ten deletes of which the fourth meets the answer. */
async function fourth(answer: Answer) {
  const run = await serve((asked, response) => {
    if (idOf(asked.path) === 4) return answer(asked, response)
    response.writeHead(204).end()
  })
  return { run, ...(await run(`persons delete ${ten}`)) }
}

test('a key that is not accepted stops it at once', async () => {
  const { run, code, stderr } = await fourth((_, response) => json(response, {}, 401))
  expect(code).toBe(4)
  expect(stderr).toMatch(/^Resume with: analytics jobs resume \S+$/m)
  expect(await counts(run)).toEqual(['interrupted', 3, 0])
})

test.each(['1', '1 2'])('the receipt of %s says what was left, where the key is not accepted', async ids => {
  const run = await serve((_, response) => json(response, {}, 401))
  expect((await run(`persons delete ${ids} --yes --receipt r.json`)).code).toBe(4)
  const { complete, outcomes } = JSON.parse(readFileSync(`${world.folder}/r.json`, 'utf8'))
  expect(complete).toBe(false)
  expect(outcomes).toEqual(ids.split(' ').map(id => ({ id, status: 'left', error: null, evidence: null, at: null })))
})

test('a 403 before anything succeeded stops it, one behind a success is a failure of that target', async () => {
  const run = await serve((_, response) => json(response, {}, 403))
  expect((await run(`persons delete ${ten}`)).code).toBe(4)
  expect(server?.asked).toHaveLength(1)
  await server?.close()
  const later = await fourth((_, response) => json(response, {}, 403))
  expect(later.code).toBe(8)
  expect(await counts(later.run)).toEqual(['failed', 9, 1])
})

test('a wait longer than --max-wait stops it; inside a run that is 65 minutes', async () => {
  const asking = (seconds: string): Answer => {
    let asked = false
    return (_, response) => {
      if (asked) return void response.writeHead(204).end()
      asked = true
      response.setHeader('retry-after', seconds)
      json(response, {}, 429)
    }
  }
  const patient = await serve(asking('3600'))
  expect((await patient(`persons delete ${ten}`)).code).toBe(0)
  expect(Math.max(...world.sleeps)).toBe(3_600_000)
  await server?.close()

  const run = await serve(asking('4000'))
  expect((await run(`persons delete ${ten}`)).code).toBe(6)
  expect(await counts(run)).toEqual(['interrupted', 0, 0])
  const [job] = JSON.parse((await run('jobs list -o json')).stdout) as { id: string }[]
  expect((await run(`jobs resume ${job?.id}`)).code).toBe(0)
})

test('a service that is gone stops it with 7, and nothing is called failed', async () => {
  const run = await serve(async ({ path }, response) => {
    response.writeHead(204, { connection: 'close' }).end()
    if (idOf(path) === 3) await server?.close()
  })
  expect((await run(`persons delete ${ten}`)).code).toBe(7)
  expect(await counts(run)).toEqual(['interrupted', 3, 0])
})

test('--max-failures stops it with 8', async () => {
  const run = await serve((_, response) => json(response, { code: 'invalid' }, 400))
  const { code, stdout } = await run(`persons delete ${ten} --max-failures 2 -o ndjson`)
  expect([code, stdout.trimEnd().split('\n')]).toEqual([8, [expect.any(String), expect.any(String)]])
  expect(await counts(run)).toEqual(['interrupted', 0, 2])
})

test.each([
  '',
  '--max-failures 1',
  '--canary 1',
])('the only target fails with what became of it, whatever limit it reaches: %s', async limit => {
  const run = await serve((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (idOf(asked.path) === 1) return void response.destroy()
    if (idOf(asked.path) === 2) return json(response, {}, 500)
    notFound(response)
  })
  const one = (id: number) => run(`persons delete ${id} --delete-events --yes --retries 0 ${limit}`.trim())
  const [lost, failed, missing] = [await one(1), await one(2), await one(3)]
  expect(lost).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('It is not known whether the change was made'),
  })
  expect(failed).toMatchObject({ code: 7, stderr: expect.stringContaining('The service failed (500)') })
  expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('Person 3 of project 1 was not found') })
  expect([lost, failed, missing].map(({ stderr }) => stderr).join()).not.toContain('Stopped')
})

test('a canary of all targets stops nothing: the run has ended, and a resume looks at them again', async () => {
  let open = false
  const run = await serve((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (asked.method === 'GET') return notFound(response)
    if (idOf(asked.path) === 2 && !open) return json(response, {}, 400)
    response.writeHead(204).end()
  })
  const { code, stderr } = await run('persons delete 1 2 --yes --canary 2')
  expect([code, stderr]).toEqual([8, expect.stringContaining('1 of 2 failed')])
  expect(await counts(run)).toEqual(['failed', 1, 1])
  open = true
  expect((await run('jobs resume --last')).code).toBe(0)
  expect(server?.asked.at(-1)).toMatchObject({ method: 'GET', path: '/api/projects/1/persons/2/' })
})

test('--max-failures 1 says so in the singular, and of an old job with something left its removal says so', async () => {
  const run = await serve((_, response) => json(response, { code: 'invalid' }, 400))
  expect((await run(`persons delete ${ten} --max-failures 1`)).stderr).toContain('Stopped after 1 failure.')
  world.now += 31 * 86_400_000
  const [{ id }] = JSON.parse((await run('jobs list -o json')).stdout)
  expect((await run('jobs remove --older-than 30d -n')).stderr).toContain(
    `1 job would be removed; 1 of them has something left to try, and could not be resumed then: ${id}\n`,
  )
  expect((await run('jobs remove --older-than 30d')).stderr).toBe(
    `1 job removed; 1 of them had something left to try, and cannot be resumed: ${id}\n`,
  )
  for (const line of [ten, ten]) await run(`persons delete ${line} --max-failures 1`)
  world.now += 31 * 86_400_000
  expect((await run('jobs remove --older-than 30d -n')).stderr).toContain('2 of them have something left to try')
  expect((await run('jobs remove --older-than 30d')).stderr).toContain('2 of them had something left to try')
})

test('the removal of a finished job says so where its failures could be tried again, and only there', async () => {
  let answer: Answer = (_, response) => notFound(response)
  const run = await serve((asked, response) => (asked.method === 'GET' ? emptyPage(response) : answer(asked, response)))
  await run('persons update 1 2 --set plan=pro --yes')
  world.now += 31 * 86_400_000
  expect((await run('jobs remove --older-than 30d')).stderr).toBe('1 job removed\n')
  answer = (_, response) => json(response, { code: 'invalid' }, 400)
  await run('persons update 1 2 --set plan=pro --yes')
  world.now += 31 * 86_400_000
  expect((await run('jobs remove --older-than 30d')).stderr).toContain('1 of them had something left to try')
})

test('a service that fails at everything is left alone after fifty in a row', async () => {
  const run = await serve((_, response) => json(response, {}, 500))
  const ids = Array.from({ length: 200 }, (_, i) => i + 1).join(' ')
  const { code } = await run(`persons delete ${ids} --yes --concurrency 1 --retries 0`)
  expect([code, server?.asked.length]).toEqual([7, 50])
})

test('a web page that says 404 is not a person who is gone, but no answer of the service', async () => {
  const run = await serve((_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<html>'))
  expect((await run(`persons delete ${ten}`)).code).toBe(5)
  expect(await counts(run)).toEqual(['interrupted', 0, 0])
  expect(server?.asked).toHaveLength(1)
  expect((await run('persons delete 1 --yes')).code).toBe(5)
})

test('the canary is deleted, looked at again until it is gone, and then the others follow', async () => {
  let looks = 0
  const run = await serve(({ method }, response) => {
    if (method === 'GET' && ++looks < 3) return json(response, { id: 1 })
    if (method === 'GET') json(response, { detail: 'Not found.' }, 404)
    else response.writeHead(204).end()
  })
  expect((await run(`persons delete ${ten} --canary 1`)).code).toBe(0)
  const methods = server?.asked.map(({ method }) => method)
  expect(methods?.slice(0, 5)).toEqual(['DELETE', 'GET', 'GET', 'GET', 'DELETE'])
  expect(methods).toHaveLength(13)
})

test('a canary that was not there, so that its events were not queued, stops the run; a resume goes on with the next', async () => {
  const gone = new Set([1, 2])
  const run = await serve((asked, response) => {
    const id = idOf(asked.path)
    if (isList(asked)) return emptyPage(response)
    if (gone.has(id)) return notFound(response)
    gone.add(id)
    response.writeHead(204).end()
  })
  const deleting = await run(`persons delete ${ten} --delete-events --canary 1 -o ndjson`)
  expect([deleting.code, deleting.stdout.match(/"id":"\d+"/g)]).toEqual([8, ['"id":"1"']])
  expect((await run('jobs resume --last')).code).toBe(8)
  expect(await counts(run)).toEqual(['interrupted', 0, 2])
  const { code, stdout } = await run('jobs resume --last -o ids')
  expect([code, stdout]).toEqual([8, '3\n4\n5\n6\n7\n8\n9\n10\n'])
  expect(await counts(run)).toEqual(['failed', 8, 2])
  expect(server?.asked.filter(({ method, path }) => method === 'GET' && idOf(path) === 3)).toHaveLength(1)
})

test('a canary whose deletion came later than it was looked at is deleted: the service had accepted its events', async () => {
  let isLate = true
  const run = await serve((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (idOf(asked.path) !== 1) return void response.writeHead(asked.method === 'GET' ? 404 : 202).end()
    if (!isLate) return notFound(response)
    asked.method === 'GET' ? json(response, { id: 1 }) : void response.writeHead(202).end()
  })
  expect((await run('persons delete 1 2 --delete-events --yes --canary 1 --concurrency 1')).code).toBe(5)
  isLate = false
  expect((await run('jobs resume --last --receipt r.json')).code).toBe(0)
  const { outcomes } = JSON.parse(readFileSync(`${world.folder}/r.json`, 'utf8'))
  expect(outcomes).toMatchObject([
    { id: '1', status: 'deleted', evidence: 'inferred' },
    { id: '2', status: 'deleted', evidence: 'answered' },
  ])
})

test('a canary that is still there is failed and stops the run, and a resume deletes it again', async () => {
  const run = await serve(({ method }, response) => {
    if (method === 'GET') json(response, { id: 1 })
    else response.writeHead(204).end()
  })
  const { code, stdout } = await run(`persons delete ${ten} --canary 2 -o ndjson`)
  const deletes = () => server?.asked.filter(({ method }) => method === 'DELETE').length
  expect([code, deletes()]).toEqual([5, 1])
  expect(stdout).toBe(
    '{"id":"1","status":"failed","error":{"name":"rejected","status":null,"code":"still-there","message":"Stopped: the service said that it deleted 1, and it is still there"}}\n',
  )
  const [job] = JSON.parse((await run('jobs list -o json')).stdout) as { id: string }[]
  expect((await run(`jobs resume ${job?.id}`)).code).toBe(5)
  expect(deletes()).toBe(2)
  // Of one target nothing is said of others.
  const alone = await run('persons delete 1 --canary 1 --yes')
  expect(alone.stderr).toMatch(/still there\.\nLook at it with analytics persons get 1 before you delete more\.\n$/)
})

test('with --delete-events a 404 is a failure, unless an earlier attempt was never answered', async () => {
  const tries = new Map<number, number>()
  const run = await serve((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    const id = idOf(asked.path)
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
    { id: '1', status: 'failed', error: expect.objectContaining({ code: 'events-not-queued', status: 404 }) },
    { id: '2', status: 'deleted', error: null },
    { id: '3', status: 'deleted', error: null },
  ])
  expect(code).toBe(8)
  expect(server?.asked.every(asked => isList(asked) || asked.query.get('delete_events') === 'true')).toBe(true)
})

test('one that was turned away when the run was stopped was not sent: its 404 is no success', async () => {
  let open = false
  const run = await serve((asked, response) => {
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
  const run = await serve((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (open || idOf(asked.path) === 2) return notFound(response)
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

test('without --delete-events the parameter is not sent at all', async () => {
  const run = await serve((_, response) => void response.writeHead(204).end())
  await run(`persons delete ${ten}`)
  expect(server?.asked.map(({ query }) => query.toString())).toEqual(Array.from({ length: 10 }, () => ''))
})

test('a single delete whose answer was lost is a success when the person is gone then', async () => {
  let first = true
  const run = await serve((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (first) response.destroy()
    else notFound(response)
    first = false
  })
  expect((await run('persons delete 1 --yes')).code).toBe(0)
})

test('a foreign 404 behind a 5xx does not make the resume forget that the person may be deleted', async () => {
  const answers = [{ status: 500 }, { status: 404, body: { message: 'Not Found' } }]
  const run = await serve((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (idOf(asked.path) !== 4) return void response.writeHead(204).end()
    const { status, body = {} } = answers.shift() ?? { status: 404, body: { detail: 'Not found.' } }
    json(response, body, status)
  })
  expect((await run(`persons delete ${ten} --delete-events`)).code).toBe(5)
  expect(await counts(run)).toEqual(['interrupted', 3, 0])
  const { code, stdout } = await run('jobs resume --last --receipt r.json -o ndjson')
  expect([code, stdout.split('\n')[0]]).toEqual([0, '{"id":"4","status":"deleted","error":null}'])
})

test('a web page behind a lost answer does not make the resume forget that the person may be deleted', async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    response => void response.destroy(),
    response => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
  ]
  const run = await serve((asked, response) => {
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

test.each([
  ['first', 1, [1, 1, 2]],
  ['second', 2, [1, 2, 2]],
])('a process that slept before its %s target leaves alone what another one has finished since', async (_, at, ids) => {
  let asked = 0
  const run = await serve(async ({ method }, response) => {
    if (method === 'GET') return json(response, personRow(1))
    if (++asked !== at) return void response.writeHead(202).end()
    // To the other process this one seems to have ended.
    world.pid++
    expect((await run('jobs resume 20260515')).code).toBe(0)
    world.pid--
    response.setHeader('retry-after', '60')
    json(response, {}, 429)
  })
  const { code, stderr } = await run('persons update 1 2 --set plan=pro --yes --concurrency 1 --receipt r.json')
  expect([code, stderr]).toEqual([10, expect.stringContaining('Another process has taken over this job')])
  expect(stderr).not.toContain('Resume with')
  expect(server?.asked.map(({ path }) => idOf(path))).toEqual(ids)
  expect(await counts(run)).toEqual(['done', 2, 0])
  expect(JSON.parse(readFileSync(`${world.folder}/r.json`, 'utf8'))).toMatchObject({ complete: true })
})

test('a wait that would end after --max-duration is not begun, and the target is left for the resume', async () => {
  let turnedAway = false
  const run = await serve((asked, response) => {
    if (turnedAway || idOf(asked.path) !== 4) return void response.writeHead(204).end()
    turnedAway = true
    response.writeHead(429, { 'retry-after': '3600' }).end()
  })
  const { code, stderr } = await run(`persons delete ${ten} --max-duration 30m`)
  expect(code).toBe(8)
  expect(stderr).toContain('Stopped at --max-duration: the next request would have to wait until after it')
  expect(server?.asked.map(({ path }) => idOf(path))).toEqual([1, 2, 3, 4])
  expect(await counts(run)).toEqual(['interrupted', 3, 0])
  expect((await run('jobs resume --last -o ids')).stdout).toBe('4\n5\n6\n7\n8\n9\n10\n')
})

test('a turn of --rate after --max-duration is not waited for', async () => {
  const run = await serve((_, response) => void response.writeHead(204).end())
  const { code, stdout } = await run('persons delete 1 2 3 4 --yes --rate 1/m --max-duration 30s -o ids')
  expect([code, stdout]).toEqual([8, '1\n'])
  expect(server?.asked).toHaveLength(1)
})

test('a 5xx whose retry would come after --max-duration may have deleted: its later 404 is a success', async () => {
  let open = false
  const run = await serve((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (open) return notFound(response)
    response.writeHead(500).end()
  })
  expect((await run('persons delete 1 2 --yes --concurrency 1 --delete-events --max-duration 1s')).code).toBe(8)
  open = true
  const { stdout } = await run('jobs resume --last -o ndjson')
  expect(stdout.split('\n')[0]).toBe('{"id":"1","status":"deleted","error":null}')
})
