import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { manyArguments } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { identityVariables } from '../../config/current.ts'
import { writeSandboxVariable } from '../../config/sandbox-variable.ts'
import { openServedSandbox } from '../../connection/open-sandbox.ts'
import { exits, UsageError } from '../../errors.ts'
import { cannotKeep, makeTemporaryFolder } from '../../files/make-folder.ts'
import type { Host } from '../../host.ts'
import { type Greeting, greeting, serve } from '../../sandbox/server.ts'
import { refuseUnreached, runSettings } from './refuse-unreached.ts'

export default defineCommand({
  summary: 'Run a command or script, in which every analytics command uses the sandbox',
  details:
    'For the rest of the script the sandbox is served on this machine, and ANALYTICS_BASE_URL, ANALYTICS_API_KEY, ANALYTICS_PROJECT and ANALYTICS_ORGANIZATION name it: a curl that uses them reaches the sandbox. ANALYTICS_SANDBOX passes --dialect, --faults and --seed on. Variables that name a profile or a file with a key are unset, and so is each other variable that holds your key or the name of its file; stderr names them. Ends with the exit code of the command.',
  calls: [],
  exits: exits.map(({ code }) => code),
  args: { command: manyArguments('COMMAND', 'the command and its arguments, after --') },
  options: {},
  examples: ['sandbox exec -- analytics persons list --limit 3 # The command comes after --'],
  async run({ command: [program, ...args] }, _, context) {
    if (!program) throw new UsageError('No command given', { hint: 'Give it after --' })
    refuseUnreached(context, runSettings)
    const { host, messages, stateFolder, values } = context
    const ignored = leadingToService(host.env)
    const safe = Object.fromEntries(Object.entries(host.env).filter(([name]) => !ignored.includes(name)))
    if (ignored.length > 0) messages.say(`sandbox: ${ignored.join(', ')} ignored`)
    const sandbox = await openServedSandbox(context)
    const server = await serve(sandbox, { port: 0, host: '127.0.0.1' })
    const served = greeting(sandbox, server)
    let folder: string | undefined
    try {
      folder = makeTemporaryFolder(shims)
      const variables = {
        ANALYTICS_STATE_DIR: stateFolder(),
        ANALYTICS_CONFIG_DIR: join(stateFolder(), 'sandbox-config'),
        ...(served.project === null ? {} : { ANALYTICS_PROJECT: served.project }),
        ANALYTICS_ORGANIZATION: sandbox.organization,
      }
      const rehearsal = writeSandboxVariable(values)
      writeShims(folder, host.program, served, variables, rehearsal)
      const env = {
        ...safe,
        // If the sandbox has no project, each command finds the one that the script creates.
        ANALYTICS_PROJECT: undefined,
        ...aroundProxies(safe),
        PATH: [folder, safe.PATH].filter(Boolean).join(delimiter),
        ANALYTICS_SANDBOX: rehearsal,
        ANALYTICS_BASE_URL: served.base_url,
        ANALYTICS_API_KEY: served.api_key,
        ...variables,
      }
      return { kind: 'exit', exit: await host.processes.run(program, args, env) }
    } finally {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      await server.close()
      sandbox.close()
    }
  },
})

function leadingToService(env: Host['env']): string[] {
  const keys = [env.ANALYTICS_API_KEY, env.ANALYTICS_API_KEY_FILE]
    .map(text => text?.trim() ?? '')
    // Shorter texts may occur in other values by chance.
    .filter(text => text.length > 5)
  return Object.entries(env).flatMap(([name, value = '']) => {
    const leads = identityVariables.includes(name.toUpperCase()) || keys.some(key => value.includes(key))
    return value !== '' && leads ? [name] : []
  })
}

/** A proxy cannot reach this machine's loopback address. */
function aroundProxies(env: Host['env']): Record<string, string> {
  const own = [env.NO_PROXY || env.no_proxy, '127.0.0.1'].filter(Boolean).join()
  return { NO_PROXY: own, no_proxy: own }
}

const shims = 'The script that stands for analytics'

/** Writes an `analytics` that uses the sandbox even if a script empties its environment. */
function writeShims(
  folder: string,
  program: Host['program'],
  { base_url: baseUrl }: Greeting,
  variables: Readonly<Record<string, string>>,
  rehearsal: string,
): void {
  const file = join(folder, 'analytics')
  const shell = [
    '#!/bin/sh',
    `[ "$ANALYTICS_BASE_URL" = ${baseUrl} ] && unset ANALYTICS_BASE_URL ANALYTICS_API_KEY`,
    ...Object.entries(variables).map(([name, value]) => `[ -n "$${name}" ] || ${name}=${quoteForShell(value)}`),
    `export ANALYTICS_SANDBOX=${quoteForShell(rehearsal)} ${Object.keys(variables).join(' ')}`,
    `exec ${program.map(quoteForShell).join(' ')} "$@"`,
  ]
  const unset = ['ANALYTICS_API_KEY', 'ANALYTICS_BASE_URL'].map(
    name => `@if "%ANALYTICS_BASE_URL%"=="${baseUrl}" set ${name}=`,
  )
  const cmd = [
    '@setlocal',
    ...unset,
    `@set ANALYTICS_SANDBOX=${rehearsal.replaceAll('%', '%%')}`,
    ...Object.entries(variables).map(
      ([name, value]) => `@if not defined ${name} set "${name}=${value.replaceAll('%', '%%')}"`,
    ),
    `@${program.map(word => `"${word.replaceAll('%', '%%')}"`).join(' ')} %*`,
  ]
  try {
    writeFileSync(file, `${shell.join('\n')}\n`)
    chmodSync(file, 0o755)
    writeFileSync(`${file}.cmd`, `${cmd.join('\r\n')}\r\n`)
  } catch (cause) {
    throw cannotKeep(shims, cause)
  }
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
