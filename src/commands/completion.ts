import { argument } from '../cli/arguments.ts'
import { defineCommand } from '../cli/command.ts'
import { shells } from '../cli/completion.ts'

export default defineCommand({
  summary: 'Print the completion script of bash, zsh or fish',
  details: 'Its first lines say where it goes.',
  args: { shell: { ...argument('SHELL', 'the shell'), choices: Object.keys(shells) } },
  options: {},
  examples: ['completion bash # Print the script', 'completion zsh > _analytics # Keep it in a file'],
  async run({ shell }) {
    return { data: { text: Object.entries(shells).find(([name]) => name === shell)?.[1] ?? '' } }
  },
})
