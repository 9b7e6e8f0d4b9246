/** Differences between servers and the service's document that a client must know. */
import { json, text } from '../values/kinds.ts'
import { listOf } from '../values/lists.ts'
import { type Endpoint, type Kinds, persons, plugins } from './endpoints.ts'

/** The document shows one object as the answer, but each of these endpoints has a shape of its own. */
export const answeredOtherwise: ReadonlySet<Endpoint> = new Set<Endpoint>([
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

/** A field of projects that newer servers do not have any more. */
export const droppedField = 'slack_incoming_webhook'

export interface Departure {
  /** Members that servers read from the body; `files`: file names with their text, also in the answer. */
  readonly body?: Kinds | 'files'
  /** Status of a success: 202 without a body, or 201 with `{"success":true}`. */
  readonly status?: 201 | 202
}

export const departures: ReadonlyMap<Endpoint, Departure> = new Map<Endpoint, Departure>([
  [persons.update, { status: 202 }],
  [persons.updateProperty, { status: 202, body: { key: text, value: json } }],
  [persons.deleteProperty, { status: 201, body: { $unset: text } }],
  // Without one of these members, servers before June 2026 delete all properties of the person.
  [persons.split, { status: 201, body: { main_distinct_id: text, distinct_ids_to_split: listOf(text) } }],
  [persons.delete, { status: 202 }],
  [plugins.create, { body: { url: text } }],
  [plugins.updateSource, { body: 'files' }],
])
