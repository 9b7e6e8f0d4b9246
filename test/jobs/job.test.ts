import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { lockPeriod, tryLock } from '../../src/files/lock.ts'
import { lockJob } from '../../src/jobs/locked-job.ts'
import { emptyPage, isList, json, notFound, startServer, type TestServer } from '../server.ts'
import { World } from '../world.ts'

let world = new World()
let server: TestServer
let broken = true
beforeEach(async () => {
  broken = true
  server = await startServer(({ path, method }, response) => {
    if (method === 'GET')
      return json(response, { results: [{ id: 7, distinct_ids: ['ada'], properties: {} }], next: null })
    if (broken && path.includes('/8/')) return json(response, { detail: 'secret is not a plan', code: 'invalid' }, 400)
    response.writeHead(202).end()
  })
})
afterEach(async () => {
  await server.close()
  world.remove()
  world = new World()
})

const env = () => ({ ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'the-key', ANALYTICS_PROJECT: '1' })
const run = (line: string, more: Record<string, string> = {}) =>
  world.run(line.split(' '), { env: { ...env(), ...more } })
const jobs = () => join(world.folder, 'state/jobs')
const onlyJob = () => readdirSync(jobs())[0] ?? ''

test.each([
  'jobs list',
  'jobs list -o json',
  'jobs resume --last',
  'jobs show 1',
  'jobs remove 1 --yes',
  'jobs remove --older-than 30d --yes',
])('where the folder of jobs cannot be read, %s says so: there may be jobs in it', async line => {
  mkdirSync(join(world.folder, 'state'), { recursive: true })
  writeFileSync(jobs(), '')
  expect(await run(line)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`The jobs in ${jobs()} cannot be read: part of the path is a file`),
  })
})

test('a job is ours alone to read, and holds no values', async () => {
  await run('persons update-property 7 8 9 --key plan --value secret --reason Ada --receipt r.json --yes')
  const folder = join(jobs(), onlyJob())
  expect(readdirSync(folder).sort()).toEqual(['job.json', 'journal', 'targets', 'unsent.json'])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder).map(file => statSync(join(folder, file)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600, 0o600,
  ])
  const header = readFileSync(join(folder, 'job.json'), 'utf8')
  expect(header + readFileSync(join(folder, 'journal'), 'utf8')).not.toMatch(/secret|the-key|r\.json/)
  expect(JSON.parse(header).receipt.asked).toEqual({ reason: 'Ada', requestedBy: null, received: null, input: null })
  expect(JSON.parse(header).options).toEqual({
    key: '…',
    value: '…',
    reason: '…',
    receipt: '…',
  })
})

test('neither filters nor distinct ids are kept', async () => {
  await world.run(['persons', 'update', '--distinct-ids-from', '-', '--set', 'a=b', '--yes'], {
    env: env(),
    stdin: 'ada\n',
  })
  await run('persons delete --distinct-id ada --expect 1 --yes')
  await run('persons delete 7 9 --yes')
  for (const name of readdirSync(jobs())) {
    for (const file of readdirSync(join(jobs(), name))) {
      // Digests in hexadecimal may spell it too.
      expect(readFileSync(join(jobs(), name, file), 'utf8')).not.toMatch(/(?<![0-9a-f])ada(?![0-9a-f])/)
    }
  }
})

test('one of a profile is resumed with it: the key of another profile may not go to its server', async () => {
  const add = ['--project', '1', '--api-key-stdin', '--yes']
  await world.run(['profiles', 'add', 'here', '--base-url', server.url, ...add], { stdin: 'the-key' })
  await world.run(['profiles', 'add', 'there', '--base-url', 'http://127.0.0.1:9/', ...add], { stdin: 'other' })
  await world.run(['persons', 'delete', '7', '8', '--yes', '--profile', 'here'])
  const { code, stderr } = await world.run(['jobs', 'resume', onlyJob(), '--profile', 'there'])
  const hint = `Resume it with --profile here, or with --base-url ${server.url}`
  expect([code, stderr]).toEqual([10, expect.stringContaining(hint)])
})

test('one of the sandbox is resumed in the sandbox', async () => {
  await world.run(['persons', 'update', '7', '9999', '--set', 'plan=pro', '--yes', '--sandbox'])
  const { code, stderr } = await run(`jobs resume ${onlyJob()}`)
  expect([code, stderr]).toEqual([10, expect.stringContaining('Resume it with --sandbox.')])
  const there = await world.run(['jobs', 'resume', onlyJob(), '--sandbox'])
  expect([there.code, there.stderr]).toEqual([2, expect.stringContaining('Nothing is left to try')])
  expect((await world.run(['jobs', 'resume', '--last', '--sandbox'])).code).toBe(0)
})

test('what was to be sent is erased when all of it was', async () => {
  await run('persons update-property 7 8 9 --key plan --value secret --yes')
  const folder = join(jobs(), onlyJob())
  broken = false
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

test('a job that is done gets its receipt all the same, and nothing is sent', async () => {
  broken = false
  await run('persons delete 7 8 --reason Ada --yes')
  const asked = server.asked.length
  expect((await run(`jobs resume ${onlyJob()} --receipt r.json --dry-run`)).code).toBe(0)
  expect(existsSync(join(world.folder, 'r.json'))).toBe(false)
  expect((await run(`jobs resume ${onlyJob()} --receipt r.json`)).code).toBe(0)
  expect(server.asked.length).toBe(asked)
  const { stdout } = await run(`jobs receipt ${onlyJob()}`)
  expect(readFileSync(join(world.folder, 'r.json'), 'utf8')).toBe(stdout)
  expect(JSON.parse(stdout)).toMatchObject({ complete: true, reason: 'Ada', counts: { deleted: 2 } })
  expect((await run(`jobs resume ${onlyJob()} --receipt no/such/folder/r.json`)).code).toBe(2)
})

test('it goes on only at the same server and in the same project, by whatever profile', async () => {
  await run('persons delete 7 8 --yes')
  const other = await startServer(() => undefined)
  const asked = server.asked.length
  await world.run(['profiles', 'add', 'prod', '--base-url', server.url, '--project', '1', '--api-key-stdin'], {
    stdin: 'key',
  })
  expect((await run(`jobs resume ${onlyJob()}`, { ANALYTICS_BASE_URL: other.url })).code).toBe(10)
  expect((await run(`jobs resume ${onlyJob()} --project 2`)).code).toBe(10)
  expect([server.asked.length, other.asked.length]).toEqual([asked, 0])
  broken = false
  expect((await run('jobs resume --last --profile prod --receipt again.json')).code).toBe(0)
  expect(JSON.parse(readFileSync(join(world.folder, 'again.json'), 'utf8'))).toMatchObject({
    complete: true,
    profile: 'prod',
  })
  await other.close()
})

test('a guard that refuses to resume a job leaves it as it is, even where nothing of it was done', async () => {
  const refusing = await startServer((_, response) => json(response, {}, 401))
  const elsewhere = { ANALYTICS_BASE_URL: refusing.url }
  await run('persons delete 8 9 --yes', elsewhere)
  const { code, stderr } = await run(`jobs resume ${onlyJob()}`, { ...elsewhere, ANALYTICS_SAFETY: 'read-only' })
  expect([code, stderr]).toEqual([10, expect.stringContaining('read-only refuses every write; nothing was sent')])
  expect(JSON.parse((await run('jobs list -o json --everywhere')).stdout)).toMatchObject([
    { state: 'interrupted', total: 2, done: 0 },
  ])
  await refusing.close()
})

test('a list looks at the ends of a journal that was closed, and at all of one that was not', async () => {
  await run('persons update-property 7 8 9 --key plan --value secret --yes')
  const path = join(jobs(), onlyJob(), 'journal')
  const counted = async () => {
    const [job] = JSON.parse((await run('jobs list -o json')).stdout) as Record<string, unknown>[]
    return [job?.state, job?.done, job?.failed]
  }
  expect(await counted()).toEqual(['failed', 2, 1])
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, whole.slice(0, whole.lastIndexOf('["closed"')))
  expect(await counted()).toEqual(['running', 2, 1])
  world.pid++
  expect(await counted()).toEqual(['failed', 2, 1])
  // Nobody looks between the ends.
  writeFileSync(path, whole.replace('["updated",0', '["deleted",0'))
  expect(await counted()).toEqual(['failed', 2, 1])
  expect((await run(`jobs show ${onlyJob()}`)).code).toBe(10)
  writeFileSync(path, whole)
  broken = false
  await run(`jobs resume ${onlyJob()}`)
  expect(await counted()).toEqual(['done', 3, 0])
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
    const filling = await startServer(({ path }, response) => {
      if (!full && path.includes('/9/')) fillJournal()
      full ||= path.includes('/9/')
      response.writeHead(204).end()
    })
    const there = { ANALYTICS_BASE_URL: filling.url }
    const { code, stdout, stderr } = await run('persons delete 7 9 --yes --concurrency 1 -o ndjson', there)
    expect([code, stdout]).toEqual([7, expect.stringMatching(/^.*"7".*\n$/)])
    expect(stderr).toContain('Make room on the disk')
    world.pid++
    expect((await run(`jobs resume ${onlyJob()}`, there)).code).toBe(0)
    expect(filling.asked.map(({ path }) => path.split('/').at(-2))).toEqual(['7', '9', '9'])
    await filling.close()
  },
)

test('what is left of a job whose process was killed while it made it goes a day later', async () => {
  await run('persons delete 7 9 --yes')
  const [old, young] = ['.20260514-115900-i000-abc', '.20260515-115900-i000-abc'].map(name => join(jobs(), name))
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
  const { stderr } = await run('persons delete 7 8 --yes --project 5')
  expect(stderr).toContain(`Resume with: analytics jobs resume ${onlyJob()} --project 5\n`)
})

test('a job that was altered is refused, and left as it is', async () => {
  await run('persons delete 7 8 --yes')
  const name = onlyJob()
  const path = join(jobs(), name, 'targets')
  writeFileSync(path, readFileSync(path, 'utf8').replace('8', '80'))
  expect((await run(`jobs resume ${name}`)).code).toBe(10)
  writeFileSync(join(jobs(), name, 'journal'), 'no journal\n')
  expect((await run(`jobs show ${name}`)).code).toBe(10)
  writeFileSync(join(jobs(), name, 'job.json'), '{}')
  const { stdout, stderr } = await run('jobs list -o json')
  expect([stdout, stderr]).toEqual(['[]\n', expect.stringContaining('was altered')])
  expect((await run('jobs list')).stderr).not.toContain('No jobs')
  // Whether it has anything left cannot be known.
  const last = await run('jobs resume --last')
  expect([last.code, last.stderr]).toEqual([10, expect.stringContaining('was altered')])
  expect((await run(`jobs remove ${name}`)).code).toBe(0)
  expect(readdirSync(jobs())).toEqual([])
})

test.each([
  { version: 1 },
  { version: 3, targets: ['7', '8'], sha256: 'of another kind' },
])('a job of another version, %j, is refused in words that keep it: that version can go on with it', async header => {
  await run('persons delete 7 8 --yes')
  const file = join(jobs(), onlyJob(), 'job.json')
  writeFileSync(file, JSON.stringify(header))
  const message = `Job ${onlyJob()} was made by another version of analytics`
  for (const line of ['jobs resume', 'jobs show', 'jobs receipt']) {
    const { code, stderr } = await run(`${line} ${onlyJob()}`)
    expect([line, code, stderr]).toEqual([line, 10, `${message}.\nGo on with it in that version.\n`])
  }
  expect((await run('jobs list')).stderr).toContain(message)
  expect(readFileSync(file, 'utf8')).toBe(JSON.stringify(header))
})

test('one that is being worked on is neither resumed nor removed', async () => {
  await run('persons delete 7 8 --yes')
  const processes = { own: process.pid, isRunning: () => true, run: async () => 0 }
  const held = lockJob(jobs(), onlyJob(), { processes, clock: world.clock })
  expect(JSON.parse((await run('jobs list -o json')).stdout)[0].state).toBe('running')
  expect((await run(`jobs resume ${onlyJob()}`)).code).toBe(10)
  expect((await run(`jobs remove ${onlyJob()}`)).code).toBe(10)
  held.release()
  expect((await run(`jobs remove ${onlyJob()}`)).code).toBe(0)
  expect(readdirSync(jobs())).toEqual([])
})

test('jobs remove --older-than leaves the jobs of other servers: a rehearsal keeps those of the service', async () => {
  await run('persons delete 7 8 --yes')
  const kept = onlyJob()
  const stays = '1 job of other servers is not removed: use --everywhere\n'
  expect((await run('jobs remove --older-than 0d --sandbox')).stderr).toContain(`0 jobs removed\n${stays}`)
  const unlisted = '1 job of other servers is not shown: use --everywhere\n'
  expect((await run('jobs list --sandbox')).stderr).toContain(unlisted)
  expect(onlyJob()).toBe(kept)
  expect((await run(`jobs remove ${kept} --everywhere`)).code).toBe(2)
  expect((await run('jobs remove --older-than 0d --everywhere --sandbox')).stderr).toContain(
    '1 job removed; 1 of them had something left',
  )
  expect(readdirSync(jobs())).toEqual([])
})

test('jobs list shows those of the server in use, with --everywhere all, and a part of an id will do', async () => {
  await run('persons delete 7 8 --yes')
  await world.run(['persons', 'delete', '7', '8', '--yes', '--sandbox'])
  const listed = async (line: string, more = {}) => {
    const { stdout } = await run(`jobs list -o json${line}`, more)
    return (JSON.parse(stdout) as { base_url: string; project: string }[]).map(job => [job.base_url, job.project])
  }
  const [here, sandbox] = [
    [server.url, '1'],
    ['http://sandbox.invalid/', '1'],
  ]
  expect(await listed('')).toEqual([here])
  expect(await listed(' --sandbox')).toEqual([sandbox])
  expect(await listed(' --everywhere')).toEqual([sandbox, here])
  expect(await listed('', { ANALYTICS_BASE_URL: '' })).toEqual([sandbox, here])
  expect((await run('jobs show i000-2 --sandbox')).stdout).toContain('http://sandbox.invalid/')
  const { code, stderr } = await run('jobs show 20260515-12')
  expect([code, stderr]).toEqual([2, expect.stringContaining('"20260515-12" matches 2 jobs')])
})

test('a lock that was left behind holds nobody back, and only one takes it over', () => {
  const path = join(world.folder, 'lock')
  const all = { own: process.pid, isRunning: () => true }
  expect(tryLock(path, all)).toBeDefined()
  expect(tryLock(path, all)).toBeUndefined()
  const unlock = tryLock(path, { own: process.pid, isRunning: () => false })
  expect(tryLock(path, all)).toBeUndefined()
  unlock?.()
  // Another process has the same id by now.
  expect(tryLock(path, all)).toBeDefined()
  const holder = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...holder, began: '1' }))
  expect(tryLock(path, all)).toBeDefined()
  // Nobody here can tell whether another machine's process still runs: it has half a minute.
  writeFileSync(path, JSON.stringify({ ...holder, boot: 'elsewhere' }))
  expect(tryLock(path, { ...all, isRunning: () => false })).toBeUndefined()
  utimesSync(path, new Date(), new Date(Date.now() - lockPeriod - 1000))
  const other = tryLock(path, all)
  expect(readdirSync(world.folder)).toEqual(['lock'])
  other?.()
  mkdirSync(path)
  expect(() => tryLock(path, all)).toThrow(UsageError)
})

test('a run whose end was not kept is ended by resuming: the receipt written, what was to be sent erased', async () => {
  await run('persons delete 7 8 --receipt r.json --yes')
  const folder = join(jobs(), onlyJob())
  const unsent = readFileSync(join(folder, 'unsent.json'))
  broken = false
  expect((await run(`jobs resume ${onlyJob()}`)).code).toBe(0)
  const asked = server.asked.length
  writeFileSync(join(folder, 'unsent.json'), unsent)
  const receipt = join(world.folder, 'r.json')
  rmSync(receipt)
  expect((await run(`jobs resume ${onlyJob()}`)).code).toBe(0)
  expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({ complete: true, counts: { deleted: 2 } })
  expect([readdirSync(folder).includes('unsent.json'), server.asked.length]).toEqual([false, asked])
})

test('that nobody was there is said: it may be the wrong place', async () => {
  const empty = await startServer((asked, response) => (isList(asked) ? emptyPage(response) : notFound(response)))
  const { code, stderr } = await run('persons delete 7 8 --yes', { ANALYTICS_BASE_URL: empty.url })
  expect([code, stderr]).toEqual([0, expect.stringContaining('None of them was there')])
  await empty.close()
})

test('a 404 counts as gone only where the project answers its list with a page', async () => {
  const absent = await startServer((_, response) => notFound(response))
  const { code, stdout } = await run('persons delete 7 8 --yes -o ndjson', { ANALYTICS_BASE_URL: absent.url })
  expect([code, stdout]).toEqual([3, ''])
  await absent.close()
  const other = await startServer((asked, response) =>
    isList(asked) ? json(response, { ok: true }) : notFound(response),
  )
  expect((await run('persons delete 7 8 --yes', { ANALYTICS_BASE_URL: other.url })).code).toBe(5)
  await other.close()
})

test('jobs remove takes names only, not paths', async () => {
  await run('persons delete 7 8 --yes')
  for (const name of ['..', '../jobs', '.', './x']) expect((await run(`jobs remove ${name}`)).code).toBe(2)
})

test('a resume whose receipt or backup cannot be written says so before anything is sent', async () => {
  await run('persons delete 7 8 --yes')
  const asked = server.asked.length
  for (const option of ['--receipt', '--backup']) {
    expect((await run(`jobs resume ${onlyJob()} ${option} no-folder/file`)).code).toBe(2)
  }
  expect(server.asked.length).toBe(asked)
})

test.each([
  'read-only',
  'no-delete',
  'confirm',
])('%s refuses a resume before a record is read for the backup', async level => {
  await run('persons delete 7 8 --yes')
  const asked = server.asked.length
  const { code, stderr } = await world.run(['jobs', 'resume', onlyJob(), '--backup', 'b.ndjson', '--yes'], {
    env: { ...env(), ANALYTICS_SAFETY: level },
  })
  expect([code, stderr, server.asked.length]).toEqual([10, expect.stringContaining(`safety level ${level}`), asked])
  expect(existsSync(join(world.folder, 'b.ndjson'))).toBe(false)
})

test('a dry run of a resume writes neither the backup nor the receipt of the job', async () => {
  const line = 'persons delete 7 8 --yes --max-duration 0s --backup b.ndjson --receipt r.json'
  await run(line)
  const held = ['b.ndjson', 'r.json'].map(name => readFileSync(join(world.folder, name), 'utf8'))
  expect(await run('jobs resume --last --dry-run -o ids')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('/7/'),
  })
  expect(['b.ndjson', 'r.json'].map(name => readFileSync(join(world.folder, name), 'utf8'))).toEqual(held)
})

test('--max-duration begins nothing new after that, and the rest is resumed', async () => {
  broken = false
  const { code, stdout, stderr } = await run('persons delete 7 8 9 --yes --max-duration 0s -o ndjson')
  expect([code, stdout]).toEqual([8, ''])
  expect(stderr).toContain('Stopped at --max-duration')
  expect((await run(`jobs show ${onlyJob()}`)).stdout).toContain('--max-duration 0s')
  expect((await run(`jobs resume ${onlyJob()} -o ids`)).stdout).toBe('7\n8\n9\n')
})

test('what was to be sent is erased when what failed is not there to be tried again', async () => {
  const sandbox = { ANALYTICS_SANDBOX: '1' }
  writeFileSync(join(world.folder, 'rows.csv'), 'id,properties.email\n3,ada@example.com\n999,nobody@example.com\n')
  expect((await run('persons update --rows rows.csv --yes --max-duration 0s', sandbox)).code).toBe(8)
  const path = join(jobs(), onlyJob(), 'unsent.json')
  const unsent = readFileSync(path)
  expect((await run(`jobs resume ${onlyJob()} --receipt r.json`, sandbox)).code).toBe(8)
  expect(existsSync(path)).toBe(false)
  for (const [line, stays] of [
    [`jobs resume ${onlyJob()} --dry-run`, true],
    [`jobs resume ${onlyJob()} --receipt again.json`, false],
  ] as const) {
    // A process that was killed has not erased it.
    writeFileSync(path, unsent)
    expect(await run(line, sandbox)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing is left to try: the failed targets do not exist'),
    })
    expect([line, existsSync(path)]).toEqual([line, stays])
  }
  const [first, again] = ['r.json', 'again.json'].map(name => readFileSync(join(world.folder, name), 'utf8'))
  expect(again).toBe(first)
})
