/** What a job keeps, and what is done with it. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJob } from '../../src/jobs/job.ts'
import { lockJob } from '../../src/jobs/locked-job.ts'
import { json } from '../server.ts'
import { startService } from '../service.ts'
import { startJobs } from './stored.ts'

test.each([
  'jobs list',
  'jobs list -o json',
  'jobs resume --last',
  'jobs show 1',
  'jobs remove 1 --yes',
  'jobs remove --older-than 30d --yes',
])('where the folder of jobs cannot be read, %s says so: there may be jobs in it', async line => {
  const { run, world, jobs } = await startJobs()
  mkdirSync(join(world.folder, 'state'), { recursive: true })
  writeFileSync(jobs, '')
  expect(await run(line)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`The jobs in ${jobs} cannot be read: part of the path is a file`),
  })
})

test('a job is ours alone to read, and holds no values', async () => {
  const { run, jobs, onlyJob } = await startJobs()
  await run('persons update-property 7 8 9 --key plan --value secret --reason Ada --receipt r.json --yes')
  const folder = join(jobs, onlyJob())
  expect(readdirSync(folder).sort()).toEqual(['job.json', 'journal', 'targets', 'unsent.json'])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder).map(file => statSync(join(folder, file)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600, 0o600,
  ])
  const header = readFileSync(join(folder, 'job.json'), 'utf8')
  expect(header + readFileSync(join(folder, 'journal'), 'utf8')).not.toMatch(/secret|key-of-environment|r\.json/)
  expect(JSON.parse(header).receipt.asked).toEqual({ reason: 'Ada', requestedBy: null, received: null, input: null })
  expect(JSON.parse(header).options).toEqual({
    key: '…',
    value: '…',
    reason: '…',
    receipt: '…',
  })
})

test('neither filters nor distinct ids are kept', async () => {
  const people = ['ada-phone', 'ben-phone'].map((name, i) => ({
    id: i + 7,
    distinct_ids: [name],
    properties: { plan: 'free-plan' },
  }))
  const { run, world } = await startService(({ method, query }, response) => {
    if (method !== 'GET') return void response.writeHead(202).end()
    const name = query.get('distinct_id')
    const results = people.filter(({ distinct_ids }) => name === null || distinct_ids.includes(name))
    json(response, { next: null, results })
  })
  const lines = 'ada-phone\nben-phone\n'
  expect((await run('persons update --distinct-ids-from - --set a=b --yes', { stdin: lines })).code).toBe(0)
  expect((await run('persons update --property plan=free-plan --set a=b --max 2 --yes')).code).toBe(0)
  const jobs = join(world.folder, 'state/jobs')
  const files = readdirSync(jobs).flatMap(job => readdirSync(join(jobs, job)).map(file => join(jobs, job, file)))
  expect(files).toHaveLength(6)
  for (const file of files) expect(readFileSync(file, 'utf8')).not.toMatch(/phone|free-plan/)
})

test('what was to be sent is erased when all of it was', async () => {
  const { run, server, jobs, onlyJob, mend } = await startJobs()
  await run('persons update-property 7 8 9 --key plan --value secret --yes')
  const folder = join(jobs, onlyJob())
  mend()
  expect((await run(`jobs resume ${onlyJob()} -o ndjson`)).stdout).toBe('{"id":"8","status":"updated","error":null}\n')
  expect(readdirSync(folder).sort()).toEqual(['job.json', 'journal', 'journal.2', 'targets'])
  expect(server.asked.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/')[5])).toEqual([
    '7',
    '8',
    '9',
    '8',
  ])
  expect(server.asked.every(({ body }) => body === '{"key":"plan","value":"secret"}')).toBe(true)
  expect((await run(`jobs resume ${onlyJob()}`)).code).toBe(0)
})

/** From now on the disk has no room for the journal that is open. */
function fillJournal(): void {
  const journal = Number(readdirSync('/proc/self/fd').find(name => targetOf(name).endsWith('/journal')))
  closeSync(journal)
  const others: number[] = []
  // A file gets the lowest number that is free.
  for (let file = openFull(); file !== journal; file = openFull()) others.push(file)
  for (const file of others) closeSync(file)
}

const openFull = () => openSync('/dev/full', 'w')

function targetOf(name: string): string {
  try {
    return readlinkSync(join('/proc/self/fd', name))
  } catch {
    // The folder itself was open while it was read.
    return ''
  }
}

test.runIf(process.platform === 'linux')(
  'an outcome is shown, and what was to be sent is erased, only once it is written',
  async () => {
    let full = false
    const { run, world, server } = await startService(({ path }, response) => {
      if (!full && path.includes('/9/')) fillJournal()
      full ||= path.includes('/9/')
      response.writeHead(204).end()
    })
    const { code, stdout, stderr } = await run('persons delete 7 9 --yes --concurrency 1 -o ndjson')
    expect([code, stdout]).toEqual([7, expect.stringMatching(/^.*"7".*\n$/)])
    expect(stderr).toContain('Make room on the disk')
    world.pid++
    expect((await run('jobs resume --last')).code).toBe(0)
    expect(server.asked.map(({ path }) => path.split('/').at(-2))).toEqual(['7', '9', '9'])
  },
)

test('what is left of a job whose process was killed while it made it goes a day later', async () => {
  const { run, world, jobs } = await startJobs()
  await run('persons delete 7 9 --yes')
  const [old, young] = ['.20260514-115900-i000-abc', '.20260515-115900-i000-abc'].map(name => join(jobs, name))
  for (const [folder, hours] of [
    [old, 25],
    [young, 1],
  ] as const) {
    mkdirSync(folder ?? '')
    writeFileSync(join(folder ?? '', 'unsent.json'), '{}')
    const made = new Date(world.now - hours * 3_600_000)
    utimesSync(folder ?? '', made, made)
  }
  expect(JSON.parse((await run('jobs list -o json')).stdout)).toHaveLength(1)
  await run('persons delete 7 9 --yes')
  expect([old, young].map(folder => existsSync(folder ?? ''))).toEqual([false, true])
})

test('the resume line says what was said to get there', async () => {
  const { run, onlyJob } = await startJobs()
  const { stderr } = await run('persons delete 7 8 --yes --project 5')
  expect(stderr).toContain(`Resume with: analytics jobs resume ${onlyJob()} --project 5\n`)
})

test.each([
  ['--project 2', 'Resume with: analytics jobs resume JOB --project 1\n'],
  ['--sandbox', 'not of the sandbox.\nUse analytics jobs show JOB --base-url BASE --project 1.\n'],
  ['--sandbox --project 2', 'Use analytics jobs show JOB --base-url BASE --project 1.\n'],
  ['--base-url http://127.0.0.1:9/', 'Use analytics jobs show JOB --base-url BASE --project 1.\n'],
])('jobs show %s says how to get to the server and the project of the job', async (typed, line) => {
  const { run, server, onlyJob } = await startJobs()
  await run('persons delete 7 8 --yes')
  const shown = await run(`jobs show ${onlyJob()} ${typed}`)
  expect(shown.stderr).toContain(line.replace('BASE', server.url).replace('JOB', onlyJob()))
})

test('the resume line leads to the server of the job, by the profile that it began with', async () => {
  const { world, server, env, onlyJob } = await startJobs()
  const run = (line: string, given: Record<string, string> = {}) => world.run(line.split(' '), { env: given })
  const add = async (name: string, url: string) =>
    world.run(`profiles add ${name} --base-url ${url} --project 1 --api-key-stdin`.split(' '), { stdin: 'key-of-it\n' })
  await add('stage', 'http://127.0.0.1:9/')
  await add('prod', server.url)
  const shown = async (typed: string, given?: Record<string, string>) =>
    /analytics jobs (resume|show) \S+ ?(.*?)\.?\n$/
      .exec((await run(`jobs show ${onlyJob()}${typed}`, given)).stderr)
      ?.slice(1)

  await run('persons delete 7 8 --yes --profile prod')
  expect(await shown('')).toEqual(['show', '--profile prod --project 1'])
  expect(await shown(' --profile prod')).toEqual(['resume', '--profile prod'])
  expect(await shown(' --sandbox')).toEqual(['show', '--profile prod --project 1'])
  expect(await shown('', env)).toEqual(['resume', ''])
  expect(await shown('', { ...env, ANALYTICS_PROJECT: '2' })).toEqual(['resume', '--project 1'])
})

test('a job that was altered is refused, and left as it is', async () => {
  const { run, jobs, onlyJob } = await startJobs()
  await run('persons delete 7 8 --yes')
  const name = onlyJob()
  const path = join(jobs, name, 'targets')
  writeFileSync(path, readFileSync(path, 'utf8').replace('8', '80'))
  expect((await run(`jobs resume ${name}`)).code).toBe(10)
  writeFileSync(join(jobs, name, 'journal'), 'no journal\n')
  const shown = await run(`jobs show ${name}`)
  expect(shown.code).toBe(10)
  expect(shown.stderr).toContain(
    `Keep its folder if somebody must look into it; analytics jobs remove ${name} deletes it`,
  )
  writeFileSync(join(jobs, name, 'job.json'), '{}')
  const { stdout, stderr } = await run('jobs list -o json')
  expect([stdout, stderr]).toEqual(['[]\n', expect.stringContaining('was altered')])
  expect((await run('jobs list')).stderr).not.toContain('No jobs')
  // Whether it has anything left cannot be known.
  const last = await run('jobs resume --last')
  expect([last.code, last.stderr]).toEqual([10, expect.stringContaining('was altered')])
  expect((await run(`jobs remove ${name}`)).code).toBe(0)
  expect(readdirSync(jobs)).toEqual([])
})

test.each([
  { version: 2 },
  { version: 4, targets: ['7', '8'], sha256: 'of another kind' },
])('a job of another version, %j, is refused in words that keep it: that version can go on with it', async header => {
  const { run, jobs, onlyJob } = await startJobs()
  await run('persons delete 7 8 --yes')
  const file = join(jobs, onlyJob(), 'job.json')
  writeFileSync(file, JSON.stringify(header))
  const message = `Job ${onlyJob()} was made by another version of analytics`
  for (const line of ['jobs resume', 'jobs show', 'jobs receipt']) {
    const { code, stderr } = await run(`${line} ${onlyJob()}`)
    expect([line, code, stderr]).toEqual([line, 2, `${message}.\nGo on with it in that version.\n`])
  }
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(header))
})

test('one that is being worked on is neither resumed nor removed', async () => {
  const { run, world, jobs, onlyJob } = await startJobs()
  await run('persons delete 7 8 --yes')
  const processes = { own: process.pid, isRunning: () => true, run: async () => 0 }
  const held = lockJob(jobs, openJob(jobs, onlyJob()), { processes, clock: world.clock })
  expect(JSON.parse((await run('jobs list -o json')).stdout)[0].state).toBe('running')
  expect((await run(`jobs resume ${onlyJob()}`)).code).toBe(10)
  expect((await run(`jobs remove ${onlyJob()}`)).code).toBe(10)
  held.release()
  expect((await run(`jobs remove ${onlyJob()}`)).code).toBe(0)
  expect(readdirSync(jobs)).toEqual([])
})
