/** Which job is the newest: an undo of another one would put the wrong values back. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listJobs } from '../../src/jobs/find-job.ts'
import { createJob, type Job } from '../../src/jobs/job.ts'
import { fakeClock } from '../clock.ts'

test('of two jobs of the same second, the later one is the newest', () => {
  const jobs = mkdtempSync(join(tmpdir(), 'analytics-newest-'))
  const times = ['12:00:00.100Z', '12:00:00.500Z', '12:00:00.900Z'].map(time => `2026-05-15T${time}`)
  for (const [i, started_at] of times.entries()) {
    // What else its header holds does not matter here.
    const header = { started_at, base_url: '', command: '', path: {} } as Job['header']
    const newJob = { header, targets: ['1'], values: {}, backups: [], concurrency: 1, maxFailures: undefined }
    const host = {
      clock: fakeClock(),
      random: () => [0.5, 0.9, 0.1][i] ?? 0,
      processes: { pid: 1, isRunning: () => true },
    }
    createJob(jobs, newJob, host)
  }
  expect(listJobs(jobs, () => undefined).map(({ header }) => header.started_at)).toEqual(times.toReversed())
})
