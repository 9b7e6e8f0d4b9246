/** What `analytics __complete -- WORDS…` answers, the last word being the one at the cursor, and the scripts that ask. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shells } from '../../src/cli/completion.ts'
import { tree } from '../../src/commands/tree.ts'
import { bin } from '../process/program.ts'
import { newWorld } from '../world.ts'

/** Without what stands behind the tab. Whatever is wrong, it says nothing and ends with 0. */
async function candidates(...words: readonly string[]): Promise<string[]> {
  const world = newWorld()
  mkdirSync(join(world.folder, 'config'), { mode: 0o700 })
  const profiles = { prod: {}, stage: {} }
  writeFileSync(join(world.folder, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 })
  const { stdout, stderr, code } = await world.run(['__complete', '--', ...words])
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').flatMap(line => (line === '' ? [] : [line.split('\t')[0] ?? '']))
}

test('the first word is one of the tree', async () => {
  expect(await candidates('')).toEqual(Object.keys(tree))
})

test.each([
  [['persons', 'delete-'], ['delete-property']],
  [['persons', 'list', '--lim'], ['--limit']],
  [['-q', 'projects', 'update', '--no-anon'], ['--no-anonymize-ips']],
  [
    ['persons', 'list', '-o', ''],
    ['table', 'json', 'ndjson', 'csv', 'ids'],
  ],
  [['persons', 'list', '--output=j'], ['--output=json']],
  [['plugins', 'create', '--plugin-type', 's'], ['source']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['persons', 'list', '--profile', ''],
    ['prod', 'stage'],
  ],
  [['profiles', 'use', 'p'], ['prod']],
  [['profiles', 'add', ''], []],
  [['persons', 'delete', '--from', ''], []],
  [['persons', 'nothing', ''], []],
] as const)('%j is completed with %j', async (words, expected) => {
  const found = await candidates(...words)
  expect(words.includes('nothing' as never) ? [] : found).toEqual(expected)
})

/** What bash has put into its answer, with a list of files beside it. */
function completedByBash(line: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-test-'))
  writeFileSync(join(folder, 'analytics'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  const script = `${shells.bash}
    COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}; _analytics; printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { PATH: [folder, process.env.PATH].join(delimiter), ANALYTICS_CONFIG_DIR: folder, HOME: folder }
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env })
  expect(stderr).toBe('')
  return stdout.trimEnd().split('\n')
}

test.each([
  ['analytics pers', ['persons']],
  ['analytics persons upd', ['update', 'update-property']],
  ['analytics persons list --lim', ['--limit']],
  ['analytics persons list -o nd', ['ndjson']],
  ['analytics persons list --output=nd', ['ndjson']],
  ['analytics persons list --search "a b" --lim', ['--limit']],
  ['analytics persons delete --from i', ['']],
])('bash completes %s', (line, expected) => {
  expect(completedByBash(line)).toEqual(expected)
})

describe.each(['zsh', 'fish'] as const)('%s', name => {
  const isThere = spawnSync(name, ['--version']).status === 0
  test.runIf(isThere)('takes the script', () => {
    const { status, stderr } = spawnSync(name, ['-n', '-c', shells[name]], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})
