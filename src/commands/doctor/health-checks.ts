import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { projects } from '../../api/endpoints.ts'
import { type Config, noProject } from '../../config/current.ts'
import { configFolder, stateFolder } from '../../config/folders.ts'
import { keySetting } from '../../config/key.ts'
import { type Setting, type SettingName, settings as table } from '../../config/settings.ts'
import { configFile, readProfiles } from '../../config/store.ts'
import type { Connection } from '../../context.ts'
import { isForbidden, UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { textAt } from '../../json/exact.ts'
import { countOf } from '../../text/grouped.ts'
import { checkId } from '../../values/ids.ts'

/** `advice`: what to mend, though commands work. */
interface Found {
  readonly what: string
  readonly advice?: string | undefined
}

export interface OpenService {
  readonly config: Config
  readonly connection: Connection
}

/** Throws a `Failure` if commands cannot work. */
type Check = (host: Host, service: () => Promise<OpenService>) => Found | Promise<Found>

/** From this machine to the service, in the order in which commands need them. */
export const healthChecks: Readonly<Record<string, Check>> = {
  // One line that fits into a bug report.
  program: ({ version, node, platform }) => ({ what: `analytics ${version}, Node.js ${node}, ${platform}` }),
  'state folder'(host) {
    const folder = stateFolder(host)
    let there = folder
    while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
    try {
      accessSync(there, constants.W_OK | constants.X_OK)
      if (statSync(there).isDirectory()) return { what: `${folder} can be ${there === folder ? 'written' : 'created'}` }
    } catch {}
    throw new UsageError(`${folder} cannot be written`, {
      hint: `Check the owner and mode of ${there}, or name another folder in ANALYTICS_STATE_DIR`,
    })
  },
  configuration(host) {
    const folder = configFolder(host)
    const path = configFile(folder)
    const count = Object.keys(readProfiles(folder).profiles).length
    return {
      what: existsSync(path) ? `${path} holds ${countOf(count, 'profile', 'profiles')}` : `There is no ${path} yet`,
    }
  },
  async service(_, service) {
    const { config, connection } = await service()
    if (config.values.sandbox) return { what: 'The sandbox on this machine' }
    return { what: `${connection.client.base.href} (${sourceOf('baseUrl', config)})` }
  },
  async key(_, service) {
    const { config, connection } = await service()
    // Read first, so that an invalid key is not reported as a fault of the service.
    await connection.holdsKey('')
    const name = keySetting(config)
    return { what: name === undefined ? 'of the sandbox' : `from ${sourceOf(name, config)}` }
  },
  async project(_, service) {
    const { config, connection } = await service()
    const { project, sandbox } = config.values
    if (project !== undefined) {
      checkId('projects', project)
      return { what: `${project} (${sourceOf('project', config)})` }
    }
    if (sandbox) return { what: `${connection.project()} (the first of the sandbox)` }
    return { what: noProject.message, advice: noProject.hint }
  },
  async answer({ clock }, service) {
    const { config, connection } = await service()
    const start = clock.elapsed()
    const name = await nameOfProject(connection, config)
    const ms = Math.round(clock.elapsed() - start)
    return { what: `The service answered in ${ms} ms${name === undefined ? '' : `: ${name}`}` }
  },
}

function sourceOf(name: SettingName, { origins, profile }: Config): string {
  const row: Setting = table[name]
  const words = {
    option: row.option,
    environment: row.variable ?? '',
    profile: `profile ${profile?.name}`,
    default: '',
  }
  return words[origins[name] ?? 'default'] ?? ''
}

/** Without a project, any answer does: a key of one project may not list projects. */
async function nameOfProject({ client, project }: Connection, { values }: Config): Promise<string | undefined> {
  if (values.sandbox || values.project !== undefined) {
    const record = await client.record(projects.get, { path: { id: project() } })
    return textAt(record.value, 'name')
  }
  try {
    await client.answer(client.request(projects.list, { path: {}, query: { limit: 1 } }))
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
  return undefined
}
