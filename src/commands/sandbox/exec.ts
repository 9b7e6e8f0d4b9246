import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { defineCommand } from '../../cli/command.ts'
import { manyArguments } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import type { Values } from '../../profiles/settings.ts'

export default defineCommand({
  summary: 'Run a command or script with every analytics in it on the sandbox',
  details:
    'Options and variables that name a profile, key or base URL are ignored in it, and stderr says which. Ends with the exit code of the command.',
  calls: [],
  args: { command: manyArguments('COMMAND', 'the command and its arguments, after --') },
  options: {},
  examples: ['sandbox exec -- analytics persons list --limit 3'],
  async run({ command: [program, ...args] }, _, { host, values, stateFolder }) {
    if (program === undefined) throw new UsageError('No command was given', { hint: 'Give it after --' })
    const folder = shim([...host.program, ...passedOn(values)])
    try {
      const env = {
        ...host.env,
        PATH: [folder, host.env.PATH].filter(Boolean).join(delimiter),
        ANALYTICS_SANDBOX: '1',
        ANALYTICS_STATE_DIR: stateFolder(),
        // What the script does to its profiles it does to none of ours.
        ANALYTICS_CONFIG_DIR: join(stateFolder(), 'sandbox-config'),
      }
      return { text: '', exit: await host.processes.run(program, args, env) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

/** The options that make the sandbox what it is, for every call in the script. */
function passedOn({ dialect, faults, seed }: Values): string[] {
  return Object.entries({ dialect, faults, seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  )
}

/** A folder whose `analytics` is this very program, whatever else of that name is installed. */
function shim(program: Host['program']): string {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-exec-'))
  const file = join(folder, 'analytics')
  const quoted = program.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  writeFileSync(file, `#!/bin/sh\nexec ${quoted} "$@"\n`)
  chmodSync(file, 0o755)
  writeFileSync(`${file}.cmd`, `@${program.map(word => `"${word}"`).join(' ')} %*\r\n`)
  return folder
}
