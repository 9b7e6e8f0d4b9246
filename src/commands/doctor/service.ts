import { recordIn } from '../../api/answers/answer.ts'
import { parseBaseUrl } from '../../api/base-url.ts'
import { wholeBody } from '../../api/client.ts'
import { projects } from '../../api/endpoints.ts'
import type { Connection, Context } from '../../context.ts'
import { Failure, isForbidden, NotFoundError } from '../../errors.ts'
import { stringIn, valueAt } from '../../json/pick.ts'
import { noProject, type Settings } from '../../profiles/current.ts'
import { checkId } from '../../values/ids.ts'
import { type Finding, fail, ok, skip, warn } from './finding.ts'
import { keySource, sourceOf } from './machine.ts'

/** Skips checks that an earlier failure makes useless. */
export async function checkServer(context: Context, settings: Settings): Promise<readonly Finding[]> {
  const { sandbox, baseUrl, allowHttp = false, project } = settings.values
  const findings: Finding[] = []
  let step = 'service'
  try {
    if (sandbox) findings.push(ok('service', 'The sandbox on this machine'))
    else if (baseUrl !== undefined) {
      const { href } = parseBaseUrl(baseUrl, allowHttp)
      findings.push(ok('service', `${href} (${sourceOf('baseUrl', settings)})`))
      step = 'key'
    }
    // Somebody waits to hear what is wrong now.
    const connection = await context.connectAs({ ...settings, values: { ...settings.values, retries: 0 } })
    // Read first, so that an invalid key is not reported as a fault of the service.
    await connection.holdsKey('')
    if (!sandbox) findings.push(ok('key', keySource(settings)))
    step = 'project'
    const source = sandbox && project === undefined ? 'the first of the sandbox' : sourceOf('project', settings)
    const id = project ?? (sandbox ? connection.project() : undefined)
    if (id !== undefined) checkId('projects', id, {}, `${source}: `)
    step = 'answer'
    return [...findings, ...(await askForProject(context, connection, id === undefined ? undefined : { id, source }))]
  } catch (error) {
    if (!(error instanceof Failure) || context.host.interrupted.aborted) throw error
    return [...findings, fail(step, error)]
  }
}

async function askForProject(
  { host: { clock } }: Context,
  { client }: Connection,
  project: { readonly id: string; readonly source: string } | undefined,
): Promise<readonly Finding[]> {
  const request = project
    ? client.request(projects.get, { path: { id: project.id } })
    : client.request(projects.list, { path: {}, query: { limit: 1 } })
  const start = clock.elapsed()
  const { response, failure } = await client.sendForAny(request)
  const answer = ok('answer', `${response.status} in ${Math.round(clock.elapsed() - start)} ms`)
  const skew = clockSkew(response.headers.date, clock.now())
  if (!project) {
    // A key of one project may not list projects.
    if (failure && !isForbidden(failure)) throw failure
    return [answer, warn('project', noProject.message, noProject.hint), skew]
  }
  const { id, source } = project
  if (failure instanceof NotFoundError) return [answer, fail('project', failure), skew]
  if (failure) throw failure
  const record = recordIn(request, { item: await wholeBody(response), status: response.status }, id)
  const name = stringIn(valueAt(record, 'name'))
  return [answer, ok('project', `${id}${name === undefined ? '' : ` ${name}`} (${source})`), skew]
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
