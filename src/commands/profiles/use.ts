import { argument, defineCommand } from '../../cli/command.ts'
import { profileOf } from '../../config/store.ts'
import { save } from './save.ts'

export default defineCommand({
  summary: 'Select the profile to use',
  args: { name: argument('NAME', 'name of the profile') },
  examples: ['profiles use prod'],
  run: ({ name }, _, context) =>
    save(
      context,
      before => {
        profileOf(before, name)
        return { ...before, current: name }
      },
      `Using profile ${name}`,
    ),
})
