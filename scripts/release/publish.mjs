/**
 * `node scripts/release/publish.mjs FOLDER` publishes a release on npm and on GitHub. What an earlier run has published
 * already is left as it is, so that the workflow can be run again after one that stopped half-way.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifest, version } from './project.mjs'

const [folder = 'release'] = process.argv.slice(2)
const files = readdirSync(folder).map(name => join(folder, name))
const tag = `v${version}`
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' })

publishPackage(files.find(name => name.endsWith('.tgz')))
if (spawnSync('gh', ['release', 'view', tag], { stdio: 'ignore' }).status !== 0) {
  run('gh', 'release', 'create', tag, '--verify-tag', '--notes-file', join(folder, 'NOTES.md'))
}
// One that stopped half-way may have only a part of them.
run('gh', 'release', 'upload', tag, '--clobber', ...files)

function publishPackage(file) {
  const name = `${manifest.name}@${version}`
  // npm fails for an unknown package, and prints nothing for an unknown version.
  const { stdout } = spawnSync('npm', ['view', name, 'dist.integrity'], { encoding: 'utf8' })
  const published = stdout.trim()
  if (published === '') return run('npm', 'publish', '--provenance', '--access', 'public', file)
  const own = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (published !== own) throw new Error(`npm has another ${name}: raise the version`)
  process.stdout.write(`npm has ${name} already\n`)
}
