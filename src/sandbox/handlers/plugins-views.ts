import { activityPage } from '../activity.ts'
import { type Answer, answer, byDialect, type Call, type Handler } from '../call.ts'
import { readMembers, stringOf, writeMembers } from '../members.ts'
import { type PluginRow, pluginColumns } from '../plugins.ts'
import { pluginOf } from './plugins.ts'

/** Reads about plugins. By the contract each answers with a plugin; in the wild each has a shape of its own. */
export const pluginsViews = {
  checkForUpdates: byDialect(one, call => answer(`{"plugin":${pluginOf(call).record}}`)),
  source: byDialect(one, call => answer(pluginOf(call).sources)),
  activity: byDialect(newest, call => answer(activityPage(call, 'Plugin'))),
  exportsUnsubscribeConfigs: byDialect(newest, () => answer('[]')),
  repository: byDialect(newest, repository),
  unused: byDialect(newest, unused),
} satisfies Record<string, Handler>

function one(call: Call): Answer {
  return answer(pluginOf(call).record)
}

function newest(call: Call): Answer {
  return answer(all(call)[0]?.record ?? '{}')
}

/** What can be had, as a list of `{name,url,description,verified,maintainer}`. */
function repository(call: Call): Answer {
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

/** Ids of the plugins that no project uses: those that are not there for all of them. */
function unused(call: Call): Answer {
  const idle = all(call).filter(({ record }) => readMembers(record).get('is_global') !== 'true')
  return answer(`[${idle.map(({ id }) => id).join()}]`)
}

function all(call: Call): PluginRow[] {
  return call.store.all<PluginRow>(
    `SELECT ${pluginColumns} FROM plugins WHERE organization = ? ORDER BY id DESC`,
    call.scope,
  )
}
