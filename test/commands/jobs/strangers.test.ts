/** Jobs that somebody else may have written, and those that somebody else began. */
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startService } from '../../service.ts'
import { isRoot } from '../../trust/shell.ts'
import { newWorld } from '../../world.ts'

const openToAll = (folder: string) => chmodSync(folder, 0o777)
const ofAnother = (folder: string) => chownSync(folder, 65_534, 65_534)
const ways = [
  ['can be written by everybody', openToAll],
  ...(isRoot ? ([['belongs to another user', ofAnother]] as const) : []),
] as const

async function stopped() {
  const service = await startService()
  await service.run('persons delete 1 2 3 --yes --max-duration 0s')
  const jobs = join(service.world.folder, 'state/jobs')
  const [job = ''] = readdirSync(jobs)
  return { ...service, job, folder: join(jobs, job) }
}

test.each(ways)('jobs resume --last passes a job over whose folder %s', async (_, hand) => {
  const { run, sent, job, folder } = await stopped()
  hand(folder)
  const { code, stderr } = await run('jobs resume --last')
  expect([code, sent()]).toEqual([0, []])
  expect(stderr).toContain(`Job ${job} is passed over: its folder belongs to another user, or others can write to it`)
  expect((await run('jobs show --last')).code).toBe(2)
})

test.each(ways)('jobs resume JOB asks about a job whose folder %s', async (_, hand) => {
  const { run, sent, job, folder } = await stopped()
  hand(folder)
  const line = `jobs resume ${job}`
  for (const more of ['', ' --yes', ' --yes --expect 2', ' --expect 3']) {
    expect([more, (await run(line + more)).code, sent()]).toEqual([more, 10, []])
  }
  expect((await run(`${line} --yes`)).stderr).toContain('--yes wants --expect N with it')
  expect((await run(`${line} --dry-run`)).code).toBe(0)
  const declined = await run(line, { answers: ['n'] })
  expect([declined.code, sent()]).toEqual([10, []])
  expect(declined.stderr).toContain('Deleting 3 persons of project 1')
  const agreed = await run(line, { answers: ['3'] })
  expect([agreed.code, sent().length]).toEqual([0, 3])
})

test.each(ways)('--yes --expect N resumes a job whose folder %s', async (_, hand) => {
  const { run, sent, job, folder } = await stopped()
  hand(folder)
  expect([(await run(`jobs resume ${job} --yes --expect 3`)).code, sent().length]).toEqual([0, 3])
})

test('a group may write to the folder of a job', async () => {
  const { run, sent, folder } = await stopped()
  chmodSync(folder, 0o770)
  expect([(await run('jobs resume --last')).code, sent().length]).toEqual([0, 3])
})

function startUndoing() {
  const world = newWorld()
  const run = (line: string, options: object = {}) =>
    world.run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1' }, ...options })
  const plan = async () => (await run('persons get 3 --fields properties.plan -o csv --no-header')).stdout.trim()
  const at = (...names: string[]) => join(world.folder, 'state/jobs', ...names)
  return { run, plan, at, jobs: () => readdirSync(at()) }
}

test.each(ways)('jobs undo with --yes wants --expect N for a job whose folder %s', async (_, hand) => {
  const { run, jobs, at, plan } = startUndoing()
  const before = await plan()
  await run('persons update 3 4 --set plan=vip --backup b.ndjson --yes')
  const [job = ''] = jobs()
  hand(at(job))
  expect((await run(`jobs undo ${job} --yes`)).code).toBe(10)
  expect(await plan()).toBe('vip')
  expect((await run(`jobs undo ${job} --yes --expect 2`)).code).toBe(0)
  expect(await plan()).toBe(before)
})

test('jobs undo --last takes the newest job that can be undone and is no undo, and its own backup', async () => {
  const { run, plan } = startUndoing()
  const before = await plan()
  expect((await run('jobs undo --last')).code).toBe(2)
  await run('persons update 3 4 --set plan=vip --backup b.ndjson --yes')
  await run('persons update 5 6 --set plan=vip --yes')
  await run('persons delete 7 8 --yes')
  expect((await run('jobs undo --last --yes')).code).toBe(2)
  expect((await run('jobs undo --last', { env: { ANALYTICS_SANDBOX: '1', USER: 'bob' }, answers: ['2'] })).code).toBe(2)
  expect(await run('jobs undo --last --new-backup again.ndjson', { answers: ['2'] })).toMatchObject({ code: 0 })
  expect(await plan()).toBe(before)
  const again = await run('jobs undo --last --dry-run')
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to do: 2 persons need no change')])
})

test('--last is the newest of the same user', async () => {
  const { run, sent } = await stopped()
  const other = { env: { USER: 'bob' } }
  const nothing = await run('jobs resume --last', other)
  expect([nothing.code, sent()]).toEqual([0, []])
  expect(nothing.stderr).toContain('Nothing to do')
  expect((await run('jobs show --last', other)).code).toBe(2)
  expect((await run('jobs show --last')).stdout).toContain('persons delete')
  expect((await run('jobs receipt --last')).stdout).toContain('"receipt"')
  expect((await run('jobs show --last --project 2')).code).toBe(2)
  expect([(await run('jobs resume --last')).code, sent().length]).toEqual([0, 3])
})

test.each(['show', 'receipt', 'resume', 'undo'])('jobs %s takes JOB or --last, and not both', async verb => {
  const { run, job } = await stopped()
  expect((await run(`jobs ${verb}`)).code).toBe(2)
  expect((await run(`jobs ${verb} ${job} --last`)).code).toBe(2)
})
