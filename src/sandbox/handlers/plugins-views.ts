import { writeMembers } from '../../json/write-members.ts'
import { answer, byDialect, type Call, type Handler, type Reply } from '../call.ts'
import { readMembers, stringOf } from '../members.ts'
import { activityPage } from '../records/activity.ts'
import { type PluginRow, pluginColumns } from '../records/plugins.ts'
import { pluginOf, shown } from './plugins.ts'

/** By the document, each answer is a plugin; servers have a different shape for each endpoint. */
export const pluginsViews = {
  checkForUpdates: byDialect(onePlugin, call => answer(`{"plugin":${shown(call, pluginOf(call).record)}}`)),
  source: byDialect(onePlugin, call => answer(pluginOf(call).sources)),
  activity: byDialect(newestPlugin, call => answer(activityPage(call, 'Plugin'))),
  exportsUnsubscribeConfigs: byDialect(newestPlugin, () => answer('[]')),
  repository: byDialect(newestPlugin, repository),
  unused: byDialect(newestPlugin, unused),
} satisfies Record<string, Handler>

function onePlugin(call: Call): Reply {
  return answer(pluginOf(call).record)
}

function newestPlugin(call: Call): Reply {
  return answer(all(call)[0]?.record ?? '{}')
}

function repository(call: Call): Reply {
  const fromThere = all(call).map(({ record }) => readMembers(record))
  const entries = fromThere
    .filter(members => stringOf(members.get('plugin_type')) === 'repository')
    .map(members =>
      writeMembers(
        new Map([
          ...['name', 'url', 'description'].map((name): [string, string] => [name, members.get(name) ?? 'null']),
          ['verified', 'true'],
          ['maintainer', '"community"'],
        ]),
      ),
    )
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
