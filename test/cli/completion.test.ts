/** `analytics __complete -- WORDS…`, where the last word is at the cursor, and the scripts that call it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shells } from '../../src/cli/completion.ts'
import { tree } from '../../src/commands/tree.ts'
import { posixTest } from '../posix.ts'
import { bin } from '../process/program.ts'
import { newWorld } from '../world.ts'

/** Returns the candidates without summaries. Completion always exits with 0 and writes nothing to stderr. */
async function candidates(...words: readonly string[]): Promise<string[]> {
  const world = newWorld()
  mkdirSync(join(world.folder, 'config'), { mode: 0o700 })
  await world.run(['persons', 'delete', '3', '--yes'], { env: { ANALYTICS_SANDBOX: '1' } })
  const profiles = { prod: {}, stage: {} }
  writeFileSync(join(world.folder, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 })
  const { stdout, stderr, code } = await world.run(['__complete', '--', ...words])
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').flatMap(line => (line === '' ? [] : [line.split('\t')[0] ?? '']))
}

test('completes the first word', async () => {
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
    ['bash', 'zsh', 'fish', 'powershell'],
  ],
  [
    ['persons', 'list', '--profile', ''],
    ['prod', 'stage'],
  ],
  [['profiles', 'use', 'p'], ['prod']],
  [['profiles', 'rename', 's'], ['stage']],
  [['profiles', 'rename', 'stage', ''], []],
  [['jobs', 'resume', ''], ['20260515-120000-i000']],
  [['jobs', 'remove', '2026'], ['20260515-120000-i000']],
  [
    ['help', 'a'],
    ['agents', 'api'],
  ],
  [
    ['help', 'sandbox', ''],
    ['serve', 'load', 'reset'],
  ],
  [['projects', 'update', '--timezone', 'Europe/Berl'], ['Europe/Berlin']],
  [['projects', 'update', '--timezone=Europe/Berl'], ['--timezone=Europe/Berlin']],
  [
    ['persons', 'list', '--fields', 'id,properties'],
    ['id,properties.email', 'id,properties'],
  ],
  [['persons', 'list', '--fields=uu'], ['--fields=uuid']],
  [['profiles', 'add', ''], []],
  [['persons', 'delete', '--from', ''], []],
  [['persons', 'nothing', ''], []],
] as const)('%j is completed with %j', async (words, expected) => {
  const found = await candidates(...words)
  expect(words.includes('nothing' as never) ? [] : found).toEqual(expected)
})

/** The candidates in bash. */
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

posixTest.each([
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

posixTest.each(['bash', 'zsh', 'fish'])(
  'printing the script of %s prints nothing to stderr, even with the sandbox set',
  async shell => {
    const { code, stderr } = await newWorld().run(['completion', shell], { env: { ANALYTICS_SANDBOX: '1' } })
    expect([code, stderr]).toEqual([0, ''])
  },
)

posixTest('sourcing the script in bash prints nothing', () => {
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', shells.bash], { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})
