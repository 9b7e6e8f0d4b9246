/** A plan runs once, also when several processes run it at the same moment or one of them is killed. `CHAOS=20` makes more rounds. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Asked, isList, json, notFound, startServer, type TestServer } from '../server.ts'
import { chaosSeeds } from './chaos.ts'
import { sequence } from './faulty.ts'
import { analytics, start } from './program.ts'

const [seed = 0] = chaosSeeds(1)
const rounds = Number(process.env.CHAOS ?? 2)
const ids = Array.from({ length: 12 }, (_, i) => String(i + 1))

let folder: string
let server: TestServer
let deleted: string[]
let onDelete: () => void

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-plans-'))
  mkdirSync(jobs(), { recursive: true })
  deleted = []
  onDelete = () => undefined
  server = await startServer((asked, response) => {
    if (isList(asked)) return json(response, { results: [], next: null })
    if (!isDelete(asked) || deleted.includes(idIn(asked))) return notFound(response)
    deleted.push(idIn(asked))
    onDelete()
    response.writeHead(204).end()
  })
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const idIn = ({ path }: Asked) => path.split('/').at(-2) ?? ''
const isDelete = ({ method }: Asked) => method === 'DELETE'
const sent = () => server.asked.filter(isDelete).map(idIn)
const jobs = () => join(folder, 'state/jobs')
const env = () => ({
  ANALYTICS_BASE_URL: server.url,
  ANALYTICS_API_KEY: 'test-key',
  ANALYTICS_PROJECT: '1',
  ANALYTICS_STATE_DIR: join(folder, 'state'),
})
const file = (round: number) => join(folder, `${round}.json`)
const runPlan = (round: number) => start(['jobs', 'run', file(round), '--yes', '--concurrency', '2'], env())

async function writePlan(round: number): Promise<void> {
  const targets = ids.map(id => String(Number(id) + 100 * round))
  expect((await analytics(['persons', 'delete', ...targets, '--plan', file(round)], env())).code).toBe(0)
}

test(`of four processes at once one runs it, ${rounds} times`, async () => {
  for (let round = 0; round < rounds; round++) {
    await writePlan(round)
    const rivals = await Promise.all([1, 2, 3, 4].map(() => runPlan(round).finished))
    expect(rivals.map(({ code }) => code).toSorted()).toEqual([0, 10, 10, 10])
    const refused = rivals.filter(({ code }) => code === 10).map(({ stderr }) => stderr)
    const [, name] = /run already.* job (plan-[0-9a-f]{16})/.exec(refused[0] ?? '') ?? []
    expect(readdirSync(jobs())).toContain(name)
    expect(refused.filter(text => !text.includes(`job ${name}`))).toEqual([])
  }
  expect(sent()).toHaveLength(ids.length * rounds)
})

test(`killed at any moment it has no job, or one to be resumed, ${rounds} times (seed ${seed})`, async () => {
  const random = sequence(seed)
  const finishedJobs = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    await writePlan(round)
    const { child, finished } = runPlan(round)
    const until = deleted.length + Math.ceil(random() * ids.length)
    onDelete = () => deleted.length >= until && child.kill('SIGKILL')
    // Half of them while the job is being created.
    const watcher = round % 2 === 0 ? watch(jobs(), () => child.kill('SIGKILL')) : undefined
    expect((await finished).code).toBeNull()
    watcher?.close()
    onDelete = () => undefined

    const [name] = readdirSync(jobs()).filter(one => one.startsWith('plan-') && !finishedJobs.has(one))
    const { code, stderr } = await runPlan(round).finished
    if (name === undefined) expect([code, stderr]).toEqual([0, expect.any(String)])
    else {
      expect([code, stderr]).toEqual([10, expect.stringMatching(`run already.* job ${name}`)])
      expect((await analytics(['jobs', 'resume', name], env())).code).toBe(0)
    }
    for (const one of readdirSync(jobs())) finishedJobs.add(one)
    expect(deleted).toHaveLength(ids.length * (round + 1))
  }
})
