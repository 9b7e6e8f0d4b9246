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

export type Resource = Readonly<Record<string, { readonly kind: Kind<unknown>; readonly writable: boolean }>>

const readOnly = (kind: Kind<unknown>) => ({ kind, writable: false })
const writable = (kind: Kind<unknown>) => ({ kind, writable: true })

export function writableOf(resource: Resource): Readonly<Record<string, Kind<unknown>>> {
  const fields = Object.entries(resource).filter(([, field]) => field.writable)
  return Object.fromEntries(fields.map(([name, { kind }]) => [name, kind]))
}

export const person = {
  id: readOnly(integer),
  name: readOnly(text),
  distinct_ids: readOnly(listOf(text)),
  properties: writable(json),
  created_at: readOnly(dateTime),
  uuid: readOnly(uuid),
} satisfies Resource

const pluginType = oneOf('local', 'custom', 'repository', 'source')

export const plugin = {
  id: readOnly(integer),
  plugin_type: writable(pluginType),
  name: writable(text),
  description: writable(text),
  url: readOnly(text),
  icon: writable(text),
  config_schema: writable(json),
  tag: writable(text),
  latest_tag: readOnly(text),
  is_global: writable(boolean),
  organization_id: readOnly(uuid),
  organization_name: readOnly(text),
  capabilities: writable(json),
  metrics: writable(json),
  public_jobs: writable(json),
} satisfies Resource

export const eventDefinition = {
  id: readOnly(uuid),
  name: writable(text),
  created_at: writable(dateTime),
  last_seen_at: writable(dateTime),
  last_updated_at: readOnly(dateTime),
  tags: writable(tagList),
  is_action: readOnly(text),
  action_id: readOnly(integer),
  is_calculating: readOnly(boolean),
  last_calculated_at: readOnly(dateTime),
  created_by: readOnly(json),
  post_to_slack: writable(boolean),
} satisfies Resource

export const project = {
  id: readOnly(integer),
  uuid: readOnly(uuid),
  organization: readOnly(uuid),
  api_token: readOnly(text),
  app_urls: writable(listOf(listItem)),
  name: writable(text),
  slack_incoming_webhook: writable(text),
  created_at: readOnly(dateTime),
  updated_at: readOnly(dateTime),
  anonymize_ips: writable(boolean),
  completed_snippet_onboarding: writable(boolean),
  ingested_event: readOnly(boolean),
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
  effective_membership_level: readOnly(integer),
  access_control: writable(boolean),
  week_start_day: writable({ ...between(0, 1), takes: '0 (Sunday) or 1 (Monday)' }),
  has_group_types: readOnly(boolean),
  primary_dashboard: writable(integer),
  live_events_columns: writable(listOf(listItem)),
  recording_domains: writable(listOf(listItem)),
  person_on_events_querying_enabled: readOnly(boolean),
  groups_on_events_querying_enabled: readOnly(boolean),
  inject_web_apps: writable(boolean),
  extra_settings: writable(json),
  has_completed_onboarding_for: writable(json),
  surveys_opt_in: writable(boolean),
} satisfies Resource

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
