import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { profileOf } from '../../config/store.ts'
import { save } from './edit.ts'

export default defineCommand({
  summary: 'Use a profile from now on',
  args: { name: argument('NAME', 'the profile to use from now on') },
  options: {},
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
