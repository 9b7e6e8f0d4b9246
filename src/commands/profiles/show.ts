import { defineCommand } from '../../cli/command.ts'
import { optionalArgument } from '../../cli/options.ts'
import { settingsOf } from '../../profiles/current.ts'
import { configFolder } from '../../profiles/folders.ts'
import { type Setting, settingRows } from '../../profiles/settings.ts'
import { configFile } from '../../profiles/store.ts'

const columns = ['setting', 'value', 'from']

export default defineCommand({
  summary: 'Show each setting, and where its value comes from',
  details: 'The order is option, environment, profile, default. The key is never shown.',
  calls: [],
  args: { name: optionalArgument('NAME', 'the profile; left out: the one in use') },
  options: {},
  examples: ['profiles show', 'profiles show -o json'],
  async run({ name }, _, { host, settings }) {
    const typed = name === undefined ? settings.typed : { ...settings.typed, profile: name }
    const { values, origins, profile } = settingsOf(typed, host, true)
    const sources = {
      option: (row: Setting) => `option ${row.option}`,
      environment: (row: Setting) => `variable ${row.variable}`,
      profile: () => `profile ${profile?.name} in ${configFile(configFolder(host))}`,
      default: () => 'default',
    }
    const rows = settingRows.flatMap(([setting, row]) => {
      const origin = origins[setting]
      if (origin === undefined) return []
      const value = row.secret ? '***' : String(values[setting])
      return [{ setting: row.option?.slice(2) ?? row.variable ?? setting, value, from: sources[origin](row) }]
    })
    return {
      document: {
        shape: 'list',
        batches: [rows.map(row => Buffer.from(JSON.stringify(row)))],
        view: { columns, fields: columns, id: 'setting' },
      },
    }
  },
})
