import { defineCommand, optionalArgument } from '../../cli/command.ts'
import { type Config, configOf } from '../../config/current.ts'
import { type Origin, type Setting, type SettingName, settingRows, settings } from '../../config/settings.ts'
import { configFile } from '../../config/store.ts'
import type { Context } from '../../context.ts'
import { listDocument, rowView } from '../../output/views.ts'
import { wordsOf } from '../../text/shell-words.ts'
import { withoutUser } from '../../values/url.ts'

export default defineCommand({
  summary: 'Show each setting, and where its value comes from',
  details:
    'An option overrides a variable, a variable the profile, and the profile the default. The key is never shown. --reveal shows the whole key command.',
  args: { name: optionalArgument('NAME', 'name of the profile (default: the one in use)') },
  examples: ['profiles show # Show the profile in use', 'profiles show -o json # Print as JSON'],
  async run({ name }, _, context) {
    const { host, messages } = context
    const options = name === undefined ? context.config.options : { ...context.config.options, profile: name }
    const config = configOf(options, host, true)
    if (config.ignored) messages.notice(config.ignored)
    return {
      data: listDocument(originRows(config, context), rowView(['setting', 'value', 'from', 'where'], 'setting')),
    }
  },
})

function originRows(config: Config, { host, secrets, values: { reveal = false } }: Context) {
  const { values, origins, profile, safety, keySetting } = config
  secrets.add(values.apiKey)
  const file = profile ? configFile(host) : null
  const rowOf = (name: SettingName, value: string, from: Origin) => {
    const { option, variable }: Setting = settings[name]
    const sources = { option, environment: variable, profile: file, default: name === 'profile' ? file : null }
    const where = sources[from] ?? null
    // The variable of another setting may hold the key by mistake.
    return { setting: snakeCase(name), value: reveal ? value : secrets.hide(value), from, where }
  }
  const isUnusedKey = (name: SettingName) =>
    ['apiKey', 'apiKeyFile', 'apiKeyCommand'].includes(name) && name !== keySetting
  const rows = settingRows.flatMap(([name]) => {
    const from = origins[name]
    if (from === undefined || isUnusedKey(name)) return []
    if (name !== 'safety') return [rowOf(name, displayValue(name, values[name], reveal), from)]
    const ofProfile = safety?.source !== 'ANALYTICS_SAFETY'
    return safety ? [rowOf(name, safety.level, ofProfile ? 'profile' : 'environment')] : []
  })
  return profile && origins.profile === undefined ? [rowOf('profile', profile.name, 'default'), ...rows] : rows
}

function displayValue(name: SettingName, value: unknown, reveal: boolean): string {
  if (name === 'apiKey') return '***'
  if (name === 'baseUrl') return withoutUser(String(value))
  if (name !== 'apiKeyCommand' || reveal) return String(value)
  const [program, ...args] = wordsOf(String(value))
  return args.length > 0 ? `${program} …` : String(program)
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
