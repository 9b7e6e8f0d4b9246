import { plugin } from '../api/resources.ts'
import type { Json, JsonObject } from '../json/exact.ts'
import { text } from '../values/kinds.ts'
import { type Call, emptyReply, found, type Handler, jsonReply, type Reply } from './call.ts'
import company from './company.json'
import { writableFields } from './fields.ts'
import { activityPage, pageOf } from './pages.ts'
import { organization } from './projects.ts'
import type { Store } from './store.ts'
import { logActivity } from './views.ts'

export const pluginHandlers = {
  list: call => jsonReply(pageOf(call, 'plugins')),

  create(call) {
    const added = addPlugin(call.store, writableFields(call, fields))
    log(call, added, 'installed')
    return jsonReply(added, 201)
  },

  get: onePlugin,
  update: call => changePlugin(call, 'updated', writableFields(call, fields)),

  delete(call) {
    const existing = pluginOf(call)
    call.store.remove('plugins', existing.id)
    log(call, existing, 'uninstalled')
    return emptyReply(204)
  },

  upgrade(call) {
    const { latest_tag: tag } = pluginOf(call)
    return changePlugin(call, 'upgraded', { ...(tag === null ? {} : { tag }), ...writableFields(call, fields) })
  },

  updateSource: call => changePlugin(call, 'source_updated', writableFields(call, fields)),
  checkForUpdates: onePlugin,
  source: onePlugin,
  activity: activityPage,
  exportsUnsubscribeConfigs: onePlugin,
  repository: onePlugin,
  unused: onePlugin,
} satisfies Record<string, Handler>

function onePlugin(call: Call): Reply {
  if (call.id !== '') return jsonReply(pluginOf(call))
  return jsonReply(call.store.list('plugins', call.scopeId, { limit: 1 }).records[0] ?? {})
}

function pluginOf({ store, scopeId, id }: Call) {
  return found(store.get('plugins', scopeId, id))
}

/** The document does not list `url` for requests, but nothing else says where a plugin comes from. */
const fields = { ...plugin, url: { kind: text, writable: true } }

function changePlugin(call: Call, activity: string, changes: JsonObject<Json>): Reply {
  const changed = { ...pluginOf(call), ...changes }
  call.store.put('plugins', call.scopeId, changed.id, changed)
  log(call, changed, activity)
  return jsonReply(changed)
}

export function addPlugin(store: Store, values: JsonObject<Json>) {
  const id = store.nextId('plugins')
  const added = { ...company.newPlugin, ...values, id }
  store.put('plugins', organization.id, id, added)
  return added
}

function log(call: Call, { id, name }: JsonObject<Json> & { readonly id: number }, activity: string): void {
  logActivity(call, { scope: 'Plugin', id, activity, name: name ?? null })
}
