/** Endpoints for which the service's document shows an object that servers answer otherwise. */
import { endpointOf } from '../api/effects.ts'
import { type Endpoint, persons, plugins } from '../api/endpoints.ts'
import type { Request, Send } from '../http/message.ts'

const rows: ReadonlySet<Endpoint> = new Set<Endpoint>([
  persons.activity,
  persons.allActivity,
  persons.propertiesTimeline,
  persons.cohorts,
  persons.funnel,
  persons.funnelPost,
  persons.funnelCorrelation,
  persons.funnelCorrelationPost,
  persons.lifecycle,
  persons.path,
  persons.pathPost,
  persons.retention,
  persons.stickiness,
  persons.trends,
  persons.values,
  plugins.checkForUpdates,
  plugins.source,
  plugins.activity,
  plugins.exportsUnsubscribeConfigs,
  plugins.repository,
  plugins.unused,
])

export function announceDocumentShape(send: Send, say: (text: string) => void): Send {
  let isSaid = false
  return async request => {
    const response = await send(request)
    if (!isSaid && response.status < 300 && isOf(request)) {
      isSaid = true
      say('sandbox: this is the shape that the document shows; servers answer otherwise: see --dialect observed')
    }
    return response
  }
}

function isOf({ method, url }: Request): boolean {
  const row = endpointOf(method, url.pathname)
  return row !== undefined && rows.has(row)
}
