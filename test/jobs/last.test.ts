/** `jobs resume --last` where some of the jobs cannot be read: what may have something left here stops it, nothing else. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
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
const nothing = { code: 0, stderr: expect.stringContaining('no job of this server and project') }

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
