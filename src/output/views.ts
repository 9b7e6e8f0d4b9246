import { eventDefinition, person, plugin, project, projectListItem, type Resource } from '../api/resources.ts'
import { type Item, itemOf } from '../json/read-item.ts'
import type { Collection } from '../values/ids.ts'

export interface Document {
  /** Can be read once. */
  readonly rows: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>
  readonly isOne: boolean
  readonly view: View
}

export interface View {
  /** Columns of a table. If no row has one of them, the table has the fields of the rows. */
  readonly columns: readonly string[]
  /** Documented fields in order: the first columns of CSV, and the first lines of a record. */
  readonly fields: readonly string[]
  /** Fields of a single record in a table; unset: all. */
  readonly shown?: readonly string[] | undefined
  readonly id: string
  /** Resource of the ids; undefined if their form is unknown. */
  readonly idsOf: Collection | undefined
  /** Fields that name the object; a table shows them whole, like the id. */
  readonly names: readonly string[]
  /** Makes rows for `table` and `ids` from a row. With `fields`, they keep all fields of the row. */
  readonly unfold: ((row: Item, fields: readonly string[] | undefined) => readonly Item[]) | undefined
}

export function listDocument(rows: readonly object[], view: View): Document {
  return { rows: [rows.map(itemOf)], isOne: false, view }
}

export function objectDocument(row: object, view: View): Document {
  return recordDocument(itemOf(row), view)
}

export function mapRows(document: Document, change: (batch: readonly Item[]) => readonly Item[]): Document {
  async function* rows() {
    for await (const batch of document.rows) yield change(batch)
  }
  return { ...document, rows: rows() }
}

export function recordDocument(record: Item, view: View): Document {
  return { rows: [[record]], isOne: true, view }
}

export const undocumented: View = {
  columns: [],
  fields: [],
  id: 'id',
  idsOf: undefined,
  names: ['name'],
  unfold: undefined,
}

function viewOf(resource: Resource, idsOf: Collection, columns: readonly string[]): View {
  return { ...undocumented, columns, fields: Object.keys(resource), idsOf }
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
