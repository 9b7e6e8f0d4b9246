/** The size of the npm package, packed and installed. */
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { atMost } from './measure.mjs'

const root = join(import.meta.dirname, '..')

export function size() {
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [packed] = JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts'))
  const [, ...dependencies] = npm('ls', '--omit=dev', '--all', '--parseable').trim().split('\n')
  const sandbox = dependencies.reduce((sum, folder) => sum + bytesIn(folder), 0)
  return [
    atMost('the packed npm package', 420, packed.size / 1024, 'KB'),
    { name: 'the same, installed', goal: '', value: packed.unpackedSize / 1024 / 1024, unit: 'MB' },
    { name: "the sandbox's database, installed", goal: '', value: sandbox / 1024 / 1024, unit: 'MB' },
  ]
}

function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
