/** When a job goes on, and when it does not. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startJobs } from '../jobs/stored.ts'
import { json } from '../server.ts'
import { startService } from '../service.ts'

test('one of a profile is resumed with it: the key of another profile may not go to its server', async () => {
  const { world, server, onlyJob } = await startJobs()
  const add = ['--project', '1', '--api-key-stdin', '--yes']
  await world.run(['profiles', 'add', 'here', '--base-url', server.url, ...add], { stdin: 'the-key' })
  await world.run(['profiles', 'add', 'there', '--base-url', 'http://127.0.0.1:9/', ...add], { stdin: 'other' })
  await world.run(['persons', 'delete', '7', '8', '--yes', '--profile', 'here'])
  const { code, stderr } = await world.run(['jobs', 'resume', onlyJob(), '--profile', 'there'])
  const hint = `Resume it with --profile here, or with --base-url ${server.url}`
  expect([code, stderr]).toEqual([10, expect.stringContaining(hint)])
})

test('one of the sandbox is resumed in the sandbox', async () => {
  const { run, world, onlyJob } = await startJobs()
  await world.run(['persons', 'update', '7', '9999', '--set', 'plan=pro', '--yes', '--sandbox'])
  const { code, stderr } = await run(`jobs resume ${onlyJob()}`)
  expect([code, stderr]).toEqual([10, expect.stringContaining('Resume it with --sandbox.')])
  const there = await world.run(['jobs', 'resume', onlyJob(), '--sandbox'])
  expect([there.code, there.stderr]).toEqual([2, expect.stringContaining('Nothing is left to try')])
  expect((await world.run(['jobs', 'resume', '--last', '--sandbox'])).code).toBe(0)
})

test('a job that is done gets its receipt all the same, and nothing is sent', async () => {
  const { run, world, server, onlyJob, mend } = await startJobs()
  mend()
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
  const { run, world, server, onlyJob, mend } = await startJobs()
  await run('persons delete 7 8 --yes')
  const other = await startService(() => undefined)
  const asked = server.asked.length
  await world.run(['profiles', 'add', 'prod', '--base-url', server.url, '--project', '1', '--api-key-stdin'], {
    stdin: 'key',
  })
  expect((await run(`jobs resume ${onlyJob()}`, { env: other.env })).code).toBe(10)
  expect((await run(`jobs resume ${onlyJob()} --project 2`)).code).toBe(10)
  expect([server.asked.length, other.server.asked.length]).toEqual([asked, 0])
  mend()
  expect((await run('jobs resume --last --profile prod --receipt again.json')).code).toBe(0)
  expect(JSON.parse(readFileSync(join(world.folder, 'again.json'), 'utf8'))).toMatchObject({
    complete: true,
    profile: 'prod',
  })
})

test('a guard that refuses to resume a job leaves it as it is, even where nothing of it was done', async () => {
  const { run } = await startService((_, response) => json(response, {}, 401))
  await run('persons delete 8 9 --yes')
  const { code, stderr } = await run('jobs resume --last', { env: { ANALYTICS_SAFETY: 'read-only' } })
  expect([code, stderr]).toEqual([10, expect.stringContaining('read-only refuses every write; nothing was sent')])
  expect(JSON.parse((await run('jobs list -o json --everywhere')).stdout)).toMatchObject([
    { state: 'interrupted', total: 2, done: 0 },
  ])
})

test('a run whose end was not kept is ended by resuming: the receipt written, what was to be sent erased', async () => {
  const { run, world, server, jobs, onlyJob, mend } = await startJobs()
  await run('persons delete 7 8 --receipt r.json --yes')
  const folder = join(jobs, onlyJob())
  const unsent = readFileSync(join(folder, 'unsent.json'))
  mend()
  expect((await run(`jobs resume ${onlyJob()}`)).code).toBe(0)
  const asked = server.asked.length
  writeFileSync(join(folder, 'unsent.json'), unsent)
  const receipt = join(world.folder, 'r.json')
  rmSync(receipt)
  expect((await run(`jobs resume ${onlyJob()}`)).code).toBe(0)
  expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({ complete: true, counts: { deleted: 2 } })
  expect([readdirSync(folder).includes('unsent.json'), server.asked.length]).toEqual([false, asked])
})

test('a resume whose receipt or backup cannot be written says so before anything is sent', async () => {
  const { run, server, onlyJob } = await startJobs()
  await run('persons delete 7 8 --yes')
  const asked = server.asked.length
  for (const option of ['--receipt', '--backup']) {
    expect((await run(`jobs resume ${onlyJob()} ${option} no-folder/file`)).code).toBe(2)
  }
  expect(server.asked.length).toBe(asked)
})

test.each(['read-only', 'no-delete'])('%s refuses a resume before a record is read for the backup', async level => {
  const { run, world, server, onlyJob } = await startJobs()
  await run('persons delete 7 8 --yes')
  const asked = server.asked.length
  const { code, stderr } = await run(`jobs resume ${onlyJob()} --backup b.ndjson --yes`, {
    env: { ANALYTICS_SAFETY: level },
  })
  expect([code, stderr, server.asked.length]).toEqual([10, expect.stringContaining(`safety level ${level}`), asked])
  expect(existsSync(join(world.folder, 'b.ndjson'))).toBe(false)
})
