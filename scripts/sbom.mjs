/** A software bill of materials (CycloneDX 1.6): each bundled package with its version, licence and npm's hash. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `packages` as `packagesIn` gives them; `node` is in executables only. No date, so that it is reproducible. */
export function sbom(packages, root, node) {
  const read = name => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const { name, version, license } = read('package.json')
  const lock = read('package-lock.json').packages
  const listed = packages.map(one => ({ ...ofNpm('library', one), hashes: [sha512(lock[one.folder].integrity)] }))
  const components = node ? [...listed, nodeComponent(node)] : listed
  const self = ofNpm('application', { name, version, license })
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: self },
    components,
    dependencies: [{ ref: self['bom-ref'], dependsOn: components.map(one => one['bom-ref']) }],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function ofNpm(type, { name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type, 'bom-ref': purl, name, version, purl, licenses: [licenceOf(license)] }
}

/** Scanners know Node by its CPE, not by the package on npm that its program is taken from. */
function nodeComponent({ name, version, integrity }) {
  const purl = `pkg:generic/node@${version}`
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version,
    purl,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    licenses: [licenceOf(licencesOfNode)],
    externalReferences: [
      {
        type: 'distribution',
        url: `https://www.npmjs.com/package/${name}/v/${version}`,
        hashes: [sha512(integrity)],
      },
    ],
  }
}

/** Of Node itself and of what is linked into its program, as its LICENSE has them. */
const licencesOfNode = [
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'Unicode-3.0',
  'Zlib',
  'blessing',
].join(' AND ')

function licenceOf(license) {
  return / (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }
}

/** `integrity`: `sha512-` and base64, as npm's lock file has it. */
function sha512(integrity) {
  return { alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }
}
