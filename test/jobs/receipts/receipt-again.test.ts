/** `jobs receipt`: the receipt made again from the job, as JSON or as a page. */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { World } from '../../world.ts'

let world = new World()
afterEach(() => {
  world.remove()
  world = new World()
})

const run = (argv: readonly string[], more: Record<string, string> = {}) =>
  world.run(argv, { env: { ANALYTICS_SANDBOX: '1', USER: 'ada', ...more } })
const read = (name: string) => readFileSync(join(world.folder, name), 'utf8')
const job = '20260515-120000-i000'

test('it is the same, byte for byte, when all is done and whoever makes it', async () => {
  const options = ['--delete-events', '--requested-by', 'T-7', '--received', '2026-01-31', '--reason', 'Ticket <7>']
  await run(['persons', 'delete', '3', '999', '4', ...options, '--backup', 'b', '--receipt', 'r.json', '--yes'])
  const again = await run(['jobs', 'receipt', job, '-o', 'csv', '--fields', 'id'], { USER: 'bob' })
  expect([again.code, again.stdout]).toEqual([0, read('r.json')])
})

test('its events are due by the clock that the sandbox had, whatever it shows now', async () => {
  await run(['sandbox', 'clock', '2026-06-03'])
  await run(['persons', 'delete', '3', '4', '--delete-events', '--receipt', 'r.json', '--yes'])
  await run(['sandbox', 'clock', '+30d'])
  const { stdout } = await run(['jobs', 'receipt', job])
  expect(stdout).toBe(read('r.json'))
  expect(JSON.parse(stdout).events.due_at).toBe('2026-06-07T05:00:00.000Z')
})

test('a run without a receipt has one afterwards, with its reason', async () => {
  await run(['persons', 'update', '3', '4', '--set', 'a=b', '--reason', 'T-12', '--yes'])
  const { stdout, code } = await run(['jobs', 'receipt', job])
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ command: 'persons update', reason: 'T-12', complete: true, backup: null, events: null }),
  ])
})

test('a receipt that is first asked for at a resume has the reason that was given before', async () => {
  await run(['persons', 'delete', '3', '4', '5', '--max-duration', '0s', '--reason', 'T-12', '--yes'])
  expect(JSON.parse((await run(['jobs', 'receipt', job])).stdout)).toMatchObject({ complete: false, reason: 'T-12' })
  await run(['jobs', 'resume', job, '--receipt', 'r.json'])
  expect(JSON.parse(read('r.json'))).toMatchObject({ complete: true, reason: 'T-12' })
})

test.each([
  ['none', [], 'b'],
  ['the same in another spelling', ['--backup', './b'], 'b'],
  ['another', ['--backup', './c'], './c'],
])('after a resume with a backup (%s) the path is the one that the resume wrote', async (_, options, path) => {
  await run(['persons', 'update', '3', '4', '--set', 'a=b', '--max-duration', '0s', '--backup', 'b', '--yes'])
  await run(['jobs', 'resume', job, '--receipt', 'r.json', ...options])
  expect(JSON.parse(read('r.json')).backup.path).toBe(path)
  expect((await run(['jobs', 'receipt', job])).stdout).toBe(read('r.json'))
})

test('a backup that is not there any more has no digest', async () => {
  await run(['persons', 'delete', '3', '4', '--backup', 'b', '--yes'])
  rmSync(join(world.folder, 'b'))
  expect(JSON.parse((await run(['jobs', 'receipt', job])).stdout).backup).toEqual({ path: 'b', sha256: null })
})

test('a backup that cannot be read is said', async () => {
  await run(['persons', 'delete', '3', '4', '--backup', 'b', '--yes'])
  rmSync(join(world.folder, 'b'))
  mkdirSync(join(world.folder, 'b'))
  const { code, stderr } = await run(['jobs', 'receipt', job])
  expect([code, stderr]).toEqual([2, expect.stringContaining('b cannot be read: that is a folder')])
})

test.each([
  ['resume', '--receipt', 'b'],
  ['resume', '--receipt', './b'],
  ['receipt', '--html', 'b'],
])('jobs %s %s %s does not replace the backup of the job', async (verb, option, path) => {
  await run(['persons', 'delete', '3', '4', '--backup', 'b', '--yes'])
  const backup = readFileSync(join(world.folder, 'b'), 'utf8')
  const { code, stderr } = await run(['jobs', verb, job, option, path])
  expect([code, stderr]).toEqual([2, expect.stringContaining('name the same file')])
  expect(readFileSync(join(world.folder, 'b'), 'utf8')).toBe(backup)
})

test('jobs resume of a job that is done may name its backup', async () => {
  await run(['persons', 'delete', '3', '4', '--backup', 'b', '--yes'])
  expect((await run(['jobs', 'resume', job, '--backup', 'b', '--receipt', 'r'])).code).toBe(0)
  expect((await run(['jobs', 'resume', job, '--backup', 'c', '--receipt', 'c'])).code).toBe(2)
})

test('the page has the outcomes, and is ours alone to read', async () => {
  await run(['persons', 'delete', '3', '999', '--delete-events', '--reason', '<b>T-12', '--yes'])
  const { code, stdout } = await run(['jobs', 'receipt', job, '--html', 'r.html'])
  expect([code, stdout]).toEqual([0, ''])
  expect(statSync(join(world.folder, 'r.html')).mode & 0o777).toBe(0o600)
  for (const shown of [job, '&#60;b&#62;T-12', '<td>3</td>', '<td>999</td>', 'events-not-queued']) {
    expect(read('r.html')).toContain(shown)
  }
})

test('a page that cannot be written is refused', async () => {
  await run(['persons', 'delete', '3', '4', '--yes'])
  expect((await run(['jobs', 'receipt', job, '--html', 'no/folder/x'])).code).toBe(2)
})

test('it names the backup of the last resume, and no backup of the job is replaced', async () => {
  await run(['persons', 'update', '3', '4', '--set', 'a=b', '--backup', 'b', '--max-duration', '0s', '--yes'])
  expect((await run(['jobs', 'resume', job, '--backup', 'c', '--receipt', 'b'])).code).toBe(2)
  expect((await run(['jobs', 'resume', job, '--backup', 'c', '--receipt', 'r.json'])).code).toBe(0)
  expect((await run(['jobs', 'receipt', job])).stdout).toBe(read('r.json'))
  expect(JSON.parse(read('r.json')).backup.path).toBe('c')
  const backup = read('c')
  for (const name of ['b', 'c']) expect((await run(['jobs', 'receipt', job, '--html', name])).code).toBe(2)
  expect(read('c')).toBe(backup)
})
