import { argument, defineCommand } from '../../cli/command.ts'
import { checkNewName, profileOf } from '../../config/store.ts'
import { save } from './save.ts'

export default defineCommand({
  summary: 'Rename a profile',
  details: 'If the profile is in use, it stays in use.',
  args: { old: argument('OLD', 'its name'), name: argument('NEW', 'its new name') },
  examples: ['profiles rename prod production'],
  run({ old, name }, _, context) {
    return save(
      context,
      before => {
        const profile = profileOf(before, old)
        if (name !== old) checkNewName(before, name)
        const { [old]: _, ...others } = before.profiles
        const current = before.current === old ? name : before.current
        return { current, profiles: { ...others, [name]: profile } }
      },
      `Renamed profile ${old} to ${name}`,
    )
  },
})
