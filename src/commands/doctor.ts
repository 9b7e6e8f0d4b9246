import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { projects } from '../api/endpoints.ts'
import { defineCommand } from '../cli/command.ts'
import { type Config, configOf, noProject } from '../config/current.ts'
import { configFolder } from '../config/folders.ts'
import { keySetting } from '../config/key.ts'
import { type Setting, type SettingName, settings } from '../config/settings.ts'
import { configFile, readProfiles } from '../config/store.ts'
import type { Context } from '../context.ts'
import { exitsOfCalls, Failure, UsageError } from '../errors.ts'
import { textAt } from '../json/exact.ts'
import { listDocument } from '../output/document.ts'
import { rowView } from '../output/views.ts'
import { read } from '../result.ts'
import { countOf } from '../text/grouped.ts'

export default defineCommand({
  summary: 'Check this machine, the service, the key and the project',
  details:
    'Nothing is changed: at most one request is sent, and it reads. The first check that fails is the last one, and gives the exit code: 2 for files and settings, 3 for the project, 4 for the key, and 5, 6 or 7 for what the service answers, or that it does not.',
  calls: [],
  exits: exitsOfCalls,
  args: {},
  options: {},
  examples: ['--sandbox doctor # Check this machine alone', 'doctor --profile prod # Check another profile'],
  async run(_, __, context) {
    const rows: { check: string; status: string; what: string }[] = []
    let failure: Failure | undefined
    const add = (check: string, what: string, status = 'ok') =>
      rows.push({ check, status, what: context.secrets.hide(what) })
    try {
      await examine(context, add)
    } catch (error) {
      if (!(error instanceof Failure) || context.host.interrupted.aborted) throw error
      failure = error
      add('failed', error.message, 'fail')
    }
    return read({ document: listDocument(rows, rowView(['check', 'status', 'what'], 'check')) }, () => {
      if (failure) throw failure
      context.messages.notice('OK')
    })
  },
})

/** From this machine to the service, in the order in which commands need them. Throws a `Failure` at the first that fails. */
async function examine(context: Context, add: (check: string, what: string) => void): Promise<void> {
  const { host, secrets } = context
  add('program', `analytics ${host.version}, Node.js ${host.node}, ${host.platform}`)
  add('state folder', writable(context.stateFolder()))
  if (!context.values.sandbox) {
    const file = configFile(configFolder(host))
    const count = Object.keys(readProfiles(configFolder(host)).profiles).length
    add('profiles', existsSync(file) ? `${file} holds ${countOf(count, 'profile', 'profiles')}` : `no ${file} yet`)
  }
  const config = configOf(context.config.typed, host, true)
  secrets.add(config.values.apiKey)
  // Somebody waits to hear what is wrong now.
  const { client, project, serverName, holdsKey } = await context.connectAs({
    ...config,
    values: { ...config.values, retries: 0 },
  })
  add('service', config.values.sandbox ? serverName : `${client.base.href} (${sourceOf('baseUrl', config)})`)
  // Read first, so that an invalid key is not reported as a fault of the service.
  await holdsKey('')
  const key = keySetting(config)
  if (key !== undefined) add('key', `from ${sourceOf(key, config)}`)
  const start = host.clock.elapsed()
  if (config.values.project === undefined && !config.values.sandbox) {
    await client.answer(client.request(projects.list, { path: {}, query: { limit: 1 } }))
    return add('project', `${noProject.message}. ${noProject.hint}`)
  }
  const id = project()
  const { value } = await client.record(projects.get, { path: { id } })
  const ms = Math.round(host.clock.elapsed() - start)
  add('project', `${id} (${sourceOf('project', config) || 'the first'}): ${textAt(value, 'name') ?? ''}, ${ms} ms`)
}

function writable(folder: string): string {
  let there = folder
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
    return folder
  } catch {
    throw new UsageError(`${folder} cannot be written`, {
      hint: `Check the owner and mode of ${there}, or name another folder in ANALYTICS_STATE_DIR`,
    })
  }
}

function sourceOf(name: SettingName, { origins, profile }: Config): string {
  const { option = '', variable = '' }: Setting = settings[name]
  return { option, environment: variable, profile: `profile ${profile?.name}`, default: '' }[origins[name] ?? 'default']
}
