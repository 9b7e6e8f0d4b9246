import { defineCommand } from '../../cli/command.ts'
import { confirm } from '../../cli/confirm.ts'
import { argument } from '../../cli/options.ts'
import { configFolder } from '../../profiles/folders.ts'
import { changeProfiles, profileOf, readProfiles } from '../../profiles/store.ts'

export default defineCommand({
  summary: 'Forget a profile and its key',
  calls: [],
  args: { name: argument('NAME', 'the profile to forget') },
  options: {},
  examples: ['profiles remove staging'],
  async run({ name }, _, { host, values, messages }) {
    const folder = configFolder(host)
    profileOf(readProfiles(folder), name)
    if (values.dryRun) {
      messages.notice(`Dry run: profile ${name} would be removed`)
      return { text: '' }
    }
    await confirm(host, values, { doing: `Removing profile ${name} with its key`, answer: 'yes' })
    await changeProfiles(folder, host.clock, host.random, before => {
      profileOf(before, name)
      const { [name]: _, ...profiles } = before.profiles
      return before.current === name ? { profiles } : { ...before, profiles }
    })
    messages.notice(`Removed profile ${name}`)
    return { text: '' }
  },
})
