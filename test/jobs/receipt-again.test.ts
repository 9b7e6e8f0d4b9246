/** `jobs receipt`: the receipt made again from the job, as JSON or as a page. */
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { World } from '../world.ts'

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
  const again = ['jobs', 'receipt', job, '--output-file', 'again.json']
  expect((await run([...again, '-o', 'csv', '--fields', 'id'], { USER: 'bob' })).code).toBe(0)
  expect(read('again.json')).toBe(read('r.json'))
  expect(statSync(join(world.folder, 'again.json')).mode & 0o777).toBe(0o600)
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

test('a backup that is not there any more has no digest', async () => {
  await run(['persons', 'delete', '3', '4', '--backup', 'b', '--yes'])
  rmSync(join(world.folder, 'b'))
  expect(JSON.parse((await run(['jobs', 'receipt', job])).stdout).backup).toEqual({ path: 'b', sha256: null })
})

test('the page says all that the JSON says, and nothing in it is active or loaded', async () => {
  const hostile = `"'><script src=//x.example.com>1</script><img onerror=a>&lt;\u202e\u001b[31m`
  await run([
    'persons',
    'delete',
    '3',
    '999',
    '--delete-events',
    '--reason',
    hostile,
    '--requested-by',
    hostile,
    '--yes',
  ])
  const { code, stdout } = await run(['jobs', 'receipt', job, '--html', 'r.html', '--output-file', 'r.json'])
  expect([code, stdout]).toEqual([0, ''])
  const page = read('r.html')
  expect(statSync(join(world.folder, 'r.html')).mode & 0o777).toBe(0o600)
  const tags = new Set(Array.from(page.matchAll(/<\/?([^\s>]*)/g), ([, name]) => name))
  const known = 'body h1 h2 head html meta p style table tbody td th thead title tr !DOCTYPE'
  expect([...tags].sort()).toEqual(known.split(' ').sort())
  expect(page).not.toMatch(/\b(?:src|href|on\w+)="|url\(|@import|[\u202e\u001b]/)
  const shown = page.replace(/<style>.*<\/style>|<[^>]*>/g, ' ').replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n))
  const { actor, events, outcomes } = JSON.parse(read('r.json'))
  for (const text of [
    job,
    actor.machine,
    events.due_at,
    'events-not-queued',
    ...outcomes.map(({ id }: { id: string }) => id),
  ]) {
    expect(shown).toContain(text)
  }
  expect(shown).toContain(`"'><script src=//x.example.com>1</script><img onerror=a>&lt;\\u202e\\u001b[31m`)
})

test('the page and the JSON are not one file, and a file that cannot be written is named', async () => {
  await run(['persons', 'delete', '3', '4', '--yes'])
  for (const files of [
    ['--html', 'x', '--output-file', './x'],
    ['--html', 'no/folder/x'],
  ]) {
    expect((await run(['jobs', 'receipt', job, ...files])).code).toBe(2)
  }
})
