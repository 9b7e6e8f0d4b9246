/**
 * `npm run release` makes `release/`: the same sources make the same bytes. Needs Linux x64, `dpkg-deb`, `strip`, `xz`,
 * and what `machines` in executable.mjs names. `node scripts/release/release.mjs FOLDER x64` makes it for one machine only.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageIn, thirdParty } from '../licences.mjs'
import { sbom } from '../sbom.mjs'
import { debianVersion, writeDeb } from './deb.mjs'
import { installNode, machines, writeExecutable } from './executable.mjs'
import { root, version } from './project.mjs'

const [folder = join(root, 'release'), ...named] = process.argv.slice(2)
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const work = mkdtempSync(join(tmpdir(), 'analytics-release-'))
try {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { bundled } = await import('../build.mjs')
  run(process.execPath, 'scripts/release/pack.mjs', folder)
  write(`analytics-${version}.cdx.json`, readFileSync(join(root, 'dist/sbom.cdx.json')))
  // The time of the last change, so that a release of the same sources has the same files.
  const time = Number(run('git', 'log', '-1', '--format=%ct'))
  for (const arch of named.length > 0 ? named : Object.keys(machines)) await releaseFor(arch, bundled, time)
  write('NOTES.md', notes())
  write('SHA256SUMS', checksums())
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function releaseFor(arch, bundled, time) {
  const own = join(work, arch)
  const node = installNode(arch, join(own, 'node'))
  const name = `analytics-${version}-linux-${arch}`
  const executable = join(folder, name)
  await writeExecutable({ arch, work: own, node: node.folder, file: executable })
  write(`${name}.cdx.json`, sbom(bundled, root, node))

  const texts = [join(root, 'LICENSE'), join(root, 'dist/THIRD-PARTY.md')].map(file => readFileSync(file, 'utf8'))
  const licences = [...texts, thirdParty([{ ...packageIn('', node.folder), name: 'node' }])].join('\n')
  const machine = machines[arch].debian
  const file = join(folder, `analytics_${debianVersion}_${machine}.deb`)
  writeDeb({ work: own, executable, machine, file, licences, time })
  run('xz', '--keep', '--threads=1', executable)
}

function write(name, content) {
  writeFileSync(join(folder, name), content)
}

/** The part of the changelog about this version. */
function notes() {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const part = changelog.split(/^(?=## )/m).find(text => text.startsWith(`## ${version}`))
  if (!part) throw new Error(`CHANGELOG.md has no part about ${version}`)
  return part.replace(/^## .*/, `## ${version}`)
}

/** As `sha256sum --check` reads them. */
function checksums() {
  const names = readdirSync(folder).sort()
  const sum = name =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return names.map(name => `${sum(name)}  ${name}\n`).join('')
}
