/** What the release workflow runs, with programs named npm and gh that record their arguments. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const tag = `v${manifest.version}`
const repository = manifest.repository.replace('github:', '')

function script(name: string, words: readonly string[], env: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, [join(root, 'scripts/release', name), ...words], { env, encoding: 'utf8' })
}

test('a wrong tag, another project, a changelog without a date and the placeholder OWNER stop the release', () => {
  const { status, stderr } = script('check-tag.mjs', [], { GITHUB_REF_NAME: 'v9.9.9', GITHUB_REPOSITORY: 'other/one' })
  expect(status).toBe(1)
  expect(stderr).toContain(`The tag is v9.9.9, but the version in package.json is ${manifest.version}\n`)
  expect(stderr).toContain(`The project is other/one, but package.json says ${repository}\n`)
  const isDated = /^## [\d.]+ \(\d/m.test(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  const right = script('check-tag.mjs', [], { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository })
  const isOwned = !repository.startsWith('OWNER/')
  expect(right.status).toBe(isDated && isOwned ? 0 : 1)
  expect(right.stderr.includes('still has the placeholder OWNER')).toBe(!isOwned)
  expect(right.stderr.includes('CHANGELOG.md has no heading')).toBe(!isDated)
})

test('the placeholder OWNER is in one place', () => {
  const files = execFileSync('git', ['grep', '-lw', 'OWNER', '--', '.github', 'package.json', 'README.md'], {
    cwd: root,
  })
  expect(String(files)).toBe('package.json\n')
})

/** Runs `publish.mjs` where npm has `published`, a hash or '', and GitHub has a release or not. */
function publish(published: (own: string) => string, isReleased: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-publish-'))
  const [release, bin, log] = ['release', 'bin', 'log'].map(name => join(folder, name)) as [string, string, string]
  mkdirSync(release)
  mkdirSync(bin)
  for (const name of ['a.tgz', 'NOTES.md', 'SHA256SUMS']) writeFileSync(join(release, name), name)
  const own = `sha512-${createHash('sha512').update('a.tgz').digest('base64')}`
  const fake = (name: string, view: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> ${log}\ncase "$*" in *view*) ${view} ;; esac\n`, {
      mode: 0o755,
    })
  fake('npm', `echo ${published(own)}`)
  fake('gh', `exit ${isReleased ? 0 : 1}`)
  const { status, stderr } = script('publish.mjs', [release], { PATH: [bin, process.env.PATH].join(delimiter) })
  const asked = existsSync(log) ? readFileSync(log, 'utf8').replaceAll(`${release}/`, '').trim().split('\n') : []
  return { status, stderr, asked }
}

const view = `npm view ${manifest.name}@${manifest.version} dist.integrity`
const toNpm = 'npm publish --provenance --access public a.tgz'
const toGithub = [`gh release create ${tag} --verify-tag --notes-file NOTES.md`]
const files = `gh release upload ${tag} --clobber NOTES.md SHA256SUMS a.tgz`

test.each([
  ['that is new is published', '', false, [view, toNpm, `gh release view ${tag}`, ...toGithub, files]],
  ['that npm has is released', 'same', false, [view, `gh release view ${tag}`, ...toGithub, files]],
  ['that both have gets the files that are missing', 'same', true, [view, `gh release view ${tag}`, files]],
] as const)('a version %s', (_, published, isReleased, asked) => {
  const seen = publish(own => (published === 'same' ? own : published), isReleased)
  expect(seen).toMatchObject({ status: 0, asked })
})

test('a version that npm has with other bytes is not released', () => {
  const { status, stderr, asked } = publish(() => 'sha512-other', false)
  expect([status, asked]).toEqual([1, [view]])
  expect(stderr).toContain(`npm has another ${manifest.name}@${manifest.version}: raise the version`)
})
