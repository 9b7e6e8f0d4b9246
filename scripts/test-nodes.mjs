/** Runs the suite on each Node that the tool supports: `npm run test:nodes`, or `npm run test:nodes -- 22 24`. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26']
const folder = mkdtempSync(join(tmpdir(), 'analytics-nodes-'))
// Some tests start Node as another user.
chmodSync(folder, 0o755)
const failed = []
try {
  for (const version of versions) {
    const PATH = [installNode(version, folder), process.env.PATH].join(delimiter)
    const env = { ...process.env, PATH }
    process.stdout.write(`\n${execFileSync('node', ['--version'], { env, encoding: 'utf8' })}`)
    try {
      execFileSync('npx', ['vitest', 'run'], { env, stdio: 'inherit' })
    } catch {
      failed.push(version)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(
  failed.length > 0 ? `\nFailed on Node ${failed.join(', ')}\n` : `\nPassed on Node ${versions.join(', ')}\n`,
)
process.exitCode = failed.length > 0 ? 1 : 0

/** Installs a version of Node into a folder of its own, and returns the folder of its program. */
function installNode(version, folder) {
  const home = join(folder, `node-${version}`)
  const options = ['--silent', '--no-audit', '--no-fund', '--prefix', home]
  execFileSync('npm', ['install', ...options, `node@${version}`], { stdio: 'inherit' })
  return join(home, 'node_modules/node/bin')
}
