import { isAbsolute, join } from 'node:path'
import { UsageError } from '../errors.ts'
import { files } from '../files/platform.ts'
import { absolutePath, type Host } from '../host.ts'

type FolderHost = Pick<Host, 'env' | 'home' | 'cwd'>

export function stateFolder(host: FolderHost): string {
  return folderOf(host, 'ANALYTICS_STATE_DIR', files.folders.state)
}

export function configFolder(host: FolderHost): string {
  return folderOf(host, 'ANALYTICS_CONFIG_DIR', files.folders.config)
}

function folderOf(
  { env, home, cwd }: FolderHost,
  variable: string,
  [parents, fallback]: typeof files.folders.state,
): string {
  const folder = env[variable]
  if (folder) return absolutePath({ cwd }, folder)
  // The XDG specification ignores relative paths.
  const parent = parents.map(name => env[name]).find(path => path && isAbsolute(path))
  if (parent) return join(parent, 'analytics')
  if (!home) throw new UsageError('No home folder was found', { hint: `Set HOME, or ${variable}` })
  return join(home, fallback, 'analytics')
}
