import { withoutUser } from '../../api/base-url.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../config/folders.ts'
import { settingRows, type Values } from '../../config/settings.ts'
import { readProfiles } from '../../config/store.ts'
import { listDocument } from '../../output/document.ts'
import { rowView } from '../../output/views.ts'
import { read } from '../../result.ts'
import { boolean, text } from '../../values/kinds.ts'
import { paging } from '../reading/paging.ts'
import { snakeCase } from './show.ts'

const stored = settingRows.flatMap(([setting, { profile, kind }]) =>
  profile && setting !== 'apiKey' && setting !== 'apiKeyCommand' ? [{ setting, field: snakeCase(setting), kind }] : [],
)
const fields = {
  name: text,
  in_use: boolean,
  ...Object.fromEntries(stored.map(({ field, kind }) => [field, kind])),
}
const names = Object.keys(fields)
/** A narrow terminal does not show the last columns. */
const columns = [...names.filter(name => !/_file$|^client_|^output$/.test(name)), 'output']

export default defineCommand({
  summary: 'List profiles',
  args: {},
  options: { limit: paging.limit },
  examples: ['profiles list # All profiles', 'profiles list -o ids # Their names, one a line'],
  async run(_, { limit }, context) {
    const { host, messages } = context
    const { current, profiles } = readProfiles(configFolder(host))
    const rows = Object.entries(profiles).map(([name, profile]) => {
      const values: Values = { ...profile, baseUrl: profile.baseUrl && withoutUser(profile.baseUrl) }
      const shown = stored.map(({ setting, field, kind }) => [field, values[setting] ?? (kind.item ? [] : null)])
      return { name, in_use: name === current, ...Object.fromEntries(shown) }
    })
    const view = { ...rowView(names, 'name'), columns, names: ['base_url'] }
    const listed = read({ document: listDocument(rows.slice(0, limit), view) })
    return {
      ...listed,
      async conclude() {
        await listed.conclude()
        if (rows.length === 0) messages.notice('No profiles yet; add one with analytics profiles add NAME')
      },
    }
  },
})
