import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, linkSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openBackup } from '../../../src/jobs/backup.ts'
import { itemOf } from '../../../src/json/read-item.ts'
import { World } from '../../world.ts'

let world = new World()
afterEach(() => {
  world.remove()
  world = new World()
})

const run = (line: string, more: Record<string, string> = {}) =>
  world.run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1', ...more } })
const file = (name: string) => join(world.folder, name)
const receipt = (name = 'r.json') => JSON.parse(readFileSync(file(name), 'utf8'))

test('it says what was done, where, when, why, what became of each, and when the events are due', async () => {
  expect((await run('persons delete 3 999 4 --delete-events --receipt r.json --reason T-12 --yes')).code).toBe(8)
  expect(receipt()).toMatchObject({
    command: 'persons delete',
    base_url: 'http://sandbox.invalid/',
    profile: null,
    path: { project_id: '1' },
    job: '20260515-120000-i000',
    reason: 'T-12',
    started_at: '2026-05-15T12:00:00.000Z',
    complete: true,
    counts: { deleted: 2, gone: 0, failed: 1, left: 0 },
    events: { queued: true, due_at: '2026-05-17T05:00:00.000Z' },
    outcomes: [
      { id: '3', status: 'deleted' },
      { id: '999', status: 'failed', error: { code: 'events-not-queued' } },
      { id: '4', status: 'deleted' },
    ],
  })
  expect(statSync(file('r.json')).mode & 0o777).toBe(0o600)
})

test.each([
  ['one', 'persons delete 3'],
  ['many', 'persons delete 3 4'],
])('the events of %s are due on the next Sunday', async (_, line) => {
  world.now = Date.UTC(2026, 5, 3)
  const { stderr } = await run(`${line} --delete-events --receipt r.json --yes`)
  expect(stderr).toContain('Sunday 2026-06-07 05:00 UTC')
  expect(receipt().events.due_at).toBe('2026-06-07T05:00:00.000Z')
})

test('one of a single person is the same', async () => {
  expect((await run('persons delete 3 --receipt r.json --yes')).code).toBe(0)
  expect(receipt()).toMatchObject({
    job: expect.any(String),
    events: null,
    outcomes: [{ id: '3', status: 'deleted', error: null }],
  })
})

test('one of a person who could not be deleted says so; that events stay as well', async () => {
  const { code, stderr } = await run('persons delete 999 --delete-events --receipt r.json --yes -o json')
  expect(code).toBe(3)
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
    code: 'events-not-queued',
    status: 404,
  })
  expect(receipt()).toMatchObject({
    counts: { deleted: 0, failed: 1 },
    events: { queued: false },
    outcomes: [{ id: '999', status: 'failed', error: { name: 'not-found', status: 404, code: 'events-not-queued' } }],
  })
  await run('persons delete 3 --receipt refused.json --yes', { ANALYTICS_SAFETY: 'read-only' })
  expect(existsSync(file('refused.json'))).toBe(false)
})

test.each(['one', 'many'])('one of %s changes that the service accepted and did not make says so', async which => {
  const ids = (await run('event-definitions list --limit 2 -o ids')).stdout.trim().split('\n')
  const targets = which === 'one' ? ids.slice(0, 1) : ids
  const line = `event-definitions update ${targets.join(' ')} --name other --receipt r.json --yes`
  expect((await run(line, { ANALYTICS_SANDBOX: 'observed' })).code).toBe(which === 'one' ? 5 : 8)
  const error = { name: 'rejected', status: null, code: 'not-applied' }
  expect(receipt()).toMatchObject({
    counts: { updated: 0, failed: targets.length },
    outcomes: targets.map(id => ({ id, status: 'failed', error })),
  })
})

test('resuming writes it anew, for all of the targets', async () => {
  await run('persons update 3 999 --set a=b --receipt r.json --yes')
  await run('jobs resume 20260515-120000-i000')
  expect(receipt().outcomes.map(({ status }: { status: string }) => status)).toEqual(['updated', 'failed'])
})

test('a dry run writes none, and saves nothing', async () => {
  await run('persons delete 3 4 --receipt r.json --backup b.ndjson --dry-run')
  expect(() => statSync(file('r.json'))).toThrow()
  expect(() => statSync(file('b.ndjson'))).toThrow()
})

test('one that cannot be written is told of before anything is deleted', async () => {
  expect((await run('persons delete 3 4 --receipt no/such/folder/r.json --yes')).code).toBe(2)
  expect((await run('persons delete 3 4 --backup no/such/folder/b --yes')).code).toBe(2)
  expect((await run('persons get 3')).code).toBe(0)
  expect((await run('jobs list -o json')).stdout).toBe('[]\n')
})

test('a backup holds each record whole, and is ours alone to read', async () => {
  const { stdout } = await run('persons get 3 -o json')
  await run('persons delete 3 999 4 --backup b.ndjson --yes')
  const lines = readFileSync(file('b.ndjson'), 'utf8').trimEnd().split('\n')
  expect([lines.length, lines[0]]).toEqual([2, stdout.trimEnd()])
  expect(statSync(file('b.ndjson')).mode & 0o777).toBe(0o600)
})

test.skipIf(process.platform === 'win32').each(['b.ndjson', 'link'])(
  'a backup into a file that others could read (%s) takes that from them',
  async name => {
    writeFileSync(file('b.ndjson'), '')
    chmodSync(file('b.ndjson'), 0o644)
    symlinkSync(file('b.ndjson'), file('link'))
    expect((await run(`persons delete 3 --backup ${name} --yes`)).code).toBe(0)
    expect(statSync(file('b.ndjson')).mode & 0o777).toBe(0o600)
  },
)

test('a backup follows what the file holds already: it may be all that is left of others', async () => {
  await run('persons delete 3 4 --backup b.ndjson --yes')
  await run('persons delete 3 4 --backup b.ndjson --yes')
  await run('persons delete 5 --backup b.ndjson --yes')
  writeFileSync(file('notes.txt'), 'not to be lost')
  await run('persons delete 6 7 --backup notes.txt --yes')
  const ids = (name: string) => readFileSync(file(name), 'utf8').match(/^(?:\{"id":\d+|not to be lost\n)/gm)
  expect(ids('b.ndjson')).toEqual(['{"id":3', '{"id":4', '{"id":5'])
  expect(ids('notes.txt')).toEqual(['not to be lost\n', '{"id":6', '{"id":7'])
})

test.each([
  ['nothing', undefined, ''],
  ['a record', '{"id":1}\n', '{"id":1}\n'],
  ['a record that a crash cut off', '{"id":1', '{"id":1\n'],
])('two backups at a time add to one file, which held %s, and lose nothing', async (_, held, kept) => {
  if (held !== undefined) writeFileSync(file('b.ndjson'), held)
  const [one, other] = [openBackup(file('b.ndjson')), openBackup(file('b.ndjson'))]
  await one.save(itemOf({ id: 2 }))
  await other.save(itemOf({ id: 3 }))
  await one.save(itemOf({ id: 4 }))
  one.close()
  other.close()
  expect(readFileSync(file('b.ndjson'), 'utf8')).toBe(`${kept}{"id":2}\n{"id":3}\n{"id":4}\n`)
  expect([one.saved, other.saved]).toEqual([2, 1])
})

test.each(['--backup x --receipt ./x'])('%s: one file cannot be two things', async options => {
  const { code, stderr } = await run(`persons delete 3 4 --yes ${options}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining('name the same file')])
  expect((await run('persons get 3')).code).toBe(0)
})

test.each(['--receipt', '--new-backup'])('a backup that is undone is no place for %s', async option => {
  await run('persons update 3 4 --set a=b --yes --backup b.ndjson')
  const before = readFileSync(file('b.ndjson'))
  const { code, stderr } = await run(`jobs undo 20260515 --backup x --backup b.ndjson --yes ${option} b.ndjson`)
  expect([code, stderr]).toEqual([2, expect.stringContaining('name the same file')])
  expect(readFileSync(file('b.ndjson'))).toEqual(before)
})

test('a list by another of its names (a hard link) is no place for the backup', async () => {
  writeFileSync(file('ids'), '3\n4\n')
  linkSync(file('ids'), file('other'))
  const { code, stderr } = await run('persons delete --from ids --yes --backup other')
  expect([code, stderr]).toEqual([2, expect.stringContaining('--from and --backup name the same file')])
  expect(readFileSync(file('ids'), 'utf8')).toBe('3\n4\n')
})

test('the list of ids is not written over', async () => {
  writeFileSync(file('ids'), '3\n4\n')
  expect((await run('persons delete --from ids --backup ids --yes')).code).toBe(2)
  expect(readFileSync(file('ids'), 'utf8')).toBe('3\n4\n')
})

test('persons verify looks whether they are gone', async () => {
  await run('persons delete 3 4 --receipt r.json --yes')
  expect((await run('persons verify --receipt r.json')).code).toBe(0)
  const forged = receipt()
  forged.outcomes.push({ id: '5', status: 'deleted', error: null })
  writeFileSync(file('r.json'), JSON.stringify(forged))
  const { code, stdout } = await run('persons verify --receipt r.json -o ndjson')
  expect([code, stdout]).toEqual([
    8,
    '{"id":"3","status":"gone"}\n{"id":"4","status":"gone"}\n{"id":"5","status":"there"}\n',
  ])
})

test.skipIf(process.platform === 'win32')(
  'persons verify reads a receipt from a pipe, and says why it cannot',
  async () => {
    await run('persons delete 3 4 --receipt r.json --yes')
    const text = readFileSync(file('r.json'))
    execFileSync('mkfifo', [file('pipe')])
    const [{ code }] = await Promise.all([run('persons verify --receipt pipe'), writeFile(file('pipe'), text)])
    expect(code).toBe(0)
    for (const [name, why] of [
      ['.', 'is neither a file nor a pipe'],
      ['/dev/null', 'is neither a file nor a pipe'],
      ['none.json', 'cannot be read as a receipt: there is no such file or folder'],
    ]) {
      expect(await run(`persons verify --receipt ${name}`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${why}.`),
      })
    }
  },
)

test('persons verify speaks of one person, and of none, as such', async () => {
  writeFileSync(file('none.txt'), '')
  await run('persons delete --from none.txt --receipt r.json --yes')
  expect((await run('persons verify --receipt r.json')).stderr).toContain('The receipt names no persons\n')
  await run('persons delete 3 --receipt r.json --yes')
  expect((await run('persons verify --receipt r.json')).stderr).toContain('The person is gone\n')
})

test('persons verify misses an outcome that was taken out of the receipt', async () => {
  await run('persons delete 3 4 --receipt r.json --yes')
  const whole = receipt()
  for (const outcomes of [[], whole.outcomes.slice(1), [...whole.outcomes].reverse()]) {
    writeFileSync(file('cut.json'), JSON.stringify({ ...whole, outcomes }))
    const { code, stderr } = await run('persons verify --receipt cut.json')
    expect([code, stderr]).toEqual([8, expect.stringContaining('The receipt was changed')])
  }
})

test('persons verify refuses what is no receipt, or of elsewhere', async () => {
  await run('persons delete 3 4 --receipt r.json --yes')
  await run('persons update 5 6 --set a=b --receipt u.json --yes')
  writeFileSync(file('x.json'), '{}')
  writeFileSync(file('nowhere.json'), JSON.stringify({ ...receipt(), path: undefined }))
  for (const name of ['none.json', 'x.json', 'u.json', 'nowhere.json'])
    expect((await run(`persons verify --receipt ${name}`)).code).toBe(2)
  expect((await run('persons verify --receipt r.json --project 2')).code).toBe(2)
})

test('without variables of the user, as in a container, the account is named', async () => {
  await run('persons delete 3 --receipt r.json --yes', { USER: '' })
  expect(receipt().actor.user).toBe(userInfo().username)
})

test('a run in CI names the service and the address of the run', async () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://git.example.com',
    GITHUB_REPOSITORY: 'shop/admin',
    GITHUB_RUN_ID: '7',
    GITHUB_ACTOR: 'ada',
  }
  await run('persons delete 3 --receipt r.json --yes', env)
  expect(receipt().actor).toMatchObject({
    user: 'ada',
    ci: 'GitHub Actions',
    run: 'https://git.example.com/shop/admin/actions/runs/7',
  })
})

test.each([
  [{ GITLAB_CI: 'true', CI_JOB_URL: 'https://x:hunter2hunter2@gl.example/1' }, 'https://…@gl.example/1'],
  [{ JENKINS_URL: 'x', BUILD_URL: 'https://ci.example/phx_of_a_service_1' }, 'https://ci.example/***'],
])('the address of the run holds no password and no key', async (env, address) => {
  const more = { ...env, USER: 'phx_of_a_service_1', ANALYTICS_API_KEY: 'phx_of_a_service_1' }
  await run('persons delete 3 4 --receipt r.json --yes', more)
  expect(receipt().actor).toMatchObject({ user: '***', run: address })
  const again = await run(`jobs receipt ${receipt().job}`)
  expect(JSON.parse(again.stdout).actor).toEqual(receipt().actor)
})

test('one is written also where nothing was found to do', async () => {
  expect((await run('persons delete --email nobody@example.com --max 1 --receipt r.json --yes')).code).toBe(0)
  expect(receipt()).toMatchObject({ complete: true, counts: { deleted: 0, left: 0 }, outcomes: [] })
  expect((await run('persons verify --receipt r.json')).code).toBe(0)
})

test('verify tells each person, and cannot tell where the project does not answer', async () => {
  await run('persons delete 3 999 --delete-events --receipt r.json --yes')
  const edited = receipt()
  edited.outcomes.push({ id: '4', status: 'left', error: null, evidence: null, at: null })
  edited.outcomes.push({ id: '5', status: 'deleted', error: null, evidence: 'answered', at: null })
  writeFileSync(file('r.json'), JSON.stringify({ ...edited, complete: false }))
  const { stdout, code } = await run('persons verify --receipt r.json -o json')
  expect(JSON.parse(stdout)).toEqual([
    { id: '3', status: 'gone' },
    { id: '999', status: 'events-not-queued' },
    { id: '4', status: 'not-attempted' },
    { id: '5', status: 'there' },
  ])
  expect(code).toBe(8)
  writeFileSync(file('r.json'), JSON.stringify({ ...edited, path: { project_id: '77' }, project: '77' }))
  const elsewhere = await run('persons verify --receipt r.json --project 77')
  expect([elsewhere.code, elsewhere.stderr]).toEqual([7, expect.stringContaining('Cannot tell who is gone')])
})
