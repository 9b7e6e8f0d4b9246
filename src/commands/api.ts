import type { Client } from '../api/client.ts'
import { endpointOf, rawEffectOf } from '../api/effects.ts'
import { type Endpoint, endpoints, persons, projects } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { bodyOf, freeOptions } from '../cli/body.ts'
import { type Connection, type Context, defineCommand, type Result } from '../cli/command.ts'
import { asks, confirm } from '../cli/confirm.ts'
import { argument, flag, repeated } from '../cli/options.ts'
import { listed } from '../cli/paging.ts'
import { refuseBeside } from '../cli/refuse-beside.ts'
import { asItCame } from '../cli/server-format.ts'
import { untypedResponse } from '../cli/untyped-response.ts'
import { UsageError } from '../errors.ts'
import type { Request, Response } from '../http/message.ts'
import { nameToType, refuseWrite } from '../operations/guards/consent.ts'
import { refuseSecrets } from '../operations/guards/refuse-secrets.ts'
import { inferredSentence } from '../operations/run/single-result.ts'
import { sendWrite, writeResult } from '../operations/run/write-result.ts'
import { many } from '../operations/targets/target-options.ts'
import { warnOfReceipt } from '../operations/warn-of-receipt.ts'
import { undocumented } from '../output/views.ts'
import { assignment } from '../values/assignment.ts'
import { refuseCurrentProject } from '../values/ids.ts'
import { checkInferred, deleteOne, deletionWith, fixPath } from './api/delete-with-receipt.ts'
import { addressIn, inOrganization, inProject } from './api/path.ts'
import { showObject } from './show-object.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export default defineCommand({
  summary: 'Send any request to the service; every guard still applies',
  details:
    'The path is relative to the base URL; {project} and {organization} stand for the ones in use. The body of the answer is printed as it comes; with -o it is shown as the commands would show it, its items as rows.',
  calls: Object.values(endpoints).flatMap(group => Object.values(group)),
  args: {
    method: { ...argument('METHOD', 'GET, POST, PUT, PATCH or DELETE'), check: methodOf },
    path: argument('PATH', 'such as /api/projects/{project}/persons/'),
  },
  fields: {},
  options: {
    param: repeated(assignment, 'KEY=VALUE', 'a query parameter'),
    field: repeated(assignment, 'KEY=VALUE', 'a field of the body, as text or as its documented type'),
    body: freeOptions.body,
    include: flag('print status and headers too', '-i'),
    receipt: many.receipt,
    reason: many.reason,
    paginate: flag('follow next to the end, and print one flat array of items'),
  },
  examples: [
    'api GET /api/projects/{project}/persons/ --param search=ada@ # Read, with a query parameter',
    'api GET /api/projects/{project}/persons/ --paginate --query "length(@)" # Count the items of all pages',
    'api PATCH /api/projects/{project}/ --field timezone=Europe/Berlin -i # Change a field, and show status and headers',
    'api DELETE /api/projects/{project}/persons/3/ --yes # Delete, without a question',
  ],
  async run({ method: typed, path }, { param, field, body: whole, include, paginate, receipt, reason }, context) {
    const method = methodOf(typed)
    if (include) {
      const { query, fields, output } = context.settings.typed
      // With -o json errors are JSON too.
      const format = output === 'json' ? undefined : output
      const beside = { paginate, query, fields, output: format }
      refuseBeside('-i shows one answer unchanged', beside, 'Leave one of them out')
    }
    const address = addressIn(path)
    const params = [...address.params, ...param]
    // A placeholder is a segment like every other one.
    const row = endpointOf(method, address.template)
    const body = await bodyOf(context.host, row?.body ?? {}, { set: field, setJson: [], body: whole }, '--field')
    refuseHalfDeletion([...params, ...membersOf(body)])
    if (method === 'GET' && body !== undefined) {
      throw new UsageError('GET takes no body', { hint: 'Give query parameters with --param' })
    }
    const deletion = receipt === undefined ? undefined : deletionWith(context, receipt, { row, params, body, include })
    const write = { method, ...rawEffectOf(method, address.template, body) }
    if (paginate && write.effect !== 'read') {
      throw new UsageError(`--paginate reads, and ${method} does not`, { hint: 'Leave --paginate out' })
    }
    const connection = await context.connect()
    const { client, serverName } = connection
    const known = inProject(address, connection)
    if (row === projects.delete) refuseCurrentProject(idIn(row, known))
    await refuseSecrets(context, connection, { reason })
    const asking = isAskedAbout(method, row)
    refuseWrite(context, write, {
      doing: `${method} ${known} (${serverName})`,
      asking,
      deletion: method === 'DELETE' ? { reason, hasReceipt: receipt !== undefined, isPlanned: false } : undefined,
    })
    const asked = await inOrganization(known, connection)
    const target = deletion ? await fixPath(connection, deletion, asked) : asked
    const request = { ...client.raw(method, target, params, body), row, id: idIn(row, target) }
    if (deletion) warnOfReceipt(context, deletion.receipt)
    if (asking) await ask(client, request, `${method} ${request.url.pathname} (${serverName})`, context)
    if (paginate) return paged(client, request, context)
    if (deletion) return deleteOne(context, connection, deletion, { path: target, reason })
    try {
      return await answered(connection, withAnyAnswer(request), include, context)
    } catch (error) {
      await checkInferred(client, { ...request, path: target }, error)
      const done = inferredSentence
      return writeResult(context, { id: request.id, done, view: undocumented, status: 'deleted' })
    }
  },
})

function methodOf(typed: string): string {
  const method = typed.toUpperCase()
  if (methods.includes(method)) return method
  throw new UsageError(`${JSON.stringify(typed)} is not a method`, {
    hint: typed.includes('/') ? `Did you mean analytics api GET ${typed}?` : `Give one of ${methods.join(', ')}`,
  })
}

/** Real servers check only whether it is present: `delete_events=false` deletes the events. */
function refuseHalfDeletion(given: readonly (readonly [string, unknown])[]): void {
  if (given.every(([name, value]) => name !== 'delete_events' || value === 'true' || value === true)) return
  throw new UsageError('Servers delete the events whatever value delete_events has', {
    hint: 'Leave it out to keep the events, or give delete_events=true',
  })
}

function membersOf(body: unknown): [string, unknown][] {
  return typeof body === 'object' && body !== null ? Object.entries(body) : []
}

function isAskedAbout(method: string, row: Endpoint | undefined): boolean {
  return method === 'DELETE' || row === persons.split || row === persons.deleteProperty
}

interface RawRequest extends Request {
  readonly row: Endpoint | undefined
  /** Empty where the row has none. */
  readonly id: string
}

/** Asks as the command of the endpoint does: type the name of a project, else y/N. */
async function ask(client: Client, request: RawRequest, doing: string, context: Context): Promise<void> {
  if (request.row !== projects.delete || !asks(context)) return confirm(context, { doing, answer: 'yes' })
  const { id } = request
  const project = await client.record(projects.get, { path: { id } })
  await confirm(context, { doing, answer: nameToType(project, id) })
}

/** A query that asks for a format needs more accepted types than JSON. */
function withAnyAnswer(request: RawRequest): RawRequest {
  return { ...request, headers: { ...request.headers, accept: 'application/json, */*;q=0.5' } }
}

async function answered(
  connection: Connection,
  request: RawRequest,
  include: boolean,
  context: Context,
): Promise<Result> {
  const { client } = connection
  const { typed } = context.settings
  const reads = request.effect === 'read'
  if (include) {
    const result = { bytes: withHead(await client.send(request)) }
    return reads ? result : { ...result, isWrite: true }
  }
  if (typed.output !== undefined) {
    return reads
      ? untypedResponse(context, request, onePage, { optionForAll: '--paginate' })
      : written(connection, request, context)
  }
  if (typed.query !== undefined || typed.fields !== undefined) {
    const result = reads ? showObject(client, request, undocumented) : written(connection, request, context)
    return { ...(await result), format: 'json' }
  }
  const { body } = await client.send(request)
  return reads ? { bytes: body } : asItCame(body, () => context.messages.notice(doneBy(request, connection)))
}

const onePage = { limit: undefined, where: [], all: false, pageSize: undefined, offset: undefined, envelope: false }

function paged(client: Client, request: Request, context: Context): Result {
  const every = { ...onePage, all: true }
  return { ...listed(context, reading => list(client, request, reading), undocumented, every), format: 'json' }
}

function written(connection: Connection, request: RawRequest, context: Context): Promise<Result> {
  const done = doneBy(request, connection)
  return sendWrite(connection.client, request, { id: request.id, done, view: undocumented }, context)
}

/** The segment at the place of the id in the row; empty where the row has none. */
function idIn(row: Endpoint | undefined, path: string): string {
  const at = row?.path.split('/').indexOf(':id') ?? -1
  return decodeURIComponent(path.split('/')[at] ?? '')
}

function doneBy({ method, url }: Request, { serverName }: Connection): string {
  return `${method} ${url.pathname} (${serverName}): ${method === 'DELETE' ? 'deleted' : 'accepted'}`
}

async function* withHead({ status, headers, body }: Response): AsyncGenerator<Uint8Array> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  yield Buffer.from(`${status}\n${lines.join('')}\n`)
  yield* body
}
