/** `jobs resume --last` where some of the jobs cannot be read, or none has anything left. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { World } from '../world.ts'

let world = new World()
afterEach(() => {
  world.remove()
  world = new World()
})

const jobs = () => join(world.folder, 'state/jobs')
const run = (line: string, more: object = {}) =>
  world.run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1', ...more } })
const last = (more?: object) => run('jobs resume --last', more)
const elsewhere = {
  ANALYTICS_SANDBOX: '',
  ANALYTICS_BASE_URL: 'http://localhost:9',
  ANALYTICS_API_KEY: 'made-up-key',
  ANALYTICS_PROJECT: '1',
}
const stopped = async () => {
  await run('persons delete 3 4 --max-duration 0s --yes')
  return readdirSync(jobs())[0] ?? ''
}
const nothing = { code: 0, stderr: expect.stringContaining('no job of several targets on this server and project') }

test.each([
  ['another server', elsewhere],
  ['another project', { ANALYTICS_PROJECT: '2' }],
])('a damaged job does not stop it in %s', async (_, there) => {
  rmSync(join(jobs(), await stopped(), 'journal'))
  expect(await last(there)).toMatchObject(nothing)
  expect(await last()).toMatchObject({ code: 10, stderr: expect.stringContaining('The journal is missing') })
})

test('one whose header cannot be read stops it everywhere: it may be of any server', async () => {
  writeFileSync(join(jobs(), await stopped(), 'job.json'), '{')
  expect(await last(elsewhere)).toMatchObject({ code: 10 })
  expect(await last()).toMatchObject({ code: 10 })
})

test('a folder without job.json is no job: it is told, and can be removed', async () => {
  mkdirSync(join(jobs(), 'empty'), { recursive: true })
  const message = `The job in ${join(jobs(), 'empty')} cannot be read`
  const { code, stderr } = await last()
  expect([code, stderr]).toEqual([0, expect.stringContaining(message)])
  expect(await last()).toMatchObject(nothing)
  expect(await run('jobs list')).toMatchObject({ code: 0, stderr: expect.stringContaining(message) })
  expect(await run('jobs remove empty')).toMatchObject({ code: 0 })
  expect(readdirSync(jobs())).toEqual([])
})

const file = (name: string) => join(world.folder, name)
const done = async (line: string) => {
  await run(line)
  return JSON.parse((await run('jobs list -o json')).stdout)[0].id
}

test('with nothing left, --receipt gets that of the newest job here', async () => {
  await run('persons delete 3 4 --receipt old.json --yes')
  const newest = await done('persons delete 5 6 --receipt own.json --yes')
  await run('persons delete 7 8 --project 2 --yes')
  writeFileSync(file('r.json'), readFileSync(file('old.json')))
  const before = readFileSync(file('r.json'), 'utf8')
  expect(await run('jobs resume --last --receipt r.json --dry-run')).toMatchObject(nothing)
  expect(readFileSync(file('r.json'), 'utf8')).toBe(before)
  const { code, stderr } = await run('jobs resume --last --receipt r.json')
  expect({ code, stderr }).toMatchObject(nothing)
  expect(stderr).toContain('r.json holds the receipt of another run, and will be replaced')
  expect(stderr).toContain(`The receipt in r.json is that of the newest one, ${newest}`)
  expect(readFileSync(file('r.json'), 'utf8')).toBe((await run(`jobs receipt ${newest}`)).stdout)
})

test('it is written also where a failed target is final', async () => {
  const newest = await done('persons update 5 999 --set a=b --yes')
  expect(await run('jobs resume --last --receipt r.json')).toMatchObject(nothing)
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ job: newest, counts: { failed: 1 } })
})

test('without any job here, that no receipt was written is said', async () => {
  await run('persons delete 7 8 --project 2 --yes')
  const { code, stderr } = await run('jobs resume --last --receipt r.json -q')
  expect([code, stderr]).toEqual([0, expect.stringContaining('No receipt was written')])
  expect(existsSync(file('r.json'))).toBe(false)
})

test('a backup of that job is not replaced by its receipt', async () => {
  await run('persons delete 3 4 --backup b.ndjson --yes')
  const before = readFileSync(file('b.ndjson'))
  expect(await run('jobs resume --last --receipt b.ndjson')).toMatchObject({ code: 2 })
  expect(readFileSync(file('b.ndjson'))).toEqual(before)
})

test('an altered journal of a newer job that is done does not stop the resume of an older one', async () => {
  const older = await stopped()
  const newer = await done('persons delete 5 6 --yes')
  const journal = join(jobs(), newer, 'journal')
  writeFileSync(journal, readFileSync(journal, 'utf8').replace('"deleted"', '"updated"'))
  const { code, stdout } = await run('jobs resume --last --receipt r.json -o ids')
  expect([code, stdout]).toEqual([0, '3\n4\n'])
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ job: older, complete: true })
})

test('a job that was killed before its receipt was written gets it, and its body is erased', async () => {
  await run('persons delete 3 4 --max-duration 0s --receipt r.json --yes')
  const unsent = join(jobs(), readdirSync(jobs())[0] ?? '', 'unsent.json')
  const kept = readFileSync(unsent)
  await last()
  writeFileSync(unsent, kept)
  rmSync(file('r.json'))
  const { code, stderr } = await last()
  expect({ code, stderr }).toMatchObject(nothing)
  expect(stderr).toContain('Wrote the receipt of job')
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ complete: true, counts: { deleted: 2 } })
  expect(existsSync(unsent)).toBe(false)
  expect(await last()).toMatchObject(nothing)
})

test('an older job with something left is resumed all the same, and a receipt that cannot be written is said once', async () => {
  const older = await stopped()
  mkdirSync(file('t'))
  await run('persons delete 5 6 --max-duration 0s --receipt t/r.json --yes')
  const newer = readdirSync(jobs()).find(name => name !== older) ?? ''
  const unsent = join(jobs(), newer, 'unsent.json')
  const kept = readFileSync(unsent)
  await run(`jobs resume ${newer}`)
  writeFileSync(unsent, kept)
  rmSync(file('t'), { recursive: true })
  const { code, stdout, stderr } = await run('jobs resume --last -o ids')
  expect([code, stdout]).toEqual([0, '3\n4\n'])
  expect(stderr).toContain(`jobs receipt ${newer} > FILE`)
  expect(existsSync(unsent)).toBe(false)
  expect((await last()).stderr).not.toContain(newer)
})
