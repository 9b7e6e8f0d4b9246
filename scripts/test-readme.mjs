/**
 * Types the first two lines of the README into fresh copies, as people and CI do: on each Node, as root in a folder of its
 * own and as an ordinary user, with a home and without, with certificates of one's own and without, with a umask that
 * shuts others out, and without a terminal. `npm run test:readme` tries the first line on Node 20 and 24,
 * `npm run test:readme -- tests 24 'no HOME' 'umask 077'` the second, with its tests, where all these words apply.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installNode } from './install-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lines = /```sh\n([^`]*)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))[1].split('\n')
const words = process.argv.slice(2)
const line = lines[words.includes('tests') ? 1 : 0]
const named = words.filter(word => /^\d+$/.test(word))
const wanted = words.filter(word => word !== 'tests' && !named.includes(word))
const versions = named.length > 0 ? named : ['20', '24']

/** Users with a home: npm itself needs one. */
const users = [{ who: 'this user' }]
if (process.getuid?.() === 0) {
  users[0].who = 'root'
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  const [name, , uid, gid, , home] =
    accounts.map(row => row.split(':')).find(row => row[2] >= 1000 && row[2] < 65534) ?? []
  if (name) users.push({ who: name, home, uid, gid })
}
const homes = {
  'with a home': user => user.home ?? process.env.HOME,
  'HOME empty': () => '',
  'no HOME': () => undefined,
}
const known = process.env.NODE_EXTRA_CA_CERTS
const certificates = [...new Set([known, undefined])]

// `npm run` names the files of its own user in variables.
const own = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(HOME|NODE_EXTRA_CA_CERTS|npm_.*)$/.test(name)),
)

const folder = mkdtempSync(join(tmpdir(), 'analytics-readme-'))
let tried = 0
let failed = 0
try {
  chmodSync(folder, 0o755)
  for (const version of versions) {
    const PATH = [installNode(version, folder), process.env.PATH].join(delimiter)
    for (const { user, home, extra, umask } of situations()) {
      // npm needs them for its registry in all situations.
      const variables = { HOME: homes[home](user), NODE_EXTRA_CA_CERTS: extra, npm_config_cafile: known }
      const env = { ...own, PATH, ...set(variables) }
      const situation = `Node ${version}, ${user.who}, ${home}, ${extra ? '' : 'no '}certificates, umask ${umask}`
      if (wanted.every(word => situation.includes(`, ${word}`))) report(situation, tryOut(user, umask, env))
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const verdict = failed > 0 ? `${failed} of ${tried} failed` : `All ${tried} passed`
process.stdout.write(tried === 0 ? `No situation has all of these words: ${wanted.join(', ')}\n` : `${verdict}\n`)
process.exitCode = tried === 0 || failed > 0 ? 1 : 0

function situations() {
  return users.flatMap(user =>
    Object.keys(homes).flatMap(home =>
      certificates.flatMap(extra => ['022', '077'].map(umask => ({ user, home, extra, umask }))),
    ),
  )
}

function set(variables) {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined))
}

/** In a copy that only this user may look into. */
function tryOut({ uid, gid }, umask, env) {
  const copy = mkdtempSync(join(folder, 'copy-'))
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, copy])
  if (uid) execFileSync('chown', ['-R', `${uid}:${gid}`, copy])
  const become = uid ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : []
  const command = [...become, 'sh', '-c', `umask ${umask}; ${line}`]
  const started = process.hrtime.bigint()
  const { status, stdout, stderr } = spawnSync('setsid', ['--wait', ...command], { cwd: copy, env, encoding: 'utf8' })
  rmSync(copy, { recursive: true, force: true })
  return { status, text: stdout + stderr, seconds: Number(process.hrtime.bigint() - started) / 1e9 }
}

function report(situation, { status, text, seconds }) {
  tried++
  if (status !== 0) failed++
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${seconds.toFixed(0).padStart(4)} s  ${situation}\n`)
  if (status !== 0) process.stdout.write(`${text.slice(-3000).replace(/^/gm, '    ')}\n`)
}
