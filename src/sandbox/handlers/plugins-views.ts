import { answer, byDialect, type Call, type Handler, type Reply } from '../call.ts'
import { readMembers, stringOf } from '../members.ts'
import { activityPage } from '../records/activity.ts'
import { type PluginRow, pluginColumns } from '../records/plugins.ts'
import { pluginOf, shown } from './plugins.ts'

/** Servers have a shape for each endpoint. */
export const pluginsViews = {
  checkForUpdates: byDialect(samplePlugin, call => answer(`{"plugin":${shown(call, pluginOf(call).record)}}`)),
  source: byDialect(samplePlugin, call => answer(pluginOf(call).sources)),
  activity: byDialect(samplePlugin, call => answer(activityPage(call, 'Plugin'))),
  exportsUnsubscribeConfigs: byDialect(samplePlugin, () => answer('[]')),
  repository: byDialect(samplePlugin, repository),
  unused: byDialect(samplePlugin, unused),
} satisfies Record<string, Handler>

/** By the document, each answers one plugin. */
function samplePlugin(call: Call): Reply {
  return answer(call.path.id === undefined ? (all(call)[0]?.record ?? '{}') : pluginOf(call).record)
}

function repository(call: Call): Reply {
  const fromThere = all(call)
    .map(({ record }) => readMembers(record))
    .filter(members => stringOf(members.get('plugin_type')) === 'repository')
  const entries = fromThere.map(members => {
    const shown = ['name', 'url', 'description'].map(name => `"${name}":${members.get(name) ?? 'null'}`)
    return `{${shown.join()},"verified":true,"maintainer":"community"}`
  })
  return answer(`[${entries.join()}]`)
}

function unused(call: Call): Reply {
  const idle = all(call).filter(({ record }) => readMembers(record).get('is_global') !== 'true')
  return answer(`[${idle.map(({ id }) => id).join()}]`)
}

function all(call: Call): PluginRow[] {
  return call.store.all<PluginRow>(
    `SELECT ${pluginColumns} FROM plugins WHERE organization = ? ORDER BY plugins.id DESC`,
    call.scope,
  )
}
