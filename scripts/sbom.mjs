/** A software bill of materials (CycloneDX 1.6): each bundled package with its version, licence and npm's hash. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `packages` as `packagesIn` gives them; `more`: components that are in no lock file. No date, so that it is reproducible. */
export function sbom(packages, root, more = []) {
  const read = name => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const { name, version, license } = read('package.json')
  const lock = read('package-lock.json').packages
  const listed = packages.map(one => component({ ...one, integrity: lock[one.folder].integrity }))
  const components = [...listed, ...more.map(component)]
  const self = { ...component({ name, version, license }), type: 'application' }
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

/** `integrity`: `sha512-` and base64, as npm's lock file has it. */
function component({ name, version, license, integrity }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }],
    ...(integrity && { hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }] }),
  }
}

function hexOf(integrity) {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
}
