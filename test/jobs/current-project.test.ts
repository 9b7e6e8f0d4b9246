/** `@current` is a project like any other: it is read once, and its number is compared. */
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { accepting, startService } from '../service.ts'

/** The newest job is of project 1; `@current` is project 2, which has an older one. */
async function startWithJobs() {
  const service = await startService((asked, response) =>
    asked.path === '/api/projects/@current/' ? json(response, { id: 2, name: 'Two' }) : accepting(asked, response),
  )
  const { world, run, server } = service
  for (const project of ['2', '1']) {
    const ran = await run(`persons update 1 --set a=b --backup ${project}.ndjson --project ${project}`)
    expect(ran.code).toBe(0)
    world.clock.set(world.clock.now() + 1000)
  }
  const before = server.asked.length
  return {
    ...service,
    ofCurrent: (line: string) => run(line, { env: { ANALYTICS_PROJECT: '@current' } }),
    asked: () => server.asked.slice(before).map(({ method, path }) => `${method} ${path}`),
  }
}

test.each([
  'jobs show --last -o ndjson',
  'jobs receipt --last',
  'jobs resume --last',
])('%s uses the job of that project', async line => {
  const { ofCurrent, asked } = await startWithJobs()
  const ran = await ofCurrent(line)
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('of project 1')])
  expect(asked()).toEqual(['GET /api/projects/@current/'])
  if (line.includes('receipt')) expect(JSON.parse(ran.stdout)).toMatchObject({ project: '2' })
})

test('jobs undo --last uses the job of the current project, and reads the project once', async () => {
  const { ofCurrent, asked } = await startWithJobs()
  expect((await ofCurrent('jobs undo --last --yes --force')).code).toBe(0)
  expect(asked().at(-1)).toBe('GET /api/projects/2/persons/1/')
  expect(asked().filter(one => one.includes('@current'))).toHaveLength(1)
})

test('--last never uses a job of another project', async () => {
  const { run, world, env } = await startService((asked, response) =>
    asked.path === '/api/projects/@current/' ? json(response, { id: 3 }) : accepting(asked, response),
  )
  await run('persons delete 1 --yes')
  for (const line of ['jobs show --last', 'jobs resume --last', 'persons verify --last']) {
    const { code, stderr } = await world.run(line.split(' '), { env: { ...env, ANALYTICS_PROJECT: '@current' } })
    expect([line, code, stderr]).toEqual([line, 2, expect.stringMatching(/no job/i)])
  }
})

test.each([
  ['@current', '2', 0],
  ['@current', '1', 2],
  ['2', '@current', 0],
  ['1', '@current', 2],
])('ANALYTICS_PROJECT=%s and a typed profile of project %s: exit %i', async (variable, project, code) => {
  const { world, server, sent } = await startWithJobs()
  const words = ['profiles', 'add', 'prod', '--base-url', server.url, '--project', project, '--api-key-stdin']
  expect((await world.run(words, { stdin: 'key' })).code).toBe(0)
  const [before, asked] = [sent().length, server.asked.length]
  const ran = await world.run(['persons', 'delete', '1', '--yes', '--profile', 'prod'], {
    env: { ANALYTICS_PROJECT: variable },
  })
  expect([ran.code, sent().length - before]).toEqual([code, code === 0 ? 1 : 0])
  expect(server.asked.slice(asked).filter(({ path }) => path.includes('@current'))).toHaveLength(1)
  // What is typed decides.
  const typed = ['persons', 'list', '--profile', 'prod', '--project', '1']
  expect((await world.run(typed, { env: { ANALYTICS_PROJECT: variable } })).code).toBe(0)
})
