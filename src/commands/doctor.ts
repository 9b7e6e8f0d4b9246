import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { projects } from '../api/endpoints.ts'
import { defineCommand } from '../cli/command.ts'
import { type Config, configOf, noProject } from '../config/current.ts'
import { type Setting, type SettingName, settings } from '../config/settings.ts'
import { configFile, readProfiles } from '../config/store.ts'
import type { Connection, Context } from '../context.ts'
import { AuthError, Failure, isForbidden } from '../errors.ts'
import { missingFolders } from '../files/regular-file.ts'
import { writing } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { textAt } from '../json/exact.ts'
import { listDocument, rowView } from '../output/views.ts'
import { countOf } from '../text/grouped.ts'

export default defineCommand({
  summary: 'Check this machine, the service, the key and the project',
  details:
    'Sends at most one request, and changes nothing. Stops at the first check that fails. The exit code says which: 2 files and settings, 3 the project, 4 the key, 5 to 7 the service.',
  examples: ['--sandbox doctor # Check this machine only', 'doctor --profile prod # Check a profile'],
  async run(_, __, context) {
    const rows: { check: string; status: string; what: string }[] = []
    let failure: Failure | undefined
    let check = ''
    const add = (status: string, what: string) => rows.push({ check, status, what: context.secrets.hide(what) })
    try {
      for await (const what of checks(context, name => (check = name))) add('ok', what)
    } catch (error) {
      if (!(error instanceof Failure) || context.host.interrupted.aborted) throw error
      failure = error
      add('fail', error.message)
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

/** In the order in which commands need them. Calls `begin` with the name of each check. */
async function* checks(context: Context, begin: (name: string) => void): AsyncGenerator<string> {
  const { host, secrets } = context
  begin('program')
  yield `analytics ${host.version}, Node.js ${host.node}, ${host.platform}`
  begin('state folder')
  yield writableFolder(context.stateFolder())
  begin('profiles')
  const file = configFile(host)
  const count = Object.keys(readProfiles(host).profiles).length
  yield existsSync(file) ? `${countOf(count, 'profile')} in ${file}` : `none (${file} does not exist)`
  begin('service')
  const config = configOf(context.config.options, host, true)
  secrets.add(config.values.apiKey)
  // Without retries, since a user waits for the result.
  const connection = await context.connectAs({ ...config, values: { ...config.values, retries: 0 } })
  yield config.values.sandbox ? 'sandbox' : `${connection.client.base.href} (${originOf('baseUrl', config)})`
  begin('key')
  // Read first, so that an invalid key is not reported as a fault of the service.
  await connection.holdsKey('')
  const project = projectIn(connection, config, host)
  await project.catch(error => error instanceof AuthError && Promise.reject(error))
  const { keySetting } = config
  yield keySetting === undefined ? 'the key of the sandbox' : `from ${originOf(keySetting, config)}`
  begin('project')
  yield await project
}

async function projectIn({ client, project }: Connection, config: Config, { clock }: Host): Promise<string> {
  const start = clock.elapsed()
  const took = () => `response in ${Math.round(clock.elapsed() - start)} ms`
  if (config.values.project === undefined && !config.values.sandbox) {
    // A key for one project may not be allowed to list projects.
    const listed = client.response(client.request(projects.list, { path: {}, query: { limit: 1 } }))
    await listed.catch(error => isForbidden(error) || Promise.reject(error))
    return `none, ${took()}. ${noProject.hint}`
  }
  const { value } = await client.record(projects.get, { path: { id: project() } })
  return `${project()} (${originOf('project', config) || 'the first'}), ${textAt(value, 'name')}, ${took()}`
}

function writableFolder(folder: string): string {
  const [missing] = missingFolders(folder)
  const existing = missing === undefined ? folder : dirname(missing)
  const hint = `Check the permissions of ${existing}, or name another folder in ANALYTICS_STATE_DIR`
  // The dot makes the path of a file invalid.
  writing(`${folder} cannot be written`, hint, () => accessSync(`${existing}/.`, constants.W_OK | constants.X_OK))
  return folder
}

function originOf(name: SettingName, { origins, profile }: Config): string {
  const { option, variable }: Setting = settings[name]
  const sources = { option, environment: variable, profile: `profile ${profile?.name}`, default: '' }
  return sources[origins[name] ?? 'default'] ?? ''
}
