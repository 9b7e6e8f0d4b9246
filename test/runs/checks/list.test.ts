/** The checks before a write: their list, and that each command meets them in that order. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checks } from '../../../src/runs/checks.ts'
import { json } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

test('the list is in the order of the contract', () => {
  expect(checks.map(({ name, stage }) => `${stage}: ${name}`)).toEqual([
    'start: usage',
    'start: project and key',
    'start: safety level',
    'start: known limits',
    'start: terminal',
    'resolved: max_deletes',
    'resolved: --max',
    'resolved: --expect',
    'confirm: preview and confirmation',
  ])
})

/** Something that is wrong with a command line, and how it is mended. */
interface Mistake {
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly mended?: readonly string[]
  readonly code: number
  readonly says: string
}

const unwritable: Mistake = { words: ['--receipt', 'gone/r.json'], code: 2, says: '--receipt' }
const noKey: Mistake = { env: { ANALYTICS_API_KEY: '' }, code: 4, says: 'No key given' }
const noProject: Mistake = { env: { ANALYTICS_PROJECT: '' }, code: 2, says: 'No project given' }
const noOrganization: Mistake = { ...noProject, says: 'No organization given' }
const readOnly: Mistake = { env: { ANALYTICS_SAFETY: 'read-only' }, code: 10, says: 'safety level read-only' }
const tooMany: Mistake = { words: ['--max', '0'], code: 10, says: 'at most 0 allowed' }
const noTerminal: Mistake = { mended: ['--yes'], code: 10, says: 'needs confirmation' }

test.each<[line: string, mistakes: readonly Mistake[]]>([
  ['persons delete 1 2', [unwritable, noKey, noProject, readOnly, tooMany, noTerminal]],
  ['persons update 1 2 --set a=b', [unwritable, noKey, noProject, readOnly, tooMany, noTerminal]],
  ['plugins delete 1', [unwritable, noKey, noOrganization, readOnly, tooMany, noTerminal]],
  ['projects delete 1', [unwritable, noKey, readOnly, noTerminal]],
  [
    'projects apply -f s.yaml',
    [{ words: ['-f', 'gone.yaml'], code: 2, says: 'gone.yaml' }, noKey, noProject, readOnly, noTerminal],
  ],
  [
    'projects update --name x',
    [{ words: ['--timezone', 'Nowhere'], code: 2, says: 'Nowhere' }, noKey, noProject, readOnly],
  ],
  ['projects create --name x', [{ words: ['--timezone', 'Nowhere'], code: 2, says: 'Nowhere' }, noKey, readOnly]],
  ['plugins create --name x', [noKey, noOrganization, readOnly]],
  [
    'api DELETE /api/projects/{project}/persons/1/',
    [{ words: ['--paginate'], code: 2, says: '--paginate' }, noKey, noProject, readOnly, noTerminal],
  ],
  ['jobs undo UPDATED', [unwritable, noKey, noProject, readOnly, tooMany, noTerminal]],
  ['jobs resume STOPPED', [unwritable, noKey, noProject, readOnly]],
])('%s reports these mistakes in order, before any request', async (line, mistakes) => {
  let isDown = false
  const { world, run, env, server } = await startService((asked, response) =>
    isDown && asked.method !== 'GET' ? json(response, { detail: 'Down.' }, 503) : accepting(asked, response),
  )
  writeFileSync(join(world.folder, 's.yaml'), 'name: Another name\n')
  expect((await run('persons update 1 2 --set a=b --backup b.ndjson --yes')).code).toBe(0)
  isDown = true
  expect((await run('persons delete 1 2 --yes --retries 0')).code).toBe(8)
  isDown = false
  const jobs = JSON.parse((await run('jobs list -o json')).stdout) as { id: string; command: string }[]
  const idOf = (command: string) => jobs.find(job => job.command.startsWith(command))?.id ?? ''
  const argv = line.split(' ').map(word => {
    return word === 'UPDATED' ? idOf('persons update') : word === 'STOPPED' ? idOf('persons delete') : word
  })
  const before = server.asked.length
  for (let mended = 0; mended <= mistakes.length; mended++) {
    const [done, left] = [mistakes.slice(0, mended), mistakes.slice(mended)]
    const words = [...argv, ...done.flatMap(one => one.mended ?? []), ...left.flatMap(one => one.words ?? [])]
    const broken = Object.assign({}, ...left.map(one => one.env ?? {}))
    const { code, stderr } = await world.run(words, { env: { ...env, ...broken } })
    const [next] = left
    // Without a mistake it is sent; this service responds to a create with a person (5).
    if (!next) return expect([code, server.asked.length > before]).toEqual([expect.toBeOneOf([0, 5]), true])
    expect([words, code, stderr]).toEqual([words, next.code, expect.stringContaining(next.says)])
    expect([words, server.asked.length]).toEqual([words, before])
  }
})

test('a safety level names the profile that sets it', async () => {
  const { world, run, server } = await startService()
  const add = ['profiles', 'add', 'prod', '--base-url', server.url, '--safety', 'read-only', '--api-key-stdin']
  expect((await world.run(add, { stdin: 'key' })).code).toBe(0)
  const refused = await run('persons delete 1 --yes')
  expect([refused.code, refused.stderr]).toEqual([10, expect.stringContaining('set by profile prod')])
})

test.each([
  ['--expect 2 --max 1', '1', 'The profile p lets one command delete at most 1'],
  ['--expect 2 --max 1', '9', 'at most 1 allowed'],
  ['--expect 2 --max 9', '9', 'expected 2'],
])('with three targets, %s and max_deletes %s, the first limit is reported', async (guards, maxDeletes, says) => {
  const { world, run, server, sent } = await startService()
  const add = ['profiles', 'add', 'p', '--base-url', server.url, '--max-deletes', maxDeletes, '--api-key-stdin']
  expect((await world.run(add, { stdin: 'key' })).code).toBe(0)
  const { code, stderr } = await run(`persons delete --where id>0 --yes ${guards}`)
  expect([code, stderr, sent()]).toEqual([10, expect.stringContaining(says), []])
})
