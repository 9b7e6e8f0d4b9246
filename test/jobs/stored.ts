/** What tests of jobs have in common. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { NewJob } from '../../src/jobs/create-job.ts'
import { json } from '../server.ts'
import { startService } from '../service.ts'

export const newJob: NewJob = {
  command: 'persons delete',
  options: {},
  base: 'http://x.example/',
  profile: null,
  path: {},
  receipt: {
    asked: { reason: null, requestedBy: null, received: null, input: null },
    actor: { machine: 'test', ci: null, user: null, run: null },
    backup: null,
    clockAhead: undefined,
  },
  markKey: undefined,
  plan: undefined,
  plannedFailures: undefined,
}

/** A service that refuses to change person 8 until it is mended, and the folder of the jobs that are made there. */
export async function startJobs() {
  let isMended = false
  const service = await startService(({ path, method }, response) => {
    const [, id = '7'] = /persons\/(\d+)\//.exec(path) ?? []
    const person = { id: Number(id), distinct_ids: ['ada'], properties: {} }
    if (method === 'GET' && /persons\/\d+\/$/.test(path)) return json(response, person)
    if (method === 'GET') return json(response, { results: [person], next: null })
    if (isMended || !path.includes('/8/')) return void response.writeHead(202).end()
    json(response, { detail: 'secret is not a plan', code: 'invalid' }, 400)
  })
  const jobs = join(service.world.folder, 'state/jobs')
  const mend = () => {
    isMended = true
  }
  return { ...service, jobs, onlyJob: () => readdirSync(jobs)[0] ?? '', mend }
}
