import { eventDefinition, person, plugin, project, projectListItem, type Resource } from '../api/resources.ts'
import type { Collection } from '../values/ids.ts'
import type { View } from './document.ts'

export const undocumented: View = {
  columns: [],
  fields: [],
  id: 'id',
  idsOf: undefined,
  names: ['name'],
}

function viewOf(resource: Resource, idsOf: Collection, columns: readonly string[]): View {
  return { ...undocumented, columns, fields: Object.keys(resource.fields), idsOf }
}

const projectColumns = ['id', 'name', 'timezone', 'is_demo', 'ingested_event', 'organization']

export const views = {
  person: {
    ...viewOf(person, 'persons', ['id', 'name', 'properties.email', 'distinct_ids', 'created_at']),
    names: ['name', 'properties.email'],
  },
  plugin: viewOf(plugin, 'plugins', ['id', 'name', 'plugin_type', 'tag', 'latest_tag', 'is_global']),
  eventDefinition: viewOf(eventDefinition, 'event_definitions', ['id', 'name', 'tags', 'created_at', 'last_seen_at']),
  projectListItem: viewOf(projectListItem, 'projects', projectColumns),
  project: viewOf(project, 'projects', projectColumns),
} satisfies Record<string, View>

export function rowView(fields: readonly string[], id = 'id'): View {
  return { ...undocumented, columns: fields, fields, id }
}

export const outcomeView = rowView(['id', 'status', 'error'])

/** Entries of an activity log as servers write them: `{user,activity,scope,item_id,detail,created_at}`. */
export const timelineView: View = {
  ...undocumented,
  columns: ['created_at', 'user.email', 'activity', 'item_id', 'detail.name', 'detail.changes'],
  names: ['item_id', 'created_at', 'user.email'],
}
