/** Commands whose response has no documented form. */
import { refuseMisleading } from '../api/effects.ts'
import { type Endpoint, persons, plugins } from '../api/endpoints.ts'
import { pageIn } from '../api/pages.ts'
import { refuseOtherRecord, unexpectedResponse } from '../api/responses/response.ts'
import {
  argument,
  type Command,
  conflicting,
  defineCommand,
  idArgument,
  type OptionSpecs,
  type OptionsOf,
  optionalArgument,
  refuseBeside,
  repeated,
} from '../cli/command.ts'
import type { Context, Result } from '../context.ts'
import { checkRows, conditionOf } from '../filters/check-rows.ts'
import type { Request } from '../http/message.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../json/exact.ts'
import { type Item, itemOf } from '../json/read-item.ts'
import { readJson } from '../json/read-json.ts'
import { type CollectionSpec, collections, pathIn, pathTo } from '../operations/collections.ts'
import { recordDocument, undocumented, type View } from '../output/views.ts'
import { assignment } from '../values/kinds.ts'
import { paging, resultOfList } from './paging.ts'
import { freeOptions, propertiesField, readPropertiesField } from './writing/body.ts'

const parameters = { param: repeated(assignment, 'KEY=VALUE', 'add a query parameter, such as format=csv') }
const listOptions = { ...parameters, ...paging }
const { offset: _, ...pageOptions } = listOptions
const viewOptions = {
  properties: conflicting(propertiesField, 'body'),
  body: { ...freeOptions.body, summary: 'send this body by POST: JSON, @file or - for stdin' },
  ...listOptions,
}

/** The endpoint is used that takes an id if one is given, and a body if one is given. */
type Row = readonly [
  summary: string,
  endpoints: readonly [Endpoint, ...Endpoint[]],
  options: OptionSpecs,
  example?: string,
]

const rows = {
  'persons activity': [
    'Show changes of one person, or of all persons of the project',
    [persons.activity, persons.allActivity],
    pageOptions,
    '55',
  ],
  'persons properties-timeline': [
    "Show how a person's properties changed over time",
    [persons.propertiesTimeline],
    parameters,
    '55',
  ],
  'persons cohorts': ['List the cohorts of a person', [persons.cohorts], listOptions, '--param person_id=55'],
  'persons funnel': ['List the persons of a funnel', [persons.funnel, persons.funnelPost], viewOptions],
  'persons funnel-correlation': [
    'Show what correlates with completing a funnel',
    [persons.funnelCorrelation, persons.funnelCorrelationPost],
    viewOptions,
  ],
  'persons lifecycle': ['List the persons of a lifecycle view', [persons.lifecycle], listOptions],
  'persons path': ['List the persons of a path', [persons.path, persons.pathPost], viewOptions],
  'persons retention': ['List the persons of a retention view', [persons.retention], listOptions],
  'persons stickiness': ['List the persons of a stickiness view', [persons.stickiness], listOptions],
  'persons trends': ['List the persons of a trends view', [persons.trends], listOptions],
  'persons values': ['List the values of a property, with counts', [persons.values], listOptions, '--param key=plan'],
  'plugins check-for-updates': ['Look for a newer version of a plugin', [plugins.checkForUpdates], parameters, '4'],
  'plugins source': ['Show the source of a plugin, file by file', [plugins.source], parameters, '5'],
  'plugins activity': ['Show changes of plugins', [plugins.activity], pageOptions],
  'plugins unused': ['List plugins that are not used', [plugins.unused], listOptions],
  'plugins repository': ['List plugins that you can install', [plugins.repository], listOptions],
  'plugins exports-unsubscribe-configs': [
    'List the plugins that can unsubscribe persons from exports',
    [plugins.exportsUnsubscribeConfigs],
    listOptions,
  ],
} as const satisfies Readonly<Record<string, Row>>

/** A command has only some of them. */
type ReadOptions = Partial<OptionsOf<typeof viewOptions>>

const takesId = ({ path }: Endpoint) => path.includes('/:id/')

export function readCommand(words: keyof typeof rows): Command {
  const [summary, endpoints, options, example = '']: Row = rows[words]
  const of: CollectionSpec = words.startsWith('persons') ? collections.persons : collections.plugins
  const label = `id of the ${of.noun[0]}`
  const declared = endpoints.every(takesId) ? argument('ID', label) : optionalArgument('ID', `${label} (default: all)`)
  return defineCommand({
    summary,
    args: endpoints.some(takesId) ? { id: idArgument(declared, of.name) } : {},
    options,
    examples: [`${words} ${example}`.trimEnd()],
    async run({ id }: { readonly id?: string | undefined }, options: ReadOptions, context) {
      const body = await viewBody(context, options)
      refuseMisleading(options.param ?? [], body)
      const fits = (endpoint: Endpoint) =>
        takesId(endpoint) === (id !== undefined) && (endpoint.method === 'POST') === (body !== undefined)
      const connection = await context.connect()
      const path = pathTo(await pathIn(connection, of), id ?? '')
      const request = connection.client.request(endpoints.find(fits) ?? endpoints[0], { path, body })
      for (const [name, value] of paramsOf(options)) request.url.searchParams.append(name, value)
      return showResponse(context, request, { ...options, id, view: viewFor(words) })
    },
  })
}

async function viewBody({ host }: Context, { properties, body }: ReadOptions): Promise<unknown> {
  if (body !== undefined) return readJson(host, '--body', body, true)
  const filter = await readPropertiesField(host, properties)
  return filter && { properties: filter }
}

function paramsOf({ param = [], pageSize, offset, where = [] }: ReadOptions): readonly (readonly [string, string])[] {
  const paging = Object.entries({ limit: pageSize, offset: where.length > 0 ? undefined : offset })
  return [...param, ...paging.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]))]
}

/** The items of `results` or `result` are rows; everything else is shown as it came. */
async function showResponse(
  context: Context,
  request: Request,
  options: ReadOptions & { readonly id: string | undefined; readonly view: View },
): Promise<Result> {
  const { client, now } = await context.connect()
  const { id, view, where = [] } = options
  if (request.url.searchParams.get('format') === 'csv') {
    const { all, limit } = options
    const { fields } = context.config.options
    refuseBeside('format=csv is printed unchanged', { where, all, limit, fields }, 'Remove one of them')
    return { data: { bytes: (await client.lazyResponse(request)).body } }
  }
  const response = await client.lazyResponse(request)
  const { item, status } = response.read()
  if (!item) throw unexpectedResponse(request, 'an empty body', { status })
  if (pageIn(item)) {
    const offset = where.length > 0 ? options.offset : 0
    const conditions = where.map(filter => conditionOf(filter, now(), false))
    const keys = where.map(({ key }) => key)
    const check = checkRows({ conditions, typedKeys: keys, documented: [], offset, readWhole: async row => row })
    return resultOfList(context, request, options, { view, check, received: response })
  }
  refuseBeside('The response is not a list', { where }, 'Remove --where')
  if (id !== undefined) refuseOtherRecord(request, valueAt(item.value, 'plugin') ?? item.value, status, id)
  const isEmpty = isObject(item.value) && Object.keys(item.value).length === 0
  const end = () => {
    if (isEmpty) context.messages.notice('Nothing found')
  }
  return { data: recordDocument(item, view), end }
}

const personsViews = /^persons (funnel|funnel-correlation|lifecycle|path|retention|stickiness|trends)$/

function viewFor(words: string): View {
  if (words.endsWith('activity')) return timelineView
  return personsViews.test(words) ? peopleView : undocumented
}

/** Entries of an activity log: `{user,activity,scope,item_id,detail,created_at}`. */
const timelineView: View = {
  ...undocumented,
  columns: ['created_at', 'user.email', 'activity', 'item_id', 'detail.name', 'detail.changes'],
  names: ['item_id', 'created_at', 'user.email'],
}

/** Rows hold a `person`, or a group of `people`. */
const peopleView: View = { ...undocumented, idsOf: 'persons', names: ['name', 'email'], unfold: unfoldPersons }

/** A group without people has no rows. Other rows are unchanged. */
function unfoldPersons(row: Item, fields: readonly string[] | undefined): readonly Item[] {
  const { value } = row
  if (!isObject(value)) return [row]
  const { person, people, ...group } = value
  const persons = (Array.isArray(people) ? people : [person]).filter(isPerson)
  if (persons.length === 0 && !Array.isArray(people)) return [row]
  return persons.map(one => {
    const { id = null, name = null, properties = null } = one
    const named = { id, name, email: valueAt(properties, 'email') ?? null }
    return itemOf(fields ? { ...value, ...named, ...one } : { ...named, ...group, ...named })
  })
}

const isPerson = (value: Json | undefined): value is JsonObject<Json> => isObject(value)
