/** What the service does not find is not tried again: what came before, or was lost, changes nothing of it. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { json, notFound } from '../server.ts'
import { accepting, startService } from '../service.ts'

/** Person 1 goes between a read and a PATCH that gets no answer of the service; the others are there. */
function start() {
  let isGone = false
  return startService((asked, response) => {
    if (!asked.path.endsWith('/persons/1/')) return accepting(asked, response)
    if (isGone) return notFound(response)
    if (asked.method === 'GET') return accepting(asked, response)
    isGone = true
    json(response, { detail: 'A server error occurred.' }, 502)
  })
}

test.each([
  ['in the same run', ''],
  ['in a resume', '--retries 0'],
])('an update that finds nobody after a lost answer is over, %s', async (_, options) => {
  const { sent, world, run } = await start()
  const update = `persons update 1 2 --set plan=pro --yes --concurrency 1 --backup before.ndjson ${options}`.trim()
  expect((await run(update)).code).toBe(8)
  const [job] = JSON.parse((await run('jobs list -o json')).stdout) as { id: string }[]
  if (options !== '') expect((await run('jobs resume --last')).code).toBe(8)
  // A resume reads the person for the backup first, and sends nothing where nobody is found.
  const requests = options === '' ? 3 : 2
  expect(sent()).toHaveLength(requests)
  const again = await run('jobs resume --last')
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to do')])
  const [unsent, journal] = ['unsent.json', 'journal'].map(name => `${world.folder}/state/jobs/${job?.id}/${name}`)
  expect([unsent, journal].map(path => existsSync(path ?? ''))).toEqual([false, true])
  expect(sent()).toHaveLength(requests)
  // It may have been changed before it was gone.
  const undone = await run(`jobs undo ${job?.id} --backup before.ndjson --yes -o ndjson`)
  const outcomes = undone.stdout.trimEnd().split('\n')
  expect(outcomes.map(line => JSON.parse(line))).toMatchObject([
    { id: '2', status: 'updated' },
    { id: '1', status: 'failed', error: { name: 'not-found' } },
  ])
  expect(readFileSync(`${world.folder}/before.ndjson`, 'utf8').split('\n')).toHaveLength(3)
})

test.each([
  ['is not found', 404, 'Not found.', false],
  ['is refused', 400, 'Locked.', true],
])('where one %s, the error tells whether anything is left to try', async (_, status, detail, retryable) => {
  const { run } = await startService((asked, response) =>
    asked.path.endsWith('/persons/2/') ? json(response, { detail }, status) : accepting(asked, response),
  )
  const { code, stderr } = await run('persons update 1 2 3 --set plan=pro --yes -o json')
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
  expect([code, error.retryable]).toEqual([8, retryable])
})
