import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { projects } from '../api/endpoints.ts'
import { defineCommand } from '../cli/command.ts'
import { type Config, configOf, noProject } from '../config/current.ts'
import { configFolder } from '../config/folders.ts'
import { keySetting } from '../config/resolve.ts'
import { type Setting, type SettingName, settings } from '../config/settings.ts'
import { configFile, readProfiles } from '../config/store.ts'
import type { Connection, Context } from '../context.ts'
import { AuthError, Failure, isForbidden } from '../errors.ts'
import { missingFolders } from '../files/private-file.ts'
import { writing } from '../files/system-error.ts'
import { textAt } from '../json/exact.ts'
import { listDocument } from '../output/document.ts'
import { rowView } from '../output/views.ts'
import { countOf } from '../text/grouped.ts'

export default defineCommand({
  summary: 'Check this machine, the service, the key and the project',
  details:
    'Nothing is changed: at most one request is sent, and it reads. It stops at the first check that fails, which gives the exit code: 2 for files and settings, 3 for the project, 4 for the key, and 5, 6 or 7 for what the service answers, or that it does not.',
  args: {},
  options: {},
  examples: ['--sandbox doctor # Check this machine alone', 'doctor --profile prod # Check another profile'],
  async run(_, __, context) {
    const rows: { check: string; status: string; what: string }[] = []
    let failure: Failure | undefined
    for (const [check, look] of Object.entries(checksOf(context))) {
      try {
        rows.push({ check, status: 'ok', what: context.secrets.hide(await look()) })
      } catch (error) {
        if (!(error instanceof Failure) || context.host.interrupted.aborted) throw error
        failure = error
        rows.push({ check, status: 'fail', what: context.secrets.hide(error.message) })
        break
      }
    }
    return {
      data: listDocument(rows, rowView(['check', 'status', 'what'], 'check')),
      end() {
        if (failure) throw failure
        context.messages.notice('OK')
      },
    }
  },
})

/** From this machine to the service, in the order in which commands need them. Each throws a `Failure` if they cannot work. */
function checksOf(context: Context): Readonly<Record<string, () => string | Promise<string>>> {
  const { host, secrets } = context
  let opened: Promise<{ readonly config: Config; readonly connection: Connection }> | undefined
  const connect = async () => {
    const config = configOf(context.config.typed, host, true)
    secrets.add(config.values.apiKey)
    // Somebody waits to hear what is wrong now.
    const impatient = { ...config, values: { ...config.values, retries: 0 } }
    return { config, connection: await context.connectAs(impatient) }
  }
  const service = () => (opened ??= connect())
  const look = async () => {
    const { config, connection } = await service()
    const { client, project } = connection
    const start = host.clock.elapsed()
    const took = () => `answered in ${Math.round(host.clock.elapsed() - start)} ms`
    if (config.values.project === undefined && !config.values.sandbox) {
      // A key of one project may not list them.
      const listed = client.answer(client.request(projects.list, { path: {}, query: { limit: 1 } }))
      await listed.catch(error => isForbidden(error) || Promise.reject(error))
      return `none, ${took()}. ${noProject.hint}`
    }
    const { value } = await client.record(projects.get, { path: { id: project() } })
    return `${project()} (${sourceOf('project', config) || 'the first'}), ${textAt(value, 'name')}, ${took()}`
  }
  let looked: Promise<string> | undefined
  const project = () => (looked ??= look())
  return {
    program: () => `analytics ${host.version}, Node.js ${host.node}, ${host.platform}`,
    'state folder': () => writable(context.stateFolder()),
    profiles() {
      const file = configFile(configFolder(host))
      const count = Object.keys(readProfiles(configFolder(host)).profiles).length
      return existsSync(file) ? `${countOf(count, 'profile', 'profiles')} in ${file}` : `none, there is no ${file}`
    },
    async service() {
      const { config, connection } = await service()
      return config.values.sandbox ? 'sandbox' : `${connection.client.base.href} (${sourceOf('baseUrl', config)})`
    },
    async key() {
      const { config, connection } = await service()
      // Read first, so that an invalid key is not reported as a fault of the service.
      await connection.holdsKey('')
      await project().catch(error => error instanceof AuthError && Promise.reject(error))
      const setting = keySetting(config)
      return setting === undefined ? 'of the sandbox' : `from ${sourceOf(setting, config)}`
    },
    project,
  }
}

function writable(folder: string): string {
  const [missing] = missingFolders(folder)
  const there = missing === undefined ? folder : dirname(missing)
  const hint = `Check the owner and mode of ${there}, or name another folder in ANALYTICS_STATE_DIR`
  // With a dot at its end, the path of a file is none.
  writing(`${folder} cannot be written`, hint, () => accessSync(`${there}/.`, constants.W_OK | constants.X_OK))
  return folder
}

function sourceOf(name: SettingName, { origins, profile }: Config): string {
  const { option, variable }: Setting = settings[name]
  const sources = { option, environment: variable, profile: `profile ${profile?.name}`, default: '' }
  return sources[origins[name] ?? 'default'] ?? ''
}
