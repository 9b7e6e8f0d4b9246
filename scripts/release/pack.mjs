/** `node scripts/release/pack.mjs FOLDER` writes the npm package of the built project, as it is published. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { homepage, manifest, root, version } from './project.mjs'

/** Files that differ from those of the project. */
const changed = { 'package.json': packedManifest, 'README.md': packedReadme }

const [folder = '.'] = process.argv.slice(2)
const copy = mkdtempSync(join(tmpdir(), 'analytics-package-'))
const npm = (...args) => execFileSync('npm', ['pack', '--ignore-scripts', ...args], { cwd: root, encoding: 'utf8' })
try {
  const answer = JSON.parse(npm('--dry-run', '--json', '--silent'))
  // A list from npm 10 and 11, by name from later ones.
  const [{ files }] = Array.isArray(answer) ? answer : Object.values(answer)
  for (const { path } of files) put(path)
  process.stdout.write(npm('--silent', '--pack-destination', resolve(folder), copy))
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** With modes that depend on nobody's umask. */
function put(path) {
  const [source, target] = [join(root, path), join(copy, path)]
  mkdirSync(dirname(target), { recursive: true })
  if (Object.hasOwn(changed, path)) writeFileSync(target, changed[path](readFileSync(source, 'utf8')))
  else copyFileSync(source, target)
  chmodSync(target, statSync(source).mode & 0o100 ? 0o755 : 0o644)
}

/** npm 12 refuses to run `prepare` of a package, so no script goes into it. */
function packedManifest() {
  const { scripts, devDependencies, ...kept } = manifest
  const repository = { type: 'git', url: `git+${homepage}.git` }
  return `${JSON.stringify({ ...kept, repository, bugs: `${homepage}/issues`, homepage: `${homepage}#readme` }, null, 2)}\n`
}

/** Begins with how npm installs it; its links lead to the project, since no page of docs/ is in the package. */
function packedReadme(text) {
  const first = `\`\`\`sh\nnpm install --global ${manifest.name}\nanalytics --sandbox persons list --search ada\n\`\`\``
  return text
    .replace(/```sh\nnpm ci [\s\S]*?```/, first)
    .replace(/(\]\()(?!https?:|#)/g, `$1${homepage}/blob/v${version}/`)
}
