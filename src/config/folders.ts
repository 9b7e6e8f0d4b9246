import { isAbsolute, join } from 'node:path'
import { UsageError } from '../errors.ts'
import { files } from '../files/platform.ts'
import { absolutePath, type Host } from '../host.ts'

type FolderHost = Pick<Host, 'env' | 'home' | 'cwd'>

export function stateFolder(host: FolderHost): string {
  return folder(host, 'ANALYTICS_STATE_DIR', files.folders.state)
}

export function configFolder(host: FolderHost): string {
  return folder(host, 'ANALYTICS_CONFIG_DIR', files.folders.config)
}

function folder(
  { env, home, cwd }: FolderHost,
  variable: string,
  [parents, fallback]: typeof files.folders.state,
): string {
  const named = env[variable]
  if (named) return absolutePath({ cwd }, named)
  // The XDG specification ignores relative paths.
  const parent = parents.map(name => env[name]).find(path => path && isAbsolute(path))
  if (parent) return join(parent, 'analytics')
  if (!home) throw new UsageError('No home folder was found', { hint: `Set HOME, or ${variable}` })
  return join(home, fallback, 'analytics')
}
