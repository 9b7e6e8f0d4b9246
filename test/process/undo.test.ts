/** The real program, killed while it updates and while it undoes, between two requests for one person too. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Asked } from '../../src/sandbox/call.ts'
import { serve } from '../../src/sandbox/server.ts'
import { visit } from '../sandbox/visit.ts'
import { chaosSeeds } from './chaos.ts'
import { sequence } from './faulty.ts'
import { type Env, emptyHome, start } from './program.ts'

test.each(chaosSeeds(1))('an update and its undo survive kill -9 (seed %i)', async seed => {
  const random = sequence(seed)
  const { sandbox, ask } = await visit()
  let writes = 0
  let act: () => void = () => undefined
  const answer = (request: Asked) => {
    const isWrite = request.method !== 'GET'
    // Before or after the service has done it.
    if (isWrite && --writes === 0 && random() < 0.5) act()
    const reply = sandbox.answer(request)
    if (isWrite && writes === 0) act()
    return reply
  }
  const listening = await serve({ port: 0, answer })
  onTestFinished(() => listening.close())
  const home = emptyHome()
  const env: Env = {
    ANALYTICS_BASE_URL: listening.baseUrl,
    ANALYTICS_API_KEY: sandbox.key,
    ANALYTICS_PROJECT: '1',
    ANALYTICS_STATE_DIR: home,
  }
  const ids = Array.from({ length: 40 }, (_, i) => String(i + 3))
  const people = async () => (await ask('GET', '/api/projects/1/persons/?limit=1000')).text
  const jobs = () => readdirSync(join(home, 'jobs')).sort()

  /** Runs it, is killed a few times, and resumes it until it is done. Returns the name of the job. */
  const survive = async (words: readonly string[]): Promise<string> => {
    const earlier = existing(jobs)
    for (let life = 0, argv = words; ; life++) {
      const { child, finished } = start([...argv, '-o', 'ndjson'], env)
      act = () => child.kill('SIGKILL')
      writes = life < 3 ? 1 + Math.floor(random() * 30) : -1
      const { code, stderr } = await finished
      const job = jobs().find(name => !earlier.includes(name)) ?? ''
      if (code === 0) return job
      expect([code, stderr]).toEqual([null, expect.any(String)])
      argv = ['jobs', 'resume', job]
    }
  }
  const backup = join(home, 'before.ndjson')
  const before = await people()
  const update = ['persons', 'update', ...ids, '--set', 'plan=lifetime', '--set', 'note=moved']
  const job = await survive([...update, '--backup', backup, '--yes'])
  expect((await people()).match(/"note":"moved"/g)).toHaveLength(ids.length)
  await survive(['jobs', 'undo', job, '--backup', backup, '--yes'])
  expect(await people()).toBe(before)
})

function existing(jobs: () => string[]): string[] {
  try {
    return jobs()
  } catch {
    return []
  }
}
