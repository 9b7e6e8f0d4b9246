/** The packages that are bundled into `dist`, and `dist/THIRD-PARTY.md`, which passes their licences on. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages whose files esbuild read (`metafiles`), sorted by name. Throws for one without a licence. */
export function packagesIn(metafiles, root) {
  const folders = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs).flatMap(folderOf)))
  return [...folders].map(folder => packageIn(folder, root)).sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1))
}

export function packageIn(folder, root) {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const file = readdirSync(join(root, folder)).find(entry => /^(licen[cs]e|copying)([.-]|$)/i.test(entry))
  if (!license || !file) throw new Error(`${name} does not state its licence`)
  const source = repository?.url ?? repository
  return { folder, name, version, license, source, text: readFileSync(join(root, folder, file), 'utf8') }
}

export function thirdParty(packages) {
  const sections = packages.map(one => `## ${titleOf(one)}\n\n${one.license}\n\n${termsOf(one)}\n`)
  return `# Third-party software\n\nThe program contains code of these packages.\n\n${sections.join('\n')}`
}

/** The MPL wants recipients to be told where the source and its own text are. */
function termsOf({ name, version, license, source, text }) {
  if (license !== 'MPL-2.0') return quoted(text)
  return `Its terms: https://www.mozilla.org/MPL/2.0/ (on Debian, /usr/share/common-licenses/MPL-2.0).
Its source: https://www.npmjs.com/package/${name}/v/${version}, unchanged; it comes from ${source}.`
}

function titleOf({ name, version }) {
  return `${name} ${version}`
}

/** `node_modules/@scope/name` for a file in it; none for a file of our own. */
function folderOf(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.slice(1) ?? []
}

function quoted(text) {
  return text
    .trim()
    .replace(/^/gm, '> ')
    .replace(/[ \r]+$/gm, '')
}
