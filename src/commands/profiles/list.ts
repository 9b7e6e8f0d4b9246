import { defineCommand } from '../../cli/command.ts'
import { settingRows, type Values } from '../../config/settings.ts'
import { readProfiles } from '../../config/store.ts'
import { listDocument, rowView } from '../../output/views.ts'
import { snakeCase } from './show.ts'

const shownSettings = settingRows.flatMap(([name, { isInProfile }]) =>
  isInProfile && !name.startsWith('apiKey') ? [name] : [],
)
const names = ['name', 'in_use', ...shownSettings.map(snakeCase)]

export default defineCommand({
  summary: 'List profiles',
  examples: ['profiles list # List all profiles', 'profiles list -o ids # Print their names, one per line'],
  async run(_, __, { host, messages }) {
    const { current, profiles } = readProfiles(host)
    const rows = Object.entries(profiles).map(([name, profile]) => {
      const stored: Values = profile
      return {
        name,
        in_use: name === current,
        ...Object.fromEntries(shownSettings.map(setting => [snakeCase(setting), stored[setting] ?? null])),
      }
    })
    return {
      data: listDocument(rows, { ...rowView(names, 'name'), names: ['base_url'] }),
      end() {
        if (rows.length === 0) messages.notice('No profiles. To add one: analytics profiles add NAME')
      },
    }
  },
})
