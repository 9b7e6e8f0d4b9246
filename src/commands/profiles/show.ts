import { withoutUser } from '../../api/base-url.ts'
import { optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { type Config, configOf } from '../../config/current.ts'
import { configFolder } from '../../config/folders.ts'
import { keySetting } from '../../config/key.ts'
import type { Origin } from '../../config/resolve.ts'
import { type Setting, type SettingName, settingRows, settings as settingsTable } from '../../config/settings.ts'
import { configFile } from '../../config/store.ts'
import type { Context } from '../../context.ts'
import { listDocument } from '../../output/document.ts'
import { rowView } from '../../output/views.ts'
import { read } from '../../result.ts'
import { wordsOf } from '../../text/shell-words.ts'
import { text } from '../../values/kinds.ts'

const fields = { setting: text, value: text, from: text, where: text }

interface Row {
  readonly setting: string
  readonly value: string
  readonly from: Origin
  readonly where: string | null
}

export default defineCommand({
  summary: 'Show each setting, and where its value comes from',
  details:
    'The order is option, environment, profile, default. The key is never shown. Of a command that prints it, only the program is shown, unless --reveal is given.',
  args: { name: optionalArgument('NAME', 'the profile; left out: the one in use') },
  options: {},
  examples: ['profiles show # The profile in use', 'profiles show -o json # The same as JSON'],
  async run({ name }, _, context) {
    const { host, messages } = context
    const typed = name === undefined ? context.config.typed : { ...context.config.typed, profile: name }
    const config = configOf(typed, host, true)
    if (config.ignored.length > 0) messages.say(`sandbox: ${config.ignored.join(', ')} ignored`)
    return read({ document: listDocument(rowsOf(config, context), rowView(Object.keys(fields), 'setting')) })
  },
})

function rowsOf(config: Config, { host, secrets, values: { reveal } }: Context): Row[] {
  const { values, origins, profile, safety } = config
  secrets.add(values.apiKey)
  const safetyRow = (value: string, from: Origin): Row => ({
    setting: 'safety',
    value,
    from,
    where: where[from](settingsTable.safety),
  })
  const file = profile ? configFile(configFolder(host)) : null
  const where: Readonly<Record<Origin, (row: Setting) => string | null>> = {
    option: row => row.option ?? null,
    environment: row => row.variable ?? null,
    profile: () => file,
    default: () => null,
  }
  const used = keySetting(config)
  const unused = (['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const).filter(name => name !== used)
  const rows = settingRows.flatMap(([name, row]): Row[] => {
    const from = origins[name]
    if (from === undefined || unused.some(key => key === name)) return []
    if (name === 'safety') return safety.map(level => safetyRow(level, values.safety === level ? from : 'profile'))
    const found = shown(name, row, values[name], reveal)
    // Another setting's variable may hold the key by mistake.
    const value = reveal ? found : secrets.hide(found)
    return [{ setting: snakeCase(name), value, from, where: where[from](row) }]
  })
  const inUse = profile && origins.profile === undefined
  return inUse ? [{ setting: 'profile', value: profile.name, from: 'default', where: file }, ...rows] : rows
}

function shown(name: SettingName, row: Setting, value: unknown, reveal = false): string {
  if (row.secret) return '***'
  if (name === 'baseUrl') return withoutUser(String(value))
  if (name !== 'apiKeyCommand' || reveal) return String(value)
  const [program, ...args] = wordsOf(String(value))
  return args.length > 0 ? `${program} …` : String(program)
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
