/** Jobs, a plan and a receipt that an earlier version made: `version-2` holds them as it wrote them. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { World } from '../world.ts'

let world = new World()
afterEach(() => {
  world.remove()
  world = new World()
})

const made = join(import.meta.dirname, 'version-2')
const interrupted = '20261125-194352-eq45'
const done = '20261125-194353-xp8x'
const jobs = () => join(world.folder, 'state/jobs')
const run = (line: string, more: object = {}) =>
  world.run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1', ...more } })
const keepJobs = () => cpSync(join(made, 'jobs'), jobs(), { recursive: true })

test('its jobs are listed beside our own, with what is known of them', async () => {
  keepJobs()
  await run('persons delete 3 4 --yes')
  const { code, stdout, stderr } = await run('jobs list -o json')
  expect([code, stderr]).toEqual([0, 'sandbox: made-up data on this machine\n'])
  const unknown = { state: 'other-version', total: null, done: null, failed: null, project: '1' }
  expect(JSON.parse(stdout)).toMatchObject([
    { ...unknown, id: done, command: 'persons delete', created_at: '2026-11-25T19:43:53.483Z' },
    { ...unknown, id: interrupted, command: 'persons update', base_url: 'http://sandbox.invalid/' },
    { command: 'persons delete', state: 'done' },
  ])
  const elsewhere = await run('jobs list', { ANALYTICS_SANDBOX: '', ANALYTICS_BASE_URL: 'http://localhost:9' })
  expect([elsewhere.stdout, elsewhere.stderr]).toEqual(['', expect.stringContaining('3 jobs of other servers')])
})

test.each([
  'jobs show JOB',
  'jobs resume JOB --yes',
  'jobs undo JOB --backup b.ndjson --yes',
  'jobs receipt JOB',
])('%s says that another version made it, and changes nothing', async line => {
  keepJobs()
  for (const job of [interrupted, done]) {
    const { code, stdout, stderr } = await run(line.replace('JOB', job))
    expect([code, stdout, stderr.split('\n').slice(-3)]).toEqual([
      2,
      '',
      [`Job ${job} was made by another version of analytics.`, 'Go on with it in that version.', ''],
    ])
    for (const file of readdirSync(join(made, 'jobs', job))) {
      expect(readFileSync(join(jobs(), job, file))).toEqual(readFileSync(join(made, 'jobs', job, file)))
    }
  }
})

test('jobs resume --last stops at one that has something left, and passes over one that is done', async () => {
  keepJobs()
  const { code, stderr } = await run('jobs resume --last')
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${interrupted} was made by another version`)])
  expect((await run('jobs resume --last --project 2')).code).toBe(0)
  expect((await run(`jobs remove ${interrupted}`)).code).toBe(0)
  expect((await run('jobs resume --last')).code).toBe(0)
})

test('jobs remove takes them by age too, and says what could have been resumed', async () => {
  keepJobs()
  world.now = Date.parse('2027-01-01')
  const { code, stderr } = await run('jobs remove --older-than 30d')
  expect([code, stderr]).toEqual([0, expect.stringContaining(`2 jobs removed, 1 of them with something left to try`)])
  expect(readdirSync(jobs())).toEqual([])
})

test.each([
  { version: 1 },
  { version: 4, targets: ['7', '8'], path: ['1'], sha256: 'of another kind' },
])('a header of any other version is no damage: %j', async header => {
  await run('persons delete 3 4 --yes')
  const [name = ''] = readdirSync(jobs())
  writeFileSync(join(jobs(), name, 'job.json'), JSON.stringify(header))
  expect((await run(`jobs show ${name}`)).code).toBe(2)
  const { code, stdout } = await run('jobs list --everywhere -o json')
  expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ id: name, state: 'other-version' }]])
})

test('its plan is not run', async () => {
  const { code, stderr } = await run(`jobs run ${join(made, 'plan.json')} --yes`)
  expect([code, stderr]).toEqual([2, expect.stringContaining('was written by another version of analytics')])
  expect(existsSync(jobs())).toBe(false)
})

test('its receipt is read', async () => {
  const { code, stdout } = await run(`persons verify --receipt ${join(made, 'receipt.json')} -o json`)
  expect([code, JSON.parse(stdout)]).toMatchObject([8, [{ id: '8', status: 'there' }, { id: '9' }]])
})
