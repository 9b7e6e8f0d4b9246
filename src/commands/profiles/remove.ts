import { argument, defineCommand } from '../../cli/command.ts'
import { profileOf, readProfiles } from '../../config/store.ts'
import { save } from './save.ts'

export default defineCommand({
  summary: 'Remove a profile and its key',
  details: 'Does not prompt. If the profile was in use, select another one with analytics profiles use.',
  args: { name: argument('NAME', 'name of the profile') },
  examples: ['profiles remove staging'],
  async run({ name }, _, context) {
    const inUse = readProfiles(context.host).current === name ? ', which was in use' : ''
    return save(
      context,
      before => {
        profileOf(before, name)
        const { [name]: _, ...profiles } = before.profiles
        return { current: before.current === name ? undefined : before.current, profiles }
      },
      `Removed profile ${name}${inUse}`,
    )
  },
})
