/** The four resources and their fields, in the order of the service's document, "Resources and their fields". */
import { memberOf } from '../json/exact.ts'
import { isPropertyPath } from '../json/property-path.ts'
import {
  between,
  boolean,
  dateTime,
  integer,
  json,
  type Kind,
  merged,
  numeric,
  oneOf,
  property,
  text,
  uuid,
} from '../values/kinds.ts'
import { listItem, listOf, tagList } from '../values/lists.ts'
import { timezone } from '../values/timezones.ts'

interface Field<K extends Kind<unknown> = Kind<unknown>, W extends boolean = boolean> {
  readonly kind: K
  readonly writable: W
}

export type Resource = Readonly<Record<string, Field>>

type Writable<F extends Resource> = {
  readonly [N in keyof F as F[N]['writable'] extends true ? N : never]: F[N]['kind']
}

const shown = <K extends Kind<unknown>>(kind: K): Field<K, false> => ({ kind, writable: false })
const writable = <K extends Kind<unknown>>(kind: K): Field<K, true> => ({ kind, writable: true })

export function writableOf<F extends Resource>(resource: F): Writable<F> {
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, field]) => (field.writable ? [[name, field.kind]] : [])),
  ) as Writable<F>
}

export const person = {
  id: shown(integer),
  name: shown(text),
  distinct_ids: shown(listOf(text)),
  properties: writable(json),
  created_at: shown(dateTime),
  uuid: shown(uuid),
} satisfies Resource

const pluginType = oneOf('local', 'custom', 'repository', 'source')

export const plugin = {
  id: shown(integer),
  plugin_type: writable(pluginType),
  name: writable(text),
  description: writable(text),
  url: shown(text),
  icon: writable(text),
  config_schema: writable(json),
  tag: writable(text),
  latest_tag: shown(text),
  is_global: writable(boolean),
  organization_id: shown(uuid),
  organization_name: shown(text),
  capabilities: writable(json),
  metrics: writable(json),
  public_jobs: writable(json),
} satisfies Resource

export const eventDefinition = {
  id: shown(uuid),
  name: writable(text),
  created_at: writable(dateTime),
  last_seen_at: writable(dateTime),
  last_updated_at: shown(dateTime),
  tags: writable(tagList),
  is_action: shown(text),
  action_id: shown(integer),
  is_calculating: shown(boolean),
  last_calculated_at: shown(dateTime),
  created_by: shown(json),
  post_to_slack: writable(boolean),
} satisfies Resource

export const project = {
  id: shown(integer),
  uuid: shown(uuid),
  organization: shown(uuid),
  api_token: shown(text),
  app_urls: writable(listOf(listItem)),
  name: writable(text),
  slack_incoming_webhook: writable(text),
  created_at: shown(dateTime),
  updated_at: shown(dateTime),
  anonymize_ips: writable(boolean),
  completed_snippet_onboarding: writable(boolean),
  ingested_event: shown(boolean),
  test_account_filters: writable(json),
  test_account_filters_default_checked: writable(boolean),
  path_cleaning_filters: writable(json),
  is_demo: writable(boolean),
  timezone: writable(timezone),
  data_attributes: writable(json),
  person_display_name_properties: writable(listOf(listItem)),
  correlation_config: writable(json),
  autocapture_opt_out: writable(boolean),
  autocapture_exceptions_opt_in: writable(boolean),
  autocapture_exceptions_errors_to_ignore: writable(json),
  capture_console_log_opt_in: writable(boolean),
  capture_performance_opt_in: writable(boolean),
  session_recording_opt_in: writable(boolean),
  session_recording_sample_rate: writable(numeric),
  session_recording_minimum_duration_milliseconds: writable(integer),
  session_recording_linked_flag: writable(json),
  session_recording_network_payload_capture_config: writable(json),
  effective_membership_level: shown(integer),
  access_control: writable(boolean),
  week_start_day: writable({ ...between(0, 1), takes: '0 (Sunday) or 1 (Monday)' }),
  has_group_types: shown(boolean),
  primary_dashboard: writable(integer),
  live_events_columns: writable(listOf(listItem)),
  recording_domains: writable(listOf(listItem)),
  person_on_events_querying_enabled: shown(boolean),
  groups_on_events_querying_enabled: shown(boolean),
  inject_web_apps: writable(boolean),
  extra_settings: writable(json),
  has_completed_onboarding_for: writable(json),
  surveys_opt_in: writable(boolean),
} satisfies Resource

/** Fields in the list of projects; `get` returns all. */
export const projectListItem = {
  id: project.id,
  uuid: project.uuid,
  organization: project.organization,
  api_token: project.api_token,
  name: project.name,
  completed_snippet_onboarding: project.completed_snippet_onboarding,
  has_completed_onboarding_for: project.has_completed_onboarding_for,
  ingested_event: project.ingested_event,
  is_demo: project.is_demo,
  timezone: project.timezone,
  access_control: project.access_control,
} satisfies Resource

const allFields: Resource = {
  ...person,
  ...plugin,
  ...eventDefinition,
  ...project,
  // Newer servers have it, and the document does not.
  session_replay_config: writable(merged),
}

/** The kind of a field, or of a property as in `properties.plan`. Undefined if the document does not have the field. */
export function kindAt(path: string): Kind<unknown> | undefined {
  return isPropertyPath(path) ? property : memberOf(allFields, path)?.kind
}
