import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../config/folders.ts'
import { type Profiles, profileOf, readProfiles } from '../../config/store.ts'
import { save } from './edit.ts'

export default defineCommand({
  summary: 'Remove a profile and its key',
  details: 'Does not prompt. If the profile was in use, select another one with analytics profiles use.',
  args: { name: argument('NAME', 'name of the profile') },
  options: {},
  examples: ['profiles remove staging'],
  async run({ name }, _, context) {
    const { current } = readProfiles(configFolder(context.host))
    const left = current === name ? ', which was in use' : ''
    return save(context, before => without(before, name), `Removed profile ${name}${left}`)
  },
})

function without(before: Profiles, name: string): Profiles {
  profileOf(before, name)
  const { [name]: _, ...profiles } = before.profiles
  if (before.current !== name) return { ...before, profiles }
  const { current, ...rest } = before
  return { ...rest, profiles }
}
