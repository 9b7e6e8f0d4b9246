/** `npm run release` makes `release/`: the npm package, the executable, checksums, notes. Needs Linux, `npm`, `strip`, `xz`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageIn, thirdParty } from '../licences.mjs'
import { writeExecutable } from './executable.mjs'
import { root, version } from './project.mjs'

const missing = ['npm', 'strip', 'xz'].filter(tool => spawnSync(tool, ['--version']).error)
if (process.platform !== 'linux' || missing.length > 0) {
  process.stderr.write(
    `A release is made on Linux, with npm, strip and xz; missing: ${missing.join(', ') || 'Linux'}\n`,
  )
  process.exit(2)
}
const [folder = join(root, 'release')] = process.argv.slice(2)
const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
const work = mkdtempSync(join(tmpdir(), 'analytics-release-'))
try {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { bundled } = await import('../build.mjs')
  execFileSync(process.execPath, [join(root, 'scripts/release/pack.mjs'), folder])
  const executable = join(folder, `analytics-${version}-linux-${process.arch}`)
  const node = await writeExecutable(executable, work)
  execFileSync('xz', ['--keep', executable])
  const texts = [readFileSync(join(root, 'LICENSE'), 'utf8'), thirdParty([...bundled, packageIn('', node)])]
  write('LICENCES.md', texts.join('\n'))
  write('NOTES.md', notes)
  const sums = readdirSync(folder).map(name => {
    const sum = createHash('sha256').update(readFileSync(join(folder, name)))
    return `${sum.digest('hex')}  ${name}\n`
  })
  // As `sha256sum --check` reads them.
  write('SHA256SUMS', sums.join(''))
} finally {
  rmSync(work, { recursive: true, force: true })
}

function write(name, content) {
  writeFileSync(join(folder, name), content)
}

/** The part of the changelog about this version. */
function notesOf(changelog) {
  const part = changelog.split(/^(?=## )/m).find(text => text.startsWith(`## ${version}`))
  if (!part) throw new Error(`CHANGELOG.md has no part about ${version}`)
  return part.replace(/^## .*/, `## ${version}`)
}
