/** The single executable for Linux: Node, stripped, with the program inside. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { inject } from 'postject'
import { manifest, root } from './project.mjs'

/** Node's package on npm for this kind of machine, held to its hash. */
const name = `node-linux-${process.arch}`
const version = '24.21.0'
const integrities = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
}

/** Writes `file`, and returns the folder of Node's package. `work`: an empty folder. */
export async function writeExecutable(file, work) {
  const node = installNode(join(work, 'node'))
  const binary = join(node, 'bin/node')
  const run = (...args) =>
    execFileSync(binary, args, {
      cwd: work,
      env: { PATH: process.env.PATH, HOME: work },
      stdio: ['ignore', 'ignore', 2],
    })
  const main = join(work, 'main.js')
  // An executable holds one script.
  await build({
    entryPoints: [join(root, 'dist/analytics.js')],
    outfile: main,
    bundle: true,
    platform: 'node',
    minify: true,
    external: Object.keys(manifest.optionalDependencies),
    // There, `argv[1]` repeats the name of the executable. The program expects a script in that place.
    banner: { js: "process.argv[1] = ''" },
  })
  const config = { main, output: 'blob', useCodeCache: true, disableExperimentalSEAWarning: true }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  run('--no-warnings', '--experimental-sea-config', 'sea.json')

  copyFileSync(binary, file)
  chmodSync(file, 0o755)
  // Before the blob goes in: stripped afterwards, it crashes.
  execFileSync('strip', [file])
  const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
  await inject(file, 'NODE_SEA_BLOB', readFileSync(join(work, 'blob')), { sentinelFuse })
  return node
}

function installNode(prefix) {
  const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', prefix]
  mkdirSync(prefix)
  execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' })
  const { packages } = JSON.parse(readFileSync(join(prefix, 'node_modules/.package-lock.json'), 'utf8'))
  if (packages[`node_modules/${name}`].integrity !== integrities[process.arch]) {
    throw new Error('npm has another Node than this release is made of')
  }
  return join(prefix, 'node_modules', name)
}
