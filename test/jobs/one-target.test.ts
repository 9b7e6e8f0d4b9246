/** One target is a run of one, and a job: it is remembered, shown, undone and resumed like a run of many. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { accepting, startService } from '../service.ts'
import { newWorld } from '../world.ts'

const onSandbox = { env: { ANALYTICS_SANDBOX: '1', USER: 'ada' } }

function sandbox() {
  const world = newWorld()
  const run = (line: string, answers?: readonly string[]) =>
    world.run(line.split(' '), { ...onSandbox, ...(answers ? { answers, columns: 80 } : {}) })
  const jobs = async () => JSON.parse((await run('jobs list -o json')).stdout)
  return { world, run, jobs }
}

test('single deletions and updates are jobs, with reason and actor', async () => {
  const { run, jobs } = sandbox()
  await run('persons delete 3 --yes --reason GDPR-17')
  await run('persons update 4 --set plan=pro')
  expect(await jobs()).toMatchObject([
    { command: 'persons update', state: 'done', total: 1, done: 1, reason: null },
    { command: 'persons delete', state: 'done', total: 1, done: 1, reason: 'GDPR-17' },
  ])
  expect((await jobs())[0].actor).toMatch(/^ada@/)
})

test('what a refusal or a dry run stopped is no job', async () => {
  const { run, jobs } = sandbox()
  expect((await run('persons delete 3', ['n'])).code).toBe(10)
  expect((await run('persons delete 3 --dry-run')).code).toBe(0)
  expect((await run('persons delete 3 --max 0 --yes')).code).toBe(10)
  expect(await jobs()).toEqual([])
})

test('an update of one object is undone from the file that its job noted', async () => {
  const { run, jobs } = sandbox()
  await run('persons update 4 --set plan=x --backup before.ndjson')
  const [{ id }] = await jobs()
  expect((await run(`jobs undo ${id} --yes`)).code).toBe(0)
  expect((await run('persons get 4 -o json')).stdout).not.toContain('"plan":"x"')
})

test('a dry run that would send nothing prints no writes, as a list', async () => {
  const { run, jobs } = sandbox()
  await run('persons update 4 --set plan=x --backup before.ndjson')
  const [{ id }] = await jobs()
  await run(`jobs undo ${id} --yes`)
  expect(await run(`jobs undo ${id} --dry-run -o json`)).toMatchObject({ code: 0, stdout: '[]\n' })
  for (const line of [`jobs undo ${id}`, `jobs resume ${id}`, 'persons delete --from -'])
    expect((await run(`${line} --dry-run -o csv`)).stdout).toBe('method,url,body\n')
  expect((await run(`jobs undo ${id} --dry-run`)).stdout).toBe('')
})

test('an update without a backup cannot be undone, and that is said', async () => {
  const { run, jobs } = sandbox()
  await run('persons update 4 --set plan=x')
  const [{ id }] = await jobs()
  const { code, stderr } = await run(`jobs undo ${id} --yes`)
  expect([code, stderr]).toEqual([2, expect.stringContaining('was begun without --backup')])
})

test('a change of one object that got no answer is finished by a resume', async () => {
  let isDown = true
  const { run } = await startService((asked, response) => {
    if (asked.method === 'PATCH' && isDown) return json(response, { detail: 'A server error occurred.' }, 500)
    accepting(asked, response)
  })
  expect((await run('persons update 4 --set plan=pro --retries 0')).code).toBe(7)
  isDown = false
  const [job] = JSON.parse((await run('jobs list -o json')).stdout)
  expect(job).toMatchObject({ state: 'failed', total: 1 })
  expect(await run('jobs resume --last')).toMatchObject({
    code: 0,
    stderr: 'Nothing to do: no job of several targets on this server and project has anything left to try\n',
  })
  expect((await run(`jobs resume ${job.id}`)).code).toBe(0)
  expect(JSON.parse((await run('jobs list -o json')).stdout)).toMatchObject([{ state: 'done', done: 1 }])
})

test('where no folder can be made a run of one says so and goes on, unless it must leave a receipt', async () => {
  const { world, run } = sandbox()
  writeFileSync(join(world.folder, 'file'), '')
  const env = { ...onSandbox.env, ANALYTICS_STATE_DIR: join(world.folder, 'state') }
  await run('persons get 3')
  mkdirSync(join(world.folder, 'state'), { recursive: true })
  writeFileSync(join(world.folder, 'state', 'jobs'), 'not a folder')
  const without = await world.run('persons update 4 --set plan=pro'.split(' '), { env })
  expect([without.code, without.stderr]).toEqual([0, expect.stringContaining('is not kept as a job')])
  const must = await world.run('persons delete 4 --yes --receipt r.json'.split(' '), { env })
  expect([must.code, existsSync(join(world.folder, 'r.json'))]).toEqual([2, false])
})

test('the receipt of one names its job', async () => {
  const { world, run, jobs } = sandbox()
  await run('persons delete 3 --yes --receipt r.json')
  const [{ id }] = await jobs()
  expect(JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8')).job).toBe(id)
})

test('the last job is undone by a person who sees it, or by its name', async () => {
  const { run, jobs } = sandbox()
  await run('persons update 4 --set plan=x --backup before.ndjson')
  const [{ id }] = await jobs()
  const { code, stderr } = await run('jobs undo --last')
  expect([code, stderr]).toEqual([10, expect.stringContaining(`Name it: analytics jobs undo ${id} --yes`)])
  expect((await run('jobs undo --last', ['y'])).code).toBe(0)
})
