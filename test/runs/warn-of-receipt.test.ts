/** A receipt may be the only proof that somebody was deleted: a run says so before it replaces another one's. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { World } from '../world.ts'

let world = new World()
afterEach(() => {
  world.remove()
  world = new World()
})

const run = (line: string, more: object = {}) =>
  world.run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1' }, ...more })
const warning = 'r.json holds the receipt of another run, and will be replaced\n'
const warns = async (line: string) => (await run(`${line} --receipt r.json --yes`)).stderr.includes(warning)

test('a run that replaces the receipt of an earlier one says so, also where it has nothing to do', async () => {
  expect(await warns('persons delete 3')).toBe(false)
  expect(await warns('persons delete 4')).toBe(true)
  expect(await warns('persons delete 5 6 7 --max-duration 0s')).toBe(true)
  writeFileSync(join(world.folder, 'none'), '')
  expect(await warns('persons delete --from none --dry-run')).toBe(false)
  expect(await warns('persons delete --from none')).toBe(true)
})

test('it is said before the question', async () => {
  await run('persons delete 3 --receipt r.json --yes')
  const { stderr } = await run('persons delete 4 --receipt r.json', { answers: ['n'], columns: 80 })
  expect(stderr).toContain(warning.trim())
  expect(stderr.indexOf(warning.trim())).toBeLessThan(stderr.indexOf('Go on?'))
})

test('a resume replaces its own receipt and says nothing; of another one it does', async () => {
  await run('persons delete 3 4 --max-duration 0s --receipt r.json --yes')
  expect((await run('jobs resume --last --max-duration 0s')).stderr).not.toContain(warning)
  await run('persons delete 5 6 --max-duration 0s --receipt other.json --yes')
  expect((await run('jobs resume --last --receipt r.json')).stderr).toContain(warning)
})

test('a resume of a job that is done says so too', async () => {
  await run('persons delete 3 4 --receipt own.json --yes')
  const [job] = JSON.parse((await run('jobs list -o json')).stdout)
  await run('persons delete 5 --receipt r.json --yes')
  const again = `jobs resume ${job.id} --receipt r.json`
  expect((await run(`${again} --dry-run`)).stderr).not.toContain(warning)
  expect((await run(again)).stderr).toContain(warning)
  expect((await run(again)).stderr).not.toContain(warning)
})

test('a file that is no receipt is replaced as before', async () => {
  writeFileSync(join(world.folder, 'r.json'), '{"job": null}')
  expect(await warns('persons delete 3')).toBe(false)
})
