import { plugin } from '../../api/resources.ts'
import { decode, isObject } from '../../json/exact.ts'
import { Malformed } from '../../json/malformed.ts'
import { answer, type Call, empty, type Handler, invalid, notFound, parseBody, serverError } from '../call.ts'
import { uuidOf } from '../hash.ts'
import { type Members, readMembers, stringOf, writeMembers } from '../members.ts'
import { recordsPage } from '../paging.ts'
import { type LoggedChange, log } from '../records/activity.ts'
import { writableFields } from '../records/fields.ts'
import { addPlugin, type PluginRow, pluginColumns } from '../records/plugins.ts'

export const pluginHandlers = {
  list: call => recordsPage(call, 'FROM plugins WHERE organization = ?', [call.scope], record => shown(call, record)),

  create(call) {
    const fields = fieldsOf(call)
    const type = stringOf(fields.get('plugin_type')) ?? 'custom'
    const url = stringOf(fields.get('url'))
    if (call.dialect === 'observed') {
      if (type !== 'source' && !url) throw invalid('url', 'This field is required.', 'required')
      refuseInstalled(call, url)
      if (url?.startsWith('https://')) fields.set('tag', newestCommit(url)).set('latest_tag', newestCommit(url))
    }
    const { id, record } = addPlugin(call.store, call.scope, fields)
    note(call, id, record, 'installed')
    return answer(shown(call, record), 201)
  },

  get: call => answer(shown(call, pluginOf(call).record)),

  update: call => change(call, 'updated', fieldsOf(call)),

  delete(call) {
    const { id, record } = pluginOf(call)
    if (call.dialect === 'observed' && readMembers(record).get('is_global') === 'true') {
      throw invalid(null, 'This plugin is marked as global! Make it local before uninstallation.')
    }
    call.store.run('DELETE FROM plugins WHERE id = ?', id)
    note(call, id, record, 'uninstalled')
    return empty(204)
  },

  /** Only in the document may an upgrade change other fields too. */
  upgrade(call) {
    const latest = readMembers(pluginOf(call).record).get('latest_tag') ?? 'null'
    const fields = call.dialect === 'documented' ? fieldsOf(call) : new Map<string, string>()
    return change(call, 'upgraded', latest === 'null' ? fields : new Map([['tag', latest], ...fields]))
  },

  /** The document expects fields of the plugin, servers expect file names with their text. */
  updateSource(call) {
    if (call.dialect === 'documented') return change(call, 'source_updated', fieldsOf(call))
    const { id, record, sources } = pluginOf(call)
    const { members, values } = parseBody(call)
    const files = readMembers(sources)
    for (const [name, json] of members) {
      if (values[name] === null) files.delete(name)
      else if (typeof values[name] === 'string') files.set(name, json)
      else throw invalid(name, 'A string is required, or null to delete the file.')
    }
    const fields = fieldsInSource(files)
    const changed = writeMembers(new Map([...readMembers(record), ...(fields ?? [])]))
    call.store.run('UPDATE plugins SET sources = ?, record = ? WHERE id = ?', writeMembers(files), changed, id)
    // Servers have stored the files when they fail.
    if (!fields) return serverError
    note(call, id, changed, 'source_updated')
    return answer(writeMembers(files))
  },
} satisfies Record<string, Handler>

export function pluginOf(call: Call): PluginRow {
  const id = call.path.id ?? ''
  const found = /^\d+$/.test(id)
    ? call.store.get<PluginRow>(
        `SELECT ${pluginColumns} FROM plugins WHERE organization = ? AND id = ?`,
        call.scope,
        id,
      )
    : undefined
  if (!found) throw notFound()
  return found
}

function refuseInstalled({ store, scope }: Call, url: string | undefined): void {
  if (url === undefined) return
  const rows = store.all<PluginRow>(`SELECT ${pluginColumns} FROM plugins WHERE organization = ?`, scope)
  if (rows.every(({ record }) => stringOf(readMembers(record).get('url')) !== url)) return
  throw invalid(null, `Plugin from URL "${url}" already installed!`)
}

/** Servers read name and configuration from the file `plugin.json`; undefined if it is not a JSON object. */
function fieldsInSource(files: Members): Members | undefined {
  const fields: Members = new Map()
  const file = stringOf(files.get('plugin.json'))
  if (!file) return fields
  if (!isJsonObject(file)) return undefined
  const description = readMembers(file)
  if (stringOf(description.get('name')) !== undefined) fields.set('name', description.get('name') ?? 'null')
  if (description.has('config')) fields.set('config_schema', description.get('config') ?? 'null')
  return fields
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(decode(text))
  } catch (error) {
    if (error instanceof Malformed) return false
    throw error
  }
}

/** The document does not list `url` for requests, but servers need it to install a plugin. */
function fieldsOf(call: Call): Members {
  return writableFields(call, parseBody(call), {
    fields: plugin.fields,
    filled: ['plugin_type', 'is_global'],
    also: ['url'],
  })
}

function change(call: Call, activity: string, fields: Members) {
  const { id, record } = pluginOf(call)
  const changed = writeMembers(new Map([...readMembers(record), ...fields]))
  call.store.run('UPDATE plugins SET record = ? WHERE id = ?', changed, id)
  const before = readMembers(record)
  const changes = [...fields]
    .map(([field, after]) => ({ action: 'changed', field, before: before.get(field) ?? 'null', after }) as const)
    .filter(change => change.before !== change.after)
  note(call, id, changed, activity, changes)
  return answer(shown(call, changed))
}

/** Servers name it as both versions of a plugin in a repository. */
function newestCommit(url: string): string {
  return JSON.stringify(uuidOf(`commit of ${url}`).replaceAll('-', ''))
}

/** A field that the service's document does not have. */
export function shown({ dialect }: Call, record: string): string {
  if (dialect === 'documented') return record
  return writeMembers(readMembers(record).set('hog_function_migration_available', 'false'))
}

function note(call: Call, id: string, record: string, activity: string, changes: readonly LoggedChange[] = []): void {
  const name = stringOf(readMembers(record).get('name'))
  log(call.store, { scope: 'Plugin', place: call.scope, item: id, activity, name, changes, at: call.now })
}
