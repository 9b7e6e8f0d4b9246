import { plugin } from '../../api/resources.ts'
import { type Members, stringOf, writeMembers } from '../members.ts'
import type { Store } from '../store/store.ts'
import { organization } from './projects.ts'

export interface PluginRow {
  readonly id: string
  readonly record: string
  /** JSON: file names with their text. */
  readonly sources: string
}

/** `id` is a text here; `plugins.id`, a number, orders the rows. */
export const pluginColumns = 'CAST(id AS TEXT) AS id, record, sources'

/** `fields`: JSON texts by name. */
export function addPlugin(store: Store, place: string, fields: Members, sources = '{}'): PluginRow {
  const added = store.get<PluginRow>(
    `INSERT INTO plugins (organization, record, sources) VALUES (?, '{}', ?) RETURNING ${pluginColumns}`,
    place,
    sources,
  )
  const id = added?.id ?? ''
  const values: Readonly<Record<string, unknown>> = {
    plugin_type: 'custom',
    name: stringOf(fields.get('url'))?.replace(/\/+$/, '').split('/').at(-1) ?? 'Untitled plugin',
    config_schema: stringOf(fields.get('plugin_type')) === 'source' ? {} : [],
    is_global: false,
    organization_id: place,
    organization_name: organization.name,
    capabilities: {},
    metrics: {},
    public_jobs: {},
  }
  const members = new Map(
    Object.keys(plugin.fields).map(name => [name, fields.get(name) ?? JSON.stringify(values[name] ?? null)]),
  )
  const record = writeMembers(members.set('id', id))
  store.run('UPDATE plugins SET record = ? WHERE id = ?', record, id)
  return { id, record, sources }
}
