/** Jobs that come, go and end between any two calls of another process to the system. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listJobs, progressOf, readExisting, removeJob } from '../../src/jobs/find-job.ts'
import { createJob, eraseValues, type Job, lockJob, readJobValues, saveJob } from '../../src/jobs/job.ts'
import { atEachCall, between } from '../between-calls.ts'
import { fakeClock } from '../clock.ts'
import { posixTest } from '../posix.ts'
import { json } from '../server.ts'
import { accepting, startService } from '../service.ts'

/** Ids that no process has. */
const [own, other] = [2 ** 22 + 1, 2 ** 22 + 2]
const as = (pid: number) => ({ clock: fakeClock(), random: () => 0.5, processes: { pid: pid, isRunning: () => true } })
const newFolder = () => mkdtempSync(join(tmpdir(), 'analytics-meanwhile-'))
const unread = () => expect.fail('A job could not be read')
const statesIn = (jobs: string) =>
  listJobs(jobs, unread).flatMap(job => readExisting(job.folder, unread, () => progressOf(job, as(own)).state))

function create(jobs: string, started_at = '2026-05-15T12:00:00Z', random = () => 0.5) {
  // What else its header holds does not matter here.
  const header = { started_at, base_url: 'https://a.example/', command: '', path: {} } as Job['header']
  const newJob = { header, targets: ['1', '2'], values: {}, backups: [], concurrency: 1, maxFailures: undefined }
  return createJob(jobs, newJob, { ...as(own), random })
}

function createEnded(jobs: string): Job {
  const { job, journal, lock } = create(jobs)
  end(journal)
  lock.release()
  return job
}

function end(journal: ReturnType<typeof create>['journal']) {
  journal.begin([0])
  const outcome = { status: 'deleted', evidence: 'answered' } as const
  journal.settle(new Map([0, 1].map(target => [target, outcome])), Date.parse('2026-05-15T12:01:00Z'))
  journal.close()
}

test('of jobs of the same second, the last one is the newest', () => {
  const jobs = newFolder()
  const times = ['12:00:00.100Z', '12:00:00.500Z', '12:00:00.900Z'].map(time => `2026-05-15T${time}`)
  for (const [i, time] of times.entries()) create(jobs, time, () => [0.5, 0.9, 0.1][i] ?? 0)
  expect(listJobs(jobs, unread).map(({ header }) => header.started_at)).toEqual(times.toReversed())
})

test('a new job is locked before other processes can see it', () => {
  const jobs = newFolder()
  const seen = new Set<string>()
  between(
    () => statesIn(jobs).forEach(state => void seen.add(state)),
    () => create(jobs),
  )
  expect([...seen]).toEqual(['running'])
})

posixTest('a job that is resumed during its removal stays complete', () => {
  atEachCall(isNow => {
    const jobs = newFolder()
    const job = createEnded(jobs)
    let isHeld = false
    let isRemoved = false
    const calls = between(
      call => {
        if (!isNow(call)) return
        try {
          lockJob(job, as(other))
          isHeld = true
        } catch {
          // It is being removed.
        }
      },
      () => (isRemoved = removeJob(jobs, job.name, as(own))),
    )
    expect(isRemoved).toBe(!isHeld)
    expect(existsSync(job.folder)).toBe(isHeld)
    if (isHeld) expect(readFileSync(join(job.folder, 'journal'), 'utf8')).toContain('["deleted",1,')
    return calls
  })
})

posixTest('a job that another process removes during the removal is no longer listed', () => {
  for (const work of [(jobs: string, name: string) => removeJob(jobs, name, as(own)), statesIn]) {
    atEachCall(isNow => {
      const jobs = newFolder()
      const { name } = createEnded(jobs)
      const calls = between(
        call => void (isNow(call) && removeJob(jobs, name, as(other))),
        () => work(jobs, name),
      )
      return calls
    })
  }
})

test('a job that ends while it is read is running or done, never interrupted', () => {
  atEachCall(isNow => {
    const { job, journal, lock } = create(newFolder())
    let state = ''
    const calls = between(
      call => {
        if (!isNow(call)) return
        end(journal)
        lock.release()
      },
      () => ({ state } = progressOf(job, as(other))),
    )
    expect(['running', 'done']).toContain(state)
    return calls
  })
})

test('values that are erased while they are read are complete or missing', () => {
  atEachCall(isNow => {
    const job = createEnded(newFolder())
    return between(
      call => void (isNow(call) && eraseValues(job)),
      () => expect([undefined, {}]).toContainEqual(readJobValues(job)),
    )
  })
})

test('a resume keeps the backup files that another resume added', async () => {
  let noted = () => {}
  let status = 401
  const { run, world } = await startService((asked, response) => {
    if (asked.method === 'PATCH' && status !== 200) return json(response, {}, status)
    if (asked.path === '/api/projects/@current/') noted()
    return accepting(asked, response)
  })
  await run('persons update 1 2 --set plan=pro --yes --backup a.ndjson')
  const jobs = join(world.folder, 'state/jobs')
  const kept = () => listJobs(jobs, unread)[0] as Job
  noted = () => saveJob({ ...kept(), backups: [...kept().backups, '/elsewhere/b.ndjson'] })
  status = 200
  const env = { ANALYTICS_PROJECT: '@current' }
  expect((await run('jobs resume --last --backup c.ndjson', { env })).code).toBe(0)
  expect(kept().backups).toEqual([
    join(world.folder, 'a.ndjson'),
    '/elsewhere/b.ndjson',
    join(world.folder, 'c.ndjson'),
  ])
})
