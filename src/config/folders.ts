import { isAbsolute, join } from 'node:path'
import { UsageError } from '../errors.ts'
import { absolutePath, type Host } from '../host.ts'

export function stateFolder(host: Pick<Host, 'env' | 'home' | 'cwd'>): string {
  return folder(host, 'ANALYTICS_STATE_DIR', 'XDG_STATE_HOME', '.local/state')
}

export function configFolder(host: Pick<Host, 'env' | 'home' | 'cwd'>): string {
  return folder(host, 'ANALYTICS_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config')
}

function folder(
  { env, home, cwd }: Pick<Host, 'env' | 'home' | 'cwd'>,
  own: string,
  base: string,
  usual: string,
): string {
  const named = env[own]
  if (named) return absolutePath({ cwd }, named)
  const parent = env[base]
  // The XDG specification says that relative paths are ignored.
  if (parent && isAbsolute(parent)) return join(parent, 'analytics')
  if (!home) throw new UsageError(`No home folder was found`, { hint: `Set HOME, or ${own}` })
  return join(home, usual, 'analytics')
}
