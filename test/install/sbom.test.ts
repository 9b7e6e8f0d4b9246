/** What the package says of what is inside it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { components } = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8'))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
}

test('the SBOM names the packages of THIRD-PARTY.md, and no other', () => {
  const page = readFileSync(join(root, 'dist/THIRD-PARTY.md'), 'utf8')
  const listed = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(listed.length).toBeGreaterThan(20)
  expect(components.map(({ name, version }: Component) => `${name} ${version}`)).toEqual(listed)
})

test('each has the hash that npm installs it by', () => {
  const sums = new Map<string, string[]>()
  for (const [folder, { version, integrity }] of Object.entries<Record<string, string>>(lock)) {
    const name = folder.replace(/^.*node_modules\//, '')
    sums.set(`${name} ${version}`, [...(sums.get(`${name} ${version}`) ?? []), integrity ?? ''])
  }
  for (const { name, version, purl, hashes } of components as Component[]) {
    const [{ alg, content } = { alg: '', content: '' }] = hashes
    expect(alg).toBe('SHA-512')
    expect(sums.get(`${name} ${version}`)).toContain(`sha512-${Buffer.from(content, 'hex').toString('base64')}`)
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
  }
})
