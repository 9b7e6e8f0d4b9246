import { type Endpoint, eventDefinitions, newer, persons, plugins, projects } from '../../api/endpoints.ts'
import type { Handler } from '../call.ts'
import { bulkDelete } from './bulk-delete.ts'
import { eventDefinitionHandlers } from './event-definitions.ts'
import { personsReading } from './persons-reading.ts'
import { personsViews } from './persons-views.ts'
import { personsWriting } from './persons-writing.ts'
import { pluginHandlers } from './plugins.ts'
import { pluginsViews } from './plugins-views.ts'
import { projectHandlers } from './projects.ts'

export const handlers: ReadonlyMap<Endpoint, Handler> = new Map([
  ...routes(persons, { ...personsReading, ...personsWriting, ...personsViews }),
  ...routes(plugins, { ...pluginHandlers, ...pluginsViews }),
  ...routes(eventDefinitions, eventDefinitionHandlers),
  ...routes(projects, projectHandlers),
  ...routes(newer, { bulkDelete }),
])

/** A missing handler does not compile. */
function routes<Name extends string>(
  rows: Readonly<Record<Name, Endpoint>>,
  own: Readonly<Record<NoInfer<Name>, Handler>>,
): [Endpoint, Handler][] {
  const names = Object.keys(rows) as Name[]
  return names.map(name => [rows[name], own[name]])
}
