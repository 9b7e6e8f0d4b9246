import type { Client } from '../api/client.ts'
import { mostDeleted } from '../api/effects.ts'
import { type Endpoint, endpoints, projects } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { segmentIn } from '../api/path.ts'
import { argument } from '../cli/arguments.ts'
import { defineCommand } from '../cli/command.ts'
import { flag, repeated, smallest } from '../cli/options.ts'
import { needsConsent, requestConsent } from '../consent.ts'
import type { Connection, Context } from '../context.ts'
import type { Request, Response } from '../http/message.ts'
import { undocumented } from '../output/views.ts'
import { type Result, read, type Shown, write } from '../result.ts'
import { nameToType } from '../runs/agree.ts'
import { refuseWrite } from '../runs/checks/limits.ts'
import { sendWrite } from '../runs/write-result.ts'
import { assignment } from '../values/assignment.ts'
import { refuseCurrentProject } from '../values/ids.ts'
import { atLeast } from '../values/kinds.ts'
import { methodOf, parseRawRequest } from './api/parse-request.ts'
import { inOrganization, inProject } from './api/path.ts'
import { wholeAnswer } from './api/whole-answer.ts'
import { listed } from './reading/paging.ts'
import { showObject } from './reading/show-object.ts'
import { untypedResponse } from './reading/untyped-response.ts'
import { freeOptions } from './writing/body.ts'

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
    field: repeated(
      assignment,
      'KEY=VALUE',
      'a field of the body, as text or as its documented type; JSON or @file if free-form',
    ),
    body: freeOptions.body,
    include: flag('print status and headers too, of an error as well', '-i'),
    max: smallest(
      atLeast(0),
      'N',
      'a POST that is not documented deletes at most N objects; limits of a profile want this',
    ),
    paginate: flag('follow next to the end, and print one flat array of items'),
  },
  examples: [
    'api GET /api/projects/{project}/persons/ --param search=ada@ # Read, with a query parameter',
    'api GET /api/projects/{project}/persons/ --paginate # All pages as one array',
    'api PATCH /api/projects/{project}/ --field timezone=Europe/Berlin -i # Change a field, and show status and headers',
    'api DELETE /api/projects/{project}/persons/3/ --yes # Delete, without a question',
  ],
  async run(args, options, context) {
    const { include, paginate, max } = options
    const { write, address, row, params, body, removal } = await parseRawRequest(args, options, context)
    const { method } = write
    const connection = await context.connect()
    const { client, serverName } = connection
    const known = inProject(address, connection)
    if (row === projects.delete) refuseCurrentProject(segmentIn(known, row, 'id'))
    const isAsked = removal !== undefined && removal !== 'files'
    refuseWrite(context, write, {
      doing: `${method} ${known} (${serverName})`,
      isAsked,
      deletes: [
        mostDeleted({ method, path: address.template, body }, max),
        method === 'POST' && row === undefined && max === undefined ? 'countable' : 'never',
      ],
    })
    const path = await inOrganization(known, connection)
    const raw = { request: client.raw(method, path, params, body), row, id: segmentIn(path, row, 'id') }
    if (isAsked) await ask(connection, raw, context)
    if (paginate) return paged(client, raw.request, context)
    const accepting = withAnyAnswer(raw)
    if (include) return wholeAnswer(context, await client.sendForAny(accepting.request), write)
    return answered(connection, accepting, context)
  },
})

interface RawRequest {
  readonly request: Request
  readonly row: Endpoint | undefined
  readonly id: string
}

/** Asks like the command of this endpoint: type the project name, or y/N. */
async function ask(connection: Connection, { request, row, id }: RawRequest, context: Context): Promise<void> {
  const { client, serverName } = connection
  const doing = `${request.method} ${request.url.pathname} (${serverName})`
  const proposal = { doing, isAsked: true }
  const isNamed = row === projects.delete && needsConsent(context, proposal) !== 'none'
  const project = isNamed ? await client.record(projects.get, { path: { id } }) : undefined
  await requestConsent(context, { ...proposal, typed: project && nameToType(project, id) })
}

/** A `format` parameter needs more accepted types than JSON. */
function withAnyAnswer({ request, ...raw }: RawRequest): RawRequest {
  return { ...raw, request: { ...request, headers: { ...request.headers, accept: 'application/json, */*;q=0.5' } } }
}

async function answered(connection: Connection, raw: RawRequest, context: Context): Promise<Result> {
  const { client } = connection
  const { request } = raw
  const { typed } = context.config
  const reads = request.effect === 'read'
  if (typed.output !== undefined) {
    return reads
      ? untypedResponse(context, request, onePage, { optionForAll: '--paginate' })
      : written(connection, raw, context)
  }
  if (typed.fields !== undefined) {
    const result = reads ? showObject(client, request, undocumented) : written(connection, raw, context)
    return asJson(await result)
  }
  const { body } = await client.send(request)
  return reads ? read({ bytes: body }) : asItCame(body, () => context.messages.notice(doneBy(request, connection)))
}

const onePage = { limit: undefined, where: [], all: false, pageSize: undefined, offset: undefined }

const hintOnNoList = 'Leave --paginate out: it is for lists'

function paged(client: Client, request: Request, context: Context): Result {
  const every = { ...onePage, all: true }
  return asJson(listed(context, reading => list(client, request, { ...reading, hintOnNoList }), undocumented, every))
}

function asJson(result: Shown): Shown {
  return 'document' in result.data ? { ...result, data: { ...result.data, format: 'json' } } : result
}

function written(connection: Connection, { request, id }: RawRequest, context: Context): Promise<Shown> {
  const done = doneBy(request, connection)
  return sendWrite(connection.client, request, { id, done, view: undocumented }, context)
}

function doneBy({ method, url }: Request, { serverName }: Connection): string {
  return `${method} ${url.pathname} (${serverName}): ${method === 'DELETE' ? 'deleted' : 'accepted'}`
}

function asItCame(body: Response['body'], onNothing: () => void): Result {
  async function* bytes() {
    let isEmpty = true
    for await (const chunk of body) {
      isEmpty = false
      yield chunk
    }
    if (isEmpty) onNothing()
  }
  return write({ bytes: bytes() })
}
