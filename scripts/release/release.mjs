// `npm run release` makes `release/`: the same sources make the same bytes. Needs Linux x64, `dpkg-deb`, `strip`, `xz`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageIn, packagesIn, thirdParty } from '../licences.mjs'
import { sbom } from '../sbom.mjs'
import { writeDeb } from './deb.mjs'
import { installNode, writeExecutable } from './executable.mjs'
import { writePackage } from './npm-package.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const [folder = join(root, 'release')] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const work = mkdtempSync(join(tmpdir(), 'analytics-release-'))
try {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await release()
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function release() {
  const { bundled } = await import('../build.mjs')
  writePackage({ root, work, folder })
  write(`analytics-${version}.cdx.json`, readFileSync(join(root, 'dist/sbom.cdx.json')))

  const prefix = join(work, 'node')
  const node = installNode(prefix)
  const executable = join(folder, `analytics-${version}-linux-x64`)
  const metafile = await writeExecutable({ root, work, node: node.binary, file: executable })
  const database = packagesIn([metafile], root)
  // The package of the binary has no text of its licence; it is libsql's.
  const libsql = database.find(({ name }) => name === 'libsql')
  const native = { ...libsql, name: '@libsql/linux-x64-gnu', folder: 'node_modules/@libsql/linux-x64-gnu' }
  const runtime = { ...packageIn(node.folder, prefix), integrity: node.integrity }
  const inside = [...database, native]
  write(`analytics-${version}-linux-x64.cdx.json`, sbom([...bundled, ...inside], root, [runtime]))

  const licences = [
    readFileSync(join(root, 'LICENSE'), 'utf8'),
    readFileSync(join(root, 'dist/THIRD-PARTY.md'), 'utf8'),
    thirdParty([...inside, runtime]),
  ].join('\n')
  // The time of the last change, so that a release of the same sources has the same files.
  const time = Number(run('git', 'log', '-1', '--format=%ct'))
  writeDeb({ root, work, executable, file: join(folder, `analytics_${version}_amd64.deb`), version, licences, time })

  run('xz', '--keep', '--threads=1', executable)
  write('NOTES.md', notes())
  write('SHA256SUMS', checksums())
}

function write(name, content) {
  writeFileSync(join(folder, name), content)
}

/** The part of the changelog about this version. */
function notes() {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const part = changelog.split(/^(?=## )/m).find(text => text.startsWith(`## ${version}`))
  if (!part) throw new Error(`CHANGELOG.md has no part about ${version}`)
  return part
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
