/** The handler of each endpoint; a missing handler does not compile. */
import { type Endpoint, endpoints } from '../../api/endpoints.ts'
import type { Handler } from '../call.ts'
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

export interface Route {
  readonly group: keyof typeof endpoints
  readonly handle: Handler
}

export function routes(): ReadonlyMap<Endpoint, Route> {
  const groups = Object.keys(endpoints) as (keyof typeof endpoints)[]
  return new Map(
    groups.flatMap(group => {
      const own: Readonly<Record<string, Handler>> = handlers[group]
      return Object.entries<Endpoint>(endpoints[group]).flatMap(([name, row]) => {
        const handle = own[name]
        return handle ? [[row, { group, handle }] as const] : []
      })
    }),
  )
}
