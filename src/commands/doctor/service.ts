import { type Client, createClient } from '../../api/client.ts'
import { persons, projects } from '../../api/endpoints.ts'
import { AuthError, Failure, isForbidden, NotFoundError } from '../../errors.ts'
import type { Clock } from '../../host.ts'
import type { Send } from '../../http/message.ts'
import { isObject } from '../../json/exact.ts'
import { noProject } from '../../profiles/current.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { checkId } from '../../values/ids.ts'
import { type Finding, fail, ok, skip, warn } from './finding.ts'
import { finding } from './machine.ts'

interface Asking {
  readonly base: URL
  readonly send: Send
  readonly secrets: Secrets
  readonly project: string | undefined
  readonly projectSource: string
  readonly clock: Clock
}

export async function service({
  base,
  send,
  secrets,
  project,
  projectSource,
  clock,
}: Asking): Promise<readonly Finding[]> {
  const typed = finding('project', () => {
    return ok('project', checkId('projects', project ?? '@current', {}, `${projectSource}: `))
  })
  if (typed.status === 'fail') return [typed]
  let date: string | undefined
  const start = clock.elapsed()
  const client = createClient(
    base,
    async request => {
      const response = await send(request)
      date ??= response.headers.date
      return response
    },
    secrets,
  )
  const asked = await ask(client, project)
  const ms = Math.round(clock.elapsed() - start)
  const end = clock.now()
  const failure = asked instanceof Failure ? asked : undefined
  const status = failure?.facts.status ?? (failure ? undefined : 200)
  const isNoAnswer = status === undefined || status >= 500 || status === 429 || status < 400 || failure?.facts.page
  // A request for the list of projects names no project, so a 404 is about the server.
  const isNoList = project === undefined && !(failure instanceof AuthError)
  if (failure && (isNoAnswer || isNoList)) return [fail('answer', failure)]
  return [
    ok('answer', `${status} in ${ms} ms`),
    access(failure, project),
    found(asked, project, projectSource),
    clockSkew(date, end),
    failure || project === undefined
      ? skip('server', 'Not known: no persons could be listed')
      : await kind(client, project),
  ]
}

async function ask(client: Client, project: string | undefined): Promise<unknown> {
  try {
    const answer =
      project === undefined
        ? await client.one(client.request(projects.list, { path: {}, query: { limit: 1 } }))
        : await client.record(projects.get, { path: { id: project } })
    return JSON.parse(answer?.toString() ?? 'null')
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function access(failure: Failure | undefined, project: string | undefined): Finding {
  if (!failure) return ok('access', 'The key was accepted')
  if (!(failure instanceof AuthError)) return ok('access', 'The key was not refused')
  // A key for one project may not list projects.
  if (project !== undefined || !isForbidden(failure)) return fail('access', failure)
  return warn('access', 'The key may not list projects', 'Give the project that it is for: --project ID')
}

function found(asked: unknown, project: string | undefined, source: string): Finding {
  if (project === undefined) {
    return warn('project', noProject.message, noProject.hint)
  }
  if (asked instanceof NotFoundError) return fail('project', asked)
  if (asked instanceof AuthError) return skip('project', `${project} (${source}) could not be asked for`)
  if (asked instanceof Failure) return fail('project', asked)
  const name = isObject(asked) && typeof asked.name === 'string' ? ` ${asked.name}` : ''
  return ok('project', `${project}${name} (${source})`)
}

/** Seconds that two clocks may differ, including a slow answer. */
const tolerable = 60

function clockSkew(date: string | undefined, now: number): Finding {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return skip('clock', 'The service does not say what time it has')
  const ahead = Math.round((now - theirs) / 1000)
  if (Math.abs(ahead) <= tolerable) return ok('clock', `Within ${tolerable} s of the service`)
  const which = ahead > 0 ? 'ahead of' : 'behind'
  return warn(
    'clock',
    `This machine is ${Math.abs(ahead)} s ${which} the service`,
    'Set its clock: due dates and receipts rely on it',
  )
}

/** A list of persons shows how the server differs from the document. */
async function kind(client: Client, project: string): Promise<Finding> {
  try {
    const request = client.request(persons.list, { path: { project_id: project }, query: { limit: 1 } })
    const page: unknown = JSON.parse((await client.one(request))?.toString() ?? 'null')
    if (!isObject(page) || !Array.isArray(page.results)) {
      return warn('server', 'Its list of persons is not a list', 'Check the base URL')
    }
    const counts = typeof page.count === 'number'
    const [first] = page.results
    const numbers = isObject(first) ? typeof first.id === 'number' : counts
    if (counts && numbers) return ok('server', 'As documented: persons are counted, and their ids are numbers')
    if (!counts && !numbers) return ok('server', 'As observed: persons are not counted, and lists give their UUIDs')
    return ok(
      'server',
      `Partly as documented: persons are ${counts ? '' : 'not '}counted, and their ids are ${numbers ? 'numbers' : 'text'}`,
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return warn('server', `Its persons cannot be read: ${error.message}`, error.facts.hint ?? '')
  }
}
