/** The handler of each endpoint; a missing handler does not compile. */
import { type Endpoint, endpoints, newer } from '../../api/endpoints.ts'
import type { Handler } from '../call.ts'
import { bulkDelete } from './bulk-delete.ts'
import { eventDefinitionHandlers } from './event-definitions.ts'
import { personsReading } from './persons-reading.ts'
import { personsViews } from './persons-views.ts'
import { personsWriting } from './persons-writing.ts'
import { pluginHandlers } from './plugins.ts'
import { pluginsViews } from './plugins-views.ts'
import { projectHandlers } from './projects.ts'

type Handlers = {
  readonly [Group in keyof typeof endpoints]: { readonly [Row in keyof (typeof endpoints)[Group]]: Handler }
}

const handlers: Handlers = {
  persons: { ...personsReading, ...personsWriting, ...personsViews },
  plugins: { ...pluginHandlers, ...pluginsViews },
  eventDefinitions: eventDefinitionHandlers,
  projects: projectHandlers,
}

const newerHandlers: { readonly [Row in keyof typeof newer]: Handler } = { bulkDelete }

export interface Route {
  readonly group: keyof typeof endpoints
  readonly handle: Handler
}

export function routes(): ReadonlyMap<Endpoint, Route> {
  const groups = Object.keys(endpoints) as (keyof typeof endpoints)[]
  return new Map([
    ...groups.flatMap(group => routesOf(group, endpoints[group], handlers[group])),
    ...routesOf('persons', newer, newerHandlers),
  ])
}

function routesOf(
  group: Route['group'],
  rows: Readonly<Record<string, Endpoint>>,
  own: Readonly<Record<string, Handler>>,
): (readonly [Endpoint, Route])[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const handle = own[name]
    return handle ? [[row, { group, handle }] as const] : []
  })
}
