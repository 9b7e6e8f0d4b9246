/** The single executable for Linux: Node with the program and its compiled code inside. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { inject } from 'postject'
import { root } from './project.mjs'

const nodeVersion = '24.21.0'

/**
 * By the name that Node has for the machine: Node's package on npm, held to its hash, and how x64 runs and strips
 * programs of it. Debian has what arm64 needs in qemu-user, libstdc++6-arm64-cross and binutils-aarch64-linux-gnu.
 */
export const machines = {
  x64: {
    debian: 'amd64',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    run: [],
    strip: 'strip',
  },
  arm64: {
    debian: 'arm64',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    run: ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu'],
    strip: 'aarch64-linux-gnu-strip',
  },
}

/** Installs Node for `arch` from npm into `prefix`. */
export function installNode(arch, prefix) {
  const name = `node-linux-${arch}`
  // The engine for another machine is wanted here.
  const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--force', '--os=linux', `--cpu=${arch}`]
  mkdirSync(prefix, { recursive: true })
  execFileSync('npm', ['install', ...options, '--prefix', prefix, `${name}@${nodeVersion}`], { stdio: 'inherit' })
  const { packages } = JSON.parse(readFileSync(join(prefix, 'node_modules/.package-lock.json'), 'utf8'))
  const folder = `node_modules/${name}`
  const { integrity } = packages[folder]
  if (integrity !== machines[arch].integrity) throw new Error('npm has another Node than this release is made of')
  return { name, version: nodeVersion, integrity, folder: join(prefix, folder) }
}

/** Writes `file`. `node`: the folder of its package; `work`: an empty folder. */
export async function writeExecutable({ arch, work, node, file }) {
  const { run, strip } = machines[arch]
  const binary = join(node, 'bin/node')
  const runNode = (...args) =>
    execFileSync(run[0] ?? binary, [...run.slice(1), ...(run.length > 0 ? [binary] : []), ...args], {
      cwd: work,
      env: { PATH: process.env.PATH, HOME: work },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const main = join(work, 'main.js')
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/release/main.cjs'],
    outfile: main,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    logLevel: 'error',
  })
  const dist = join(root, 'dist')
  const assets = { 'prepared.json': join(dist, 'prepared.json') }
  for (const name of namesIn(dist)) if (/\.(js|wasm)$/.test(name)) assets[name] = join(dist, name)
  const scripts = Object.keys(assets).filter(name => name.endsWith('.js'))
  compileAll(runNode, work, assets, scripts)
  for (const name of scripts) assets[`cache/${name}`] = join(work, 'cache', name)

  const blob = join(work, 'blob')
  // A path that is the same in each release: it stands in the executable.
  const config = { main: basename(main), output: blob, assets, disableExperimentalSEAWarning: true }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  runNode('--no-warnings', '--experimental-sea-config', 'sea.json')

  copyFileSync(binary, file)
  chmodSync(file, 0o755)
  // Before the blob goes in: stripped afterwards, it crashes.
  execFileSync(strip, [file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  await inject(file, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse })
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
function compileAll(runNode, work, assets, scripts) {
  const files = scripts.map(name => ({ name, source: assets[name], target: join(work, 'cache', name) }))
  for (const { target } of files) mkdirSync(dirname(target), { recursive: true })
  const list = join(work, 'files.json')
  writeFileSync(list, JSON.stringify(files))
  const compiler = join(import.meta.dirname, 'compile.cjs')
  runNode(...reproducible, '--no-warnings', compiler, 'compile', list)
  runNode(compiler, 'mark', list)
}
