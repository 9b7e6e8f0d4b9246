import { defineCommand } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { configFolder } from '../../profiles/folders.ts'
import { changeProfiles, configFile, readProfiles } from '../../profiles/store.ts'
import { askMissing, editing, typedProfile } from './edit.ts'
import { checkName } from './name.ts'

export default defineCommand({
  summary: 'Keep a service, its key and a project under a name',
  details:
    'At a terminal it asks for what is missing. The key is never an option: it would stand in ps. The first profile added is the one in use.',
  calls: [],
  args: { name: argument('NAME', 'how the profile is called') },
  options: editing,
  examples: [
    'profiles add prod --base-url https://analytics.example.com --project 42',
    'profiles add ci --base-url https://analytics.example.com --api-key-command "op read op://ops/analytics/key" --safety no-delete',
  ],
  async run({ name }, options, context) {
    checkName(name)
    const { host, messages } = context
    const folder = configFolder(host)
    const refuse = () => {
      throw new UsageError(`There is a profile ${name} already`, {
        hint: `Change it with analytics profiles set ${name}`,
      })
    }
    if (Object.hasOwn(readProfiles(folder).profiles, name)) refuse()
    const profile = await askMissing(await typedProfile(context, options), context)
    await changeProfiles(folder, host.clock, host.random, before => {
      if (Object.hasOwn(before.profiles, name)) refuse()
      return { current: before.current ?? name, profiles: { ...before.profiles, [name]: profile } }
    })
    messages.notice(`Added profile ${name} to ${configFile(folder)}`)
    return { text: '' }
  },
})
