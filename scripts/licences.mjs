/** `dist/THIRD-PARTY.md`: every package that is bundled into `dist`, with its version and the text of its licence. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of the page, from what esbuild says that it read (`metafile`). Throws for a package without a licence. */
export function thirdParty(metafiles, root) {
  const folders = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs).flatMap(folderOf)))
  const packages = [...folders]
    .map(folder => packageIn(join(root, folder)))
    .sort((a, b) => (a.title < b.title ? -1 : 1))
  const sections = packages.map(({ title, licence, text }) => `## ${title}\n\n${licence}\n\n${quoted(text)}\n`)
  return `# Third-party software\n\nThe program contains code of these packages.\n\n${sections.join('\n')}`
}

/** `node_modules/@scope/name` for a file in it; none for a file of our own. */
function folderOf(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.slice(1) ?? []
}

function packageIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)(\.|$)/i.test(entry))
  if (!license || !file) throw new Error(`${name} says nothing of its licence`)
  return { title: `${name} ${version}`, licence: license, text: readFileSync(join(folder, file), 'utf8') }
}

function quoted(text) {
  return text
    .trim()
    .split(/\r?\n/)
    .map(line => `> ${line}`.trimEnd())
    .join('\n')
}
