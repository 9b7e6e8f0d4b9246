import { eventDefinition, person, plugin, project, projectListItem, type Resource } from '../api/resources.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../json/exact.ts'
import { type Item, itemOf } from '../json/read-item.ts'
import type { Collection } from '../values/ids.ts'
import type { View } from './document.ts'

export const undocumented: View = {
  columns: [],
  fields: [],
  id: 'id',
  idsOf: undefined,
  names: ['name'],
  unfold: undefined,
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

/** Rows of persons views hold a `person`, or a group of `people`. */
export const peopleView: View = { ...undocumented, idsOf: 'persons', names: ['name', 'email'], unfold: personsIn }

/** A group without people has no rows. Other rows are unchanged. */
function personsIn(row: Item, fields: readonly string[] | undefined): readonly Item[] {
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

/** Entries of an activity log: `{user,activity,scope,item_id,detail,created_at}`. */
export const timelineView: View = {
  ...undocumented,
  columns: ['created_at', 'user.email', 'activity', 'item_id', 'detail.name', 'detail.changes'],
  names: ['item_id', 'created_at', 'user.email'],
}
