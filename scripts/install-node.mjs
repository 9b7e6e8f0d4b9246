import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Installs a version of Node into a folder of its own, and returns the folder of its program. */
export function installNode(version, folder) {
  const home = join(folder, `node-${version}`)
  const options = ['--silent', '--no-audit', '--no-fund', '--prefix', home]
  execFileSync('npm', ['install', ...options, `node@${version}`], { stdio: 'inherit' })
  return join(home, 'node_modules/node/bin')
}
