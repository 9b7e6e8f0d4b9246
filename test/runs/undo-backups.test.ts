/** `jobs undo` with several backup files, foreign ids, and safety levels. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { accepting, startService } from '../service.ts'

/** A service whose one person has this plan, and that loses writes while it is down. */
async function startWithPlan() {
  const state = { plan: 'free' as string | undefined, isDown: false }
  const service = await startService((asked, response) => {
    const isPerson = /\/persons\/\d+\/$/.test(asked.path)
    if (asked.method === 'GET' && isPerson) return json(response, { id: 1, properties: { plan: state.plan } })
    if (asked.method !== 'GET' && state.isDown) return json(response, { detail: 'Down.' }, 503)
    accepting(asked, response)
  })
  /** Runs a command while the person has this plan. */
  const runWith = async (plan: string | undefined, line: string) => {
    state.plan = plan
    const ran = await service.run(`${line} --retries 0`)
    service.world.clock.set(service.world.clock.now() + 1000)
    return ran
  }
  return { ...service, state, runWith, path: (name: string) => join(service.world.folder, name) }
}

const update = 'persons update 1 --set plan=pro --backup a.ndjson'
const undo = 'jobs undo --last --yes --force'

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)

test('the lines of several backups are applied in the order of their times', async () => {
  const { state, runWith, path, sent } = await startWithPlan()
  state.isDown = true
  expect((await runWith('free', update)).code).toBe(7)
  expect((await runWith('trial', 'jobs resume --last --backup b.ndjson')).code).toBe(8)
  state.isDown = false
  expect((await runWith('gold', 'jobs resume --last --backup a.ndjson')).code).toBe(0)
  expect([...linesOf(path('a.ndjson')), ...linesOf(path('b.ndjson'))].map(({ at }) => at)).toEqual([
    '2026-05-15T12:00:00.000Z',
    '2026-05-15T12:00:02.000Z',
    '2026-05-15T12:00:01.000Z',
  ])
  expect((await runWith('pro', undo)).code).toBe(0)
  expect(sent().at(-1)?.body).toBe('{"properties":{"plan":"gold"}}')
})

test('lines without a time come first, in the order of their files', async () => {
  const { runWith, path, sent } = await startWithPlan()
  expect((await runWith('free', update)).code).toBe(0)
  const [line = {}] = linesOf(path('a.ndjson'))
  const { at, ...timeless } = line
  const withPlan = (plan: string) => `${JSON.stringify({ ...timeless, before: { id: 1, properties: { plan } } })}\n`
  writeFileSync(path('a.ndjson'), `${JSON.stringify({ ...line, at })}\n${withPlan('older')}${withPlan('old')}`)
  expect((await runWith('pro', undo)).code).toBe(0)
  expect(sent().at(-1)?.body).toBe('{"properties":{"plan":"free"}}')
})

test('an id that was no target of the job is skipped and named', async () => {
  const { runWith, path, sent } = await startWithPlan()
  expect((await runWith('free', update)).code).toBe(0)
  const [line = {}] = linesOf(path('a.ndjson'))
  const foreign = [7, 8].map(id => `${JSON.stringify({ ...line, id: String(id) })}\n`).join('')
  writeFileSync(path('a.ndjson'), foreign, { flag: 'a' })
  const before = sent().length
  const undone = await runWith('pro', undo)
  expect([undone.code, undone.stderr]).toEqual([0, expect.stringContaining('Skipped 2 ids not changed by job ')])
  expect(
    sent()
      .slice(before)
      .map(({ path }) => path),
  ).toEqual(['/api/projects/1/persons/1/'])
  writeFileSync(path('a.ndjson'), foreign)
  expect((await runWith('pro', 'jobs undo --last --yes')).code).toBe(2)
})

test.each([
  ['read-only', 'free', 10],
  ['no-delete', undefined, 10],
  ['no-delete', 'free', 0],
])('under %s, an undo of plan %s exits with its code before anything is read', async (level, plan, code) => {
  const { runWith, world, env, server } = await startWithPlan()
  expect((await runWith(plan, update)).code).toBe(0)
  const [job] = JSON.parse((await runWith(plan, 'jobs list -o json')).stdout) as { id: string }[]
  const before = server.asked.length
  const argv = `jobs undo ${job?.id} --yes --project @current --force`.split(' ')
  const undone = await world.run(argv, { env: { ...env, ANALYTICS_SAFETY: level } })
  const jobs = JSON.parse((await runWith('pro', 'jobs list -o json')).stdout) as unknown[]
  expect([undone.code, server.asked.length > before, jobs.length]).toEqual([code, code === 0, code === 0 ? 2 : 1])
})

test('the prompt of an undo names --new-backup, since --backup is the file that it reads', async () => {
  const { runWith, run } = await startWithPlan()
  expect((await runWith('free', update)).code).toBe(0)
  const { code, stderr } = await run('jobs undo --last --force', { answers: ['n'] })
  expect([code, stderr]).toEqual([10, expect.stringContaining('cannot be undone (use --new-backup ')])
})
