import { argument } from '../cli/arguments.ts'
import { defineCommand } from '../cli/command.ts'
import { shells } from '../cli/completion-scripts.ts'
import { UsageError } from '../errors.ts'
import { read } from '../result.ts'

const names = Object.keys(shells)

export default defineCommand({
  summary: `Print completion for ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
  details:
    'Its first lines say where it goes. It completes commands, options and their values, profiles, jobs and fields. It sends no request.',
  calls: [],
  args: { shell: argument('SHELL', names.join(', ')) },
  options: {},
  examples: ['completion bash # Print the script', 'completion zsh > _analytics # Write it to a file'],
  async run({ shell }) {
    const script = Object.entries(shells).find(([name]) => name === shell)?.[1]
    if (script) return read({ text: script })
    throw new UsageError(`There is no completion for ${JSON.stringify(shell)}`, {
      hint: `Give one of ${names.join(', ')}`,
    })
  },
})
