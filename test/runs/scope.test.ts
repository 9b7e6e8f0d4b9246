/** Which project and organization a run acts in. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { accepting, startService } from '../service.ts'

test('the organization is asked once: targets and deletions are of the same one', async () => {
  const { run, server } = await startService((asked, response) => {
    if (asked.method === 'GET' && asked.path.endsWith('/plugins/')) {
      return json(response, { count: 1, next: null, results: [{ id: 5, name: 'geo' }] })
    }
    accepting(asked, response)
  })
  expect((await run('plugins delete --where name=geo --expect 1 --yes')).code).toBe(0)
  expect(server.asked.filter(({ path }) => path === '/api/projects/1/')).toHaveLength(1)
})

test.each([
  ['persons delete 1', 'DELETE /api/projects/5/persons/1/'],
  ['persons update 1 --set plan=pro --backup b.ndjson', 'PATCH /api/projects/5/persons/1/'],
  ['event-definitions update 1 --add-tag vip', 'PATCH /api/projects/5/event_definitions/1/'],
  ['projects apply -f s.yaml', 'PATCH /api/projects/5/'],
  ['projects apply @current -f s.yaml --yes', 'PATCH /api/projects/5/'],
])('%s changes the project that was read, although another one is @current since', async (line, sent) => {
  let current = 5
  const here = await startService(({ method, path, body }, response) => {
    const [, project, person] = /\/projects\/([^/]+)\/(?:\w+\/(\d+)\/)?$/.exec(path) ?? []
    const id = person ?? (project === '5' || project === '6' ? project : current)
    const answer = { id: Number(id), name: 'Books', properties: {}, tags: [], ...(body === '' ? {} : JSON.parse(body)) }
    // Whoever uses the service turns to the other project after each request.
    current = 6
    if (method === 'DELETE') return void response.writeHead(204).end()
    json(response, answer)
  })
  writeFileSync(join(here.world.folder, 's.yaml'), 'name: Shop\n')
  mkdirSync(join(here.world.folder, 'saved'))
  const env = { ANALYTICS_PROJECT: '@current' }
  const { code } = await here.run(line, { env, answers: ['y'] })
  const writes = here.sent().map(({ method, path }) => `${method} ${path}`)
  expect([code, writes]).toEqual([0, [sent]])
})

test('persons verify looks in the project that @current was, or refuses', async () => {
  let current = 5
  const here = await startService(({ method, path }, response) => {
    if (/\/projects\/@current\/$/.test(path)) return json(response, { id: current, name: 'Shop' })
    if (method === 'DELETE') return void response.writeHead(202).end()
    if (path.endsWith('/persons/')) return json(response, { next: null, results: [] })
    // The person is in project 5 still.
    if (path.includes('/projects/5/')) return json(response, { id: 7, distinct_ids: [], properties: {} })
    json(response, { detail: 'Not found.' }, 404)
  })
  const env = { ANALYTICS_PROJECT: '@current' }
  const run = (words: string) => here.run(words, { env })
  expect((await run('persons delete 7 --yes --receipt r.json')).code).toBe(0)
  expect(here.sent().map(({ path }) => path)).toEqual(['/api/projects/5/persons/7/'])
  const { code, stdout } = await run('persons verify --receipt r.json -o json')
  expect([code, JSON.parse(stdout)]).toEqual([8, [{ id: '7', status: 'there' }]])
  current = 6
  expect(await run('persons verify --receipt r.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The receipt is of project 5, not of project 6'),
  })
})

test('a report is of one project, whatever @current is meanwhile', async () => {
  let current = 5
  const here = await startService(({ path }, response) => {
    if (/\/projects\/@current\/$/.test(path)) return json(response, { id: current, name: 'Shop' })
    current = 6
    json(response, path.endsWith('/persons/7/') ? { id: 7, distinct_ids: [], properties: {} } : { results: [] })
  })
  const env = { ANALYTICS_PROJECT: '@current' }
  const { code, stdout } = await here.run('persons report 7', { env })
  expect([code, JSON.parse(stdout).project]).toEqual([0, '5'])
  const paths = here.server.asked.slice(1).map(({ path }) => path.split('/').slice(0, 4).join('/'))
  expect(new Set(paths)).toEqual(new Set(['/api/projects/5']))
})

test('a key that may not read the project still gets a report', async () => {
  const here = await startService(({ path }, response) => {
    if (/\/projects\/@current\/$/.test(path)) return json(response, { detail: 'No such scope.' }, 403)
    json(response, path.endsWith('/persons/7/') ? { id: 7, distinct_ids: [], properties: {} } : { results: [] })
  })
  const env = { ANALYTICS_PROJECT: '@current' }
  const { code, stdout } = await here.run('persons report 7', { env })
  expect([code, JSON.parse(stdout).project]).toEqual([0, '@current'])
})

test('a job that is removed while its project is looked up is not taken for another one', async () => {
  let project = '5'
  const here = await startService(({ method, path }, response) => {
    if (method === 'DELETE') return json(response, { detail: 'Not now.' }, 400)
    swap?.()
    json(response, { id: path.includes('current') ? 5 : 1, name: 'Shop' })
  })
  const run = (line: string) => here.run(line, { env: { ANALYTICS_PROJECT: project } })
  const jobAt = (name: string) => join(here.world.folder, 'state', 'jobs', name)
  const [first, second, aside] = [
    jobAt('20260515-120000-i000'),
    jobAt('20260515-120000-i000-2'),
    jobAt('.aside'),
  ] as const
  let swap: (() => void) | undefined
  await run('persons delete 1 2 --yes')
  project = '6'
  await run('persons delete 3 4 --yes')
  renameSync(second, aside)
  swap = () => {
    rmSync(first, { recursive: true })
    renameSync(aside, second)
    swap = undefined
  }
  const before = here.sent().length
  project = '@current'
  expect((await run('jobs resume 20260515')).code).toBe(10)
  expect(here.sent()).toHaveLength(before)
})

test('a job stays in the project that @current was: it may lead to another one later', async () => {
  let current = 5
  const here = await startService(({ method, path }, response) => {
    if (/\/projects\/@current\/$/.test(path)) return json(response, { id: current, name: 'Shop' })
    if (method === 'DELETE' && path.endsWith('/2/') && current === 5) return json(response, { detail: 'no' }, 400)
    if (method === 'DELETE') return void response.writeHead(204).end()
    json(response, { next: null, results: [] })
  })
  const env = { ANALYTICS_PROJECT: '@current' }
  const { code, stderr } = await here.run('persons delete 1 2 --yes', { env })
  const job = /jobs resume (\S+)/.exec(stderr)?.[1] ?? ''
  current = 6
  const resumed = await here.run(`jobs resume ${job}`, { env })
  expect([code, resumed.code, resumed.stderr]).toEqual([8, 10, expect.stringContaining('project 5, not of project 6')])
  expect((await here.run(`jobs resume ${job}`)).code).toBe(10)
  expect((await here.run(`jobs resume ${job} --project 5`, { env })).code).toBe(0)
  const paths = here.sent().map(({ path }) => path)
  expect(paths.toSorted()).toEqual(['1', '2', '2'].map(id => `/api/projects/5/persons/${id}/`))
})
