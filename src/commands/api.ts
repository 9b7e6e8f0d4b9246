import { refuseClimbing, segment } from '../api/address.ts'
import { type Client, whole } from '../api/client.ts'
import { rowOf } from '../api/effects.ts'
import { endpoints } from '../api/endpoints.ts'
import { list } from '../api/pages.ts'
import { bodyOf } from '../cli/body.ts'
import { type Context, defineCommand, type Result } from '../cli/command.ts'
import { confirm, refuseUnanswerable } from '../cli/confirm.ts'
import { argument, flag, option, repeated } from '../cli/options.ts'
import { whatever } from '../cli/whatever.ts'
import { UsageError } from '../errors.ts'
import type { Request, Response } from '../http/message.ts'
import { undocumented } from '../output/views.ts'
import { assignment } from '../values/assignment.ts'
import { text } from '../values/kinds.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export default defineCommand({
  summary: 'Send a request of your own, past the commands but not past the guards',
  details:
    'The path is relative to the base URL; {project} and {organization} stand for those in use. The body of the answer is printed as it comes, unless -o says otherwise.',
  calls: Object.values(endpoints).flatMap(group => Object.values(group)),
  args: {
    method: argument('METHOD', 'GET, POST, PATCH or DELETE'),
    path: argument('PATH', 'such as /api/projects/{project}/persons/'),
  },
  options: {
    param: repeated(assignment, 'KEY=VALUE', 'a query parameter'),
    field: repeated(assignment, 'KEY=VALUE', 'a field of the body, as text or as the type it is documented with'),
    body: option(text, 'JSON', 'the whole body: JSON, @file or - for stdin'),
    include: flag('print status and headers too', '-i'),
    paginate: flag('follow next to the end, and print one flat array of items'),
  },
  examples: [
    'api GET /api/projects/{project}/persons/ --param search=ada@',
    'api GET /api/projects/{project}/persons/ --paginate',
    'api PATCH /api/projects/{project}/ --field timezone=Europe/Berlin',
  ],
  async run({ method: typed, path: template }, { param, field, body, include, paginate }, context) {
    const method = typed.toUpperCase()
    if (!methods.includes(method)) {
      throw new UsageError(`${JSON.stringify(typed)} is not a method`, { hint: `Give one of ${methods.join(', ')}` })
    }
    const params = [...queryOf(template), ...param]
    refuseHalfDeletion(params)
    const path = await pathOf(template, context)
    const content = await bodyOf(context.host, rowOf(method, path)?.body ?? {}, { set: field, setJson: [], body })
    const { client, place } = await context.connect()
    const request = client.raw(method, path, params, content)
    if (request.destroys) {
      const doing = `${method} ${path}`
      refuseUnanswerable(context.host, context.values, doing)
      await confirm(context.host, context.values, { doing: `${doing} (${place})`, answer: 'yes' })
    }
    if (paginate) return paged(client, request)
    if (context.settings.typed.output !== undefined && !include) return whatever(context, request, onePage)
    return { bytes: printed(await client.send(request), include) }
  },
})

const onePage = { limit: undefined, all: false, pageSize: undefined, offset: undefined, envelope: false }

/** The path with its placeholders filled and its final slash: the service knows no path without one. */
async function pathOf(template: string, context: Context): Promise<string> {
  const [typed = ''] = template.split('?')
  if (/^[a-z]+:/i.test(typed) || typed.startsWith('//')) {
    throw new UsageError('A path is wanted, not an address: the key goes to the base URL only', {
      hint: 'Give it such as /api/projects/',
    })
  }
  let path = `/${typed.replace(/^\//, '')}`
  if (path.includes('{project}')) {
    path = path.replaceAll('{project}', segment('project', (await context.connect()).project()))
  }
  if (path.includes('{organization}')) {
    path = path.replaceAll('{organization}', segment('organization', await (await context.connect()).organization()))
  }
  for (const part of path.split('/')) refuseClimbing(part)
  return path.endsWith('/') ? path : `${path}/`
}

function queryOf(template: string): [string, string][] {
  const at = template.indexOf('?')
  return at < 0 ? [] : [...new URLSearchParams(template.slice(at + 1))]
}

/** Real servers look only whether it is there: `delete_events=false` deletes the events. */
function refuseHalfDeletion(params: readonly (readonly [string, string])[]): void {
  if (params.every(([name, value]) => name !== 'delete_events' || value === 'true')) return
  throw new UsageError('Servers delete the events whatever value delete_events has', {
    hint: 'Leave it out to keep the events, or give delete_events=true',
  })
}

function paged(client: Client, request: Request): Result {
  const { batches } = list(client, request, { follow: true })
  return { document: { shape: 'list', batches, view: undocumented }, format: 'json' }
}

async function* printed(response: Response, include: boolean): AsyncGenerator<Uint8Array> {
  if (include) {
    const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\n`)
    yield Buffer.from(`${response.status}\n${headers.join('')}\n`)
  }
  yield await whole(response)
}
