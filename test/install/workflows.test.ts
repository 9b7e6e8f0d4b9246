/** The workflows of `.github`: actions are pinned to a commit, few jobs may write, and the scripts exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const folder = join(root, '.github/workflows')

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly 'runs-on': string
  readonly 'timeout-minutes': number
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const jobsOf = (name: string): readonly Job[] => Object.values(parse(textOf(name)).jobs)

describe.each(readdirSync(folder))('%s', name => {
  test('only reads by default, and each job has a time limit', () => {
    expect(parse(textOf(name))).toMatchObject({ name: expect.any(String), permissions: { contents: 'read' } })
    for (const job of jobsOf(name)) {
      expect(job).toMatchObject({ 'runs-on': expect.any(String), 'timeout-minutes': expect.any(Number) })
    }
  })

  test('each action is pinned to a commit, and the checkout keeps no credentials', () => {
    for (const { uses, run, with: given } of jobsOf(name).flatMap(job => job.steps)) {
      expect([uses, run].filter(Boolean)).toHaveLength(1)
      if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40}$/)
      if (uses?.startsWith('actions/checkout@')) expect(given).toMatchObject({ 'persist-credentials': false })
    }
  })

  test('each script that it runs is in package.json', () => {
    const scripts = [...textOf(name).matchAll(/run: npm run (?:--silent )?([\w:]+)/g)].map(([, script]) => script)
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts))
  })
})

test('only the job that publishes may write, and it runs no package of npm', () => {
  const [build, publish] = jobsOf('release.yml')
  expect(build?.permissions).toBeUndefined()
  expect(publish?.permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' })
  expect(publish?.steps.flatMap(({ run }) => run ?? [])).toEqual([
    'sha256sum --check SHA256SUMS',
    'node scripts/release/publish.mjs release',
  ])
})
