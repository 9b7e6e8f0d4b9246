/** Runs the suite, or the named files, on each supported Node: `npm run test:nodes -- 22 24 test/install/start.test.ts`. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const isVersion = word => /^\d[\d.]*$/.test(word)
const words = process.argv.slice(2)
const chosen = words.filter(isVersion)
const versions = chosen.length > 0 ? chosen : ['20', '22', '24', '26']
const files = words.filter(word => !isVersion(word))
const folder = mkdtempSync(join(tmpdir(), 'analytics-nodes-'))
// Some tests start Node as another user.
chmodSync(folder, 0o755)
const failed = []
try {
  for (const version of versions) {
    const PATH = [installNode(version), process.env.PATH].join(delimiter)
    const env = { ...process.env, PATH }
    process.stdout.write(`\n${execFileSync('node', ['--version'], { env, encoding: 'utf8' })}`)
    try {
      execFileSync('npx', ['vitest', 'run', ...files], { env, stdio: 'inherit' })
    } catch {
      failed.push(version)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const [result, where] = failed.length > 0 ? ['Failed', failed] : ['Passed', versions]
process.stdout.write(`\n${result} on Node ${where.join(', ')}\n`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Installs npm's package of Node for this kind of machine. Returns the folder of its program. */
function installNode(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const home = join(folder, `node-${version}`)
  const options = ['--silent', '--no-audit', '--no-fund', '--prefix', home]
  execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' })
  return join(home, 'node_modules', name, 'bin')
}
