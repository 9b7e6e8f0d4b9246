import { argument, defineCommand } from '../cli/command.ts'
import { shells } from '../cli/completion.ts'

export default defineCommand({
  summary: 'Print the completion script of bash, zsh, fish or PowerShell',
  details: 'The first lines of the script say how to install it.',
  args: { shell: { ...argument('SHELL', 'the shell'), choices: Object.keys(shells) } },
  examples: ['completion bash # Print the script for bash', 'completion zsh > _analytics # Save it to a file'],
  async run({ shell }) {
    return { data: { text: Object.entries(shells).find(([name]) => name === shell)?.[1] ?? '' } }
  },
})
