/** Commands that send one request and show its answer, whose shape the service does not document. */
import { refuseOtherRecord, unexpectedAnswer } from '../api/answers/answer.ts'
import { type Endpoint, persons, plugins } from '../api/endpoints.ts'
import { pageIn } from '../api/page.ts'
import { list, type Reading } from '../api/pages.ts'
import { fill } from '../api/path.ts'
import { argument, idArgument, optionalArgument, personFinders } from '../cli/arguments.ts'
import { type Command, defineCommand } from '../cli/command.ts'
import { conflicting, type OptionSpecs, type OptionsOf, refuseBeside, repeated } from '../cli/options.ts'
import type { Connection, Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { isObject, valueAt } from '../json/exact.ts'
import { readJson } from '../json/read-given.ts'
import type { View } from '../output/document.ts'
import { timelineView, undocumented } from '../output/views.ts'
import { read, type Shown } from '../result.ts'
import { assignment } from '../values/assignment.ts'
import { bodyAsItCame } from './reading/as-it-came.ts'
import { listed, listedWhere, paging } from './reading/paging.ts'
import { freeOptions, propertiesField, readPropertiesField } from './writing/body.ts'

const parameters = { param: repeated(assignment, 'KEY=VALUE', 'a query parameter') }
const ofList = { ...parameters, ...paging }
const { offset: _, ...ofNumberedPages } = ofList
const asked = { properties: conflicting(propertiesField, 'body'), body: freeOptions.body, ...ofList }

type Asked = OptionsOf<typeof asked>

const nothingAsked: Asked = {
  param: [],
  where: [],
  all: false,
  limit: undefined,
  pageSize: undefined,
  offset: undefined,
  properties: undefined,
  body: undefined,
}

const person = idArgument(argument('ID', 'id of the person'), 'persons', personFinders)
const anyPerson = idArgument(
  optionalArgument('ID', 'id of the person; left out: all persons'),
  'persons',
  personFinders,
)
const plugin = idArgument(argument('ID', 'id of the plugin'), 'plugins')

interface How {
  readonly args?: { readonly id: typeof person | typeof anyPerson }
  readonly options?: OptionSpecs
  readonly view?: View
}

/** `calls`: one request with and one without an id, or one with and one without a body. */
function reading(summary: string, calls: readonly Endpoint[], examples: readonly string[], how: How = {}): Command {
  const { args = {}, options = ofList, view = undocumented } = how
  return defineCommand({
    summary,
    args,
    options,
    examples,
    async run({ id }: { readonly id?: string | undefined }, given: Partial<Asked>, context) {
      const options = { ...nothingAsked, ...given }
      const body = await bodyOf(context, options)
      const { method = 'GET', path = '' } =
        calls.find(
          row => row.path.includes('/:id/') === (id !== undefined) && (row.method === 'POST') === (body !== undefined),
        ) ?? {}
      const connection = await context.connect()
      const filled = fill(path, { ...(await scopeOf(path, connection)), id: id ?? '' })
      const request = connection.client.raw(method, filled, paramsOf(options), body)
      return showAnswer(context, { request, id, view }, options)
    },
  })
}

async function bodyOf({ host }: Context, { properties, body }: Asked): Promise<unknown> {
  if (body !== undefined) return readJson(host, '--body', body, true)
  const given = await readPropertiesField(host, properties)
  return given && { properties: given }
}

async function scopeOf(path: string, { project, organization }: Connection): Promise<Record<string, string>> {
  if (path.includes(':project_id')) return { project_id: project() }
  return { parent_lookup_organization_id: await organization() }
}

function paramsOf({ param, pageSize, offset, where }: Asked): [string, string][] {
  return [
    ...param.map(([name, value]): [string, string] => [name, value]),
    ...(pageSize === undefined ? [] : [['limit', String(pageSize)] satisfies [string, string]]),
    ...(offset === undefined || where.length > 0 ? [] : [['offset', String(offset)] satisfies [string, string]]),
  ]
}

interface Reads {
  readonly request: Request
  readonly id: string | undefined
  readonly view: View
}

/** The items of `results` or `result` are rows; everything else is shown as it came. */
async function showAnswer(context: Context, { request, id, view }: Reads, options: Asked): Promise<Shown> {
  const { client, now } = await context.connect()
  const { where } = options
  if (request.url.searchParams.get('format') === 'csv') {
    const { all, limit } = options
    refuseBeside('format=csv is printed as it comes', { where, all, limit }, 'Leave one of them out')
    return read({ bytes: await bodyAsItCame(client, request) })
  }
  const { item, status } = await client.answer(request)
  if (!item) throw unexpectedAnswer(request, 'an empty body', { status })
  if (pageIn(item)) {
    const open = (reading: Reading) => list(client, request, reading, item)
    if (where.length === 0) return listed(context, open, view, options)
    return listedWhere(context, { open, source: { documented: [] }, now: now() }, view, options)
  }
  if (where.length > 0) {
    throw new UsageError('--where selects rows, and the answer is no list', { hint: 'Leave --where out' })
  }
  if (id !== undefined) refuseOtherRecord(request, valueAt(item.value, 'plugin') ?? item.value, status, id)
  const isEmpty = isObject(item.value) && Object.keys(item.value).length === 0
  return read({ document: { shape: 'object', batches: [[item]], view } }, () => {
    if (isEmpty) context.messages.notice('Nothing found')
  })
}

function view(verb: string, summary: string, calls: readonly Endpoint[], options: OptionSpecs = ofList): Command {
  return reading(summary, calls, [`persons ${verb}`], { options })
}

export const personReads = {
  activity: reading(
    'Show what was done to a person, or to all persons of the project',
    [persons.activity, persons.allActivity],
    ['persons activity # Of the whole project', 'persons activity 55 -o json # Of one person'],
    { args: { id: anyPerson }, options: ofNumberedPages, view: timelineView },
  ),
  'properties-timeline': reading(
    "Show how a person's properties changed over time",
    [persons.propertiesTimeline],
    ['persons properties-timeline 55'],
    { args: { id: person }, options: parameters },
  ),
  cohorts: reading(
    'List the cohorts that a person belongs to',
    [persons.cohorts],
    ['persons cohorts --param person_id=55'],
  ),
  funnel: view('funnel', 'List the persons of a funnel', [persons.funnel, persons.funnelPost], asked),
  'funnel-correlation': view(
    'funnel-correlation',
    'Show what correlates with completing a funnel',
    [persons.funnelCorrelation, persons.funnelCorrelationPost],
    asked,
  ),
  lifecycle: view('lifecycle', 'List the persons of a lifecycle view', [persons.lifecycle]),
  path: view('path', 'List the persons of a path', [persons.path, persons.pathPost], asked),
  retention: view('retention', 'List the persons of a retention view', [persons.retention]),
  stickiness: view('stickiness', 'List the persons of a stickiness view', [persons.stickiness]),
  trends: view('trends', 'List the persons of a trends view', [persons.trends]),
  values: reading('List the values of a property, with counts', [persons.values], ['persons values --param key=plan']),
}

export const pluginReads = {
  'check-for-updates': reading(
    'Check whether a plugin has a newer version',
    [plugins.checkForUpdates],
    ['plugins check-for-updates 4'],
    { args: { id: plugin }, options: parameters },
  ),
  source: reading('Show the source of a plugin, file by file', [plugins.source], ['plugins source 5'], {
    args: { id: plugin },
    options: parameters,
  }),
  activity: reading('Show what was done to plugins', [plugins.activity], ['plugins activity'], {
    options: ofNumberedPages,
    view: timelineView,
  }),
  'exports-unsubscribe-configs': reading(
    'List the plugins that can unsubscribe persons from exports',
    [plugins.exportsUnsubscribeConfigs],
    ['plugins exports-unsubscribe-configs'],
  ),
  repository: reading('List the plugins that can be installed', [plugins.repository], ['plugins repository']),
  unused: reading('List the plugins that nobody uses', [plugins.unused], ['plugins unused']),
}
