import { defineCommand } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { configFolder } from '../../profiles/folders.ts'
import { changeProfiles, profileOf } from '../../profiles/store.ts'

export default defineCommand({
  summary: 'Make a profile the one in use',
  calls: [],
  args: { name: argument('NAME', 'the profile to use from now on') },
  options: {},
  examples: ['profiles use prod'],
  async run({ name }, _, { host, messages }) {
    await changeProfiles(configFolder(host), host.clock, host.random, before => {
      profileOf(before, name)
      return { ...before, current: name }
    })
    messages.notice(`Using profile ${name}`)
    return { text: '' }
  },
})
