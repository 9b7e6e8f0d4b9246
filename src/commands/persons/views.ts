import { type Endpoint, persons } from '../../api/endpoints.ts'
import { argument, idArgument, optionalArgument, personFinders } from '../../cli/arguments.ts'
import { type Command, defineCommand } from '../../cli/command.ts'
import { conflicting, type OptionsOf } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import type { Request } from '../../http/message.ts'
import { readJson } from '../../json/read-given.ts'
import { peopleView, timelineView, undocumented } from '../../output/views.ts'
import type { Result } from '../../result.ts'
import { paging } from '../reading/paging.ts'
import { activityParams, pagingParams, parameters, untypedResponse } from '../reading/untyped-response.ts'
import { freeOptions, propertiesField, readPropertiesField } from '../writing/body.ts'

type View = Endpoint & {
  readonly path: `/api/projects/:project_id/persons/${string}`
  readonly query: typeof persons.cohorts.query
}

const asking = {
  ...parameters,
  ...paging,
}

type Asking = OptionsOf<typeof asking>

const undocumentedView =
  'The service documents neither the parameters nor the answer of this view: give parameters with --param.'

const groups = 'Where persons come in groups, --limit counts the groups.'

function questionOf(options: Asking, pages = pagingParams) {
  return { params: [...options.param, ...pages(options)] }
}

async function shown(context: Context, request: Request, options: Asking, view = peopleView): Promise<Result> {
  return untypedResponse(context, request, options, { view })
}

function view(word: string, summary: string, row: View, example = '', shownAs = peopleView): Command {
  return defineCommand({
    summary,
    details: [undocumentedView, ...(shownAs === peopleView ? [groups] : [])].join(' '),
    calls: [row],
    args: {},
    options: asking,
    examples: [`persons ${word} ${example}`.trimEnd()],
    async run(_, options, context) {
      const question = questionOf(options)
      const { client, project } = await context.connect()
      const path = { project_id: project() }
      return shown(context, client.request(row, { path, ...question }), options, shownAs)
    },
  })
}

/** The POST of these views only reads. */
function askedView(word: string, summary: string, get: View, post: View): Command {
  return defineCommand({
    summary,
    details: `Sent as GET, or as POST when a body is given. The service documents neither the parameters nor the answer of this view. ${groups}`,
    calls: [get, post],
    args: {},
    options: {
      properties: conflicting(propertiesField, 'body'),
      body: freeOptions.body,
      ...asking,
    },
    examples: [
      `persons ${word} # With no parameters`,
      `persons ${word} --properties '{"plan":"pro"}' # Only persons with this property`,
    ],
    async run(_, options, context) {
      const question = questionOf(options)
      const properties = await readPropertiesField(context.host, options.properties)
      const body = options.body === undefined ? undefined : await readJson(context.host, '--body', options.body, true)
      const rawBody = properties ? { properties } : body
      const { client, project } = await context.connect()
      const path = { project_id: project() }
      const row = rawBody === undefined ? get : post
      return shown(context, client.request(row, { path, ...question, rawBody }), options)
    },
  })
}

const activity = defineCommand({
  summary: 'Show what was done to a person, or to all persons of the project',
  calls: [persons.activity, persons.allActivity],
  args: {
    id: idArgument(optionalArgument('ID', 'id of the person; left out: the whole project'), 'persons', personFinders),
  },
  options: asking,
  examples: ['persons activity # Of the whole project', 'persons activity 55 -o json # Of one person'],
  async run({ id }, options, context) {
    const question = questionOf(options, activityParams)
    const { client, project } = await context.connect()
    const request =
      id === undefined
        ? client.request(persons.allActivity, { path: { project_id: project() }, ...question })
        : client.request(persons.activity, { path: { project_id: project(), id }, ...question })
    return shown(context, request, options, timelineView)
  },
})

const propertiesTimeline = defineCommand({
  summary: "Show how a person's properties changed over time",
  calls: [persons.propertiesTimeline],
  args: { id: idArgument(argument('ID', 'id of the person'), 'persons', personFinders) },
  options: asking,
  examples: ['persons properties-timeline 55'],
  async run({ id }, options, context) {
    const question = questionOf(options)
    const { client, project } = await context.connect()
    const path = { project_id: project(), id }
    return shown(context, client.request(persons.propertiesTimeline, { path, ...question }), options, timelineView)
  },
})

export const personViews = {
  activity,
  'properties-timeline': propertiesTimeline,
  cohorts: view(
    'cohorts',
    'List the cohorts that a person belongs to',
    persons.cohorts,
    '--param person_id=55',
    undocumented,
  ),
  funnel: askedView('funnel', 'List the persons of a funnel', persons.funnel, persons.funnelPost),
  'funnel-correlation': askedView(
    'funnel-correlation',
    'Show what correlates with completing a funnel',
    persons.funnelCorrelation,
    persons.funnelCorrelationPost,
  ),
  lifecycle: view('lifecycle', 'List the persons of a lifecycle view', persons.lifecycle),
  path: askedView('path', 'List the persons of a path', persons.path, persons.pathPost),
  retention: view('retention', 'List the persons of a retention view', persons.retention),
  stickiness: view('stickiness', 'List the persons of a stickiness view', persons.stickiness),
  trends: view('trends', 'List the persons of a trends view', persons.trends),
  values: view(
    'values',
    'List the values of a person property, with counts',
    persons.values,
    '--param key=plan',
    undocumented,
  ),
}
