/** An undo waits for what the service has accepted and may still apply; behind what has no answer it sends the old values. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { json } from '../../server.ts'
import { accepting, startService, writesOf } from '../../service.ts'
import { changeProperties, openStage, outcomeLines, undoWords } from './undoing.ts'

test.each([201, 204])('so is a deletion of a property that was answered with %i and is still to come', async status => {
  const { server, world, env } = await startService((asked, response) => {
    if (asked.method === 'GET') return accepting(asked, response)
    if (status === 201) json(response, { success: true }, status)
    else response.writeHead(status).end()
  })
  const deletion = ['persons', 'delete-property', '3', '4', '--key', 'note', '--backup', 'before.ndjson', '--yes']
  expect((await world.run(deletion, { env })).code).toBe(0)
  const job = (await world.run(['jobs', 'list', '-o', 'ids'], { env })).stdout.trim()
  const { code, stdout } = await world.run(undoWords(job, '-o', 'ndjson'), { env })
  expect([code, outcomeLines(stdout)]).toEqual([8, ['3 pending', '4 pending']])
  expect(writesOf(server.asked)).toHaveLength(2)
})

test.each([
  ['the first has landed', { first: 'at once', second: 201 }, 0],
  ['neither has landed', { first: 'later', second: 201 }, 0],
  ['the second was refused', { first: 'later', second: 400 }, 8],
  ['the second has to wait for long', { first: 'later', second: 429 }, 6],
] as const)('of two deletions of one person %s: what is still to come is waited for', async (_, {
  first,
  second,
}, exit) => {
  const now: Record<string, string> = { note: 'moved', plan: 'free' }
  const { server, world, env } = await startService((asked, response) => {
    if (asked.method === 'GET' && asked.path.endsWith('/3/')) return json(response, { id: 3, properties: now })
    if (asked.method === 'GET') return accepting(asked, response)
    if (asked.query.get('$unset') === 'plan') {
      return json(
        response.setHeader('retry-after', '99999'),
        second === 201 ? { success: true } : { detail: 'No.' },
        second,
      )
    }
    if (first === 'at once') delete now.note
    json(response, { success: true }, 201)
  })
  const keys = ['--key', 'note', '--key', 'plan', '--backup', 'before.ndjson', '--yes', '--max-wait', '1m']
  expect((await world.run(['persons', 'delete-property', '3', '4', ...keys, '--concurrency', '1'], { env })).code).toBe(
    exit,
  )
  const sent = writesOf(server.asked).length
  const job = (await world.run(['jobs', 'list', '-o', 'ids'], { env })).stdout.trim()
  const { stdout } = await world.run(undoWords(job, '-o', 'ndjson'), { env })
  expect(outcomeLines(stdout)).toContain('3 pending')
  expect(
    writesOf(server.asked)
      .slice(sent)
      .filter(({ path }) => path.includes('/3/')),
  ).toEqual([])
})

type Refusal = (response: ServerResponse) => void

const unanswered: readonly (readonly [string, Refusal])[] = [
  ['was answered with 500', response => json(response, { detail: 'Down.' }, 500)],
  ['was answered with 503', response => json(response, { detail: 'Down.' }, 503)],
  ['was answered with a page', response => void response.end('<html></html>')],
  ['was not answered', response => void response.destroy()],
]

test.each(
  unanswered.flatMap(([how, refuse]) => [
    [['persons', 'update', '3', '4', '--set', 'note=moved'], how, refuse] as const,
    [['persons', 'delete-property', '3', '4', '--key', 'plan', '--key', 'note'], how, refuse] as const,
  ]),
)('after %j, which %s, the old values are sent, since the change may still come', async (words, _, refuse) => {
  let isDown = true
  const { server, world, env } = await startService((asked, response) =>
    asked.method === 'GET' || !isDown ? accepting(asked, response) : refuse(response),
  )
  await world.run([...words, '--backup', 'before.ndjson', '--yes', '--retries', '0'], { env })
  const sent = writesOf(server.asked).length
  expect(sent).toBeGreaterThan(0)
  isDown = false
  const job = (await world.run(['jobs', 'list', '-o', 'ids'], { env })).stdout.trim()
  const { code, stdout, stderr } = await world.run(undoWords(job, '-o', 'ndjson'), { env })
  expect(stderr).toMatch(/is not known: the old values are sent even where they are there$/m)
  const outcomes = outcomeLines(stdout)
  expect([code, new Set(outcomes.map(line => line.slice(2)))]).toEqual([0, new Set(['updated'])])
  const again = writesOf(server.asked).slice(sent)
  for (const line of outcomes) expect(again.filter(({ path }) => path.includes(`/${line[0]}/`))).not.toEqual([])
})

test.each([
  ['the first was not sent', { at: 1, when: 'before' }, '3 updated'],
  ['the first was not heard of', { at: 1, when: 'after' }, '3 updated'],
  ['the second was not sent', { at: 2, when: 'before' }, '3 pending'],
] as const)('of two deletions that end in a crash where %s: only what the journal calls accepted is waited for', async (_, death, outcome) => {
  const stage = await openStage('observed')
  await changeProperties(stage, 3, '{"note":"here"}')
  stage.pass()
  const deletion = ['persons', 'delete-property', '3', '4', '--key', 'plan', '--key', 'note', '--concurrency', '1']
  await stage.runUntil(death, [...deletion, '--backup', 'before.ndjson', '--yes'])
  const { stdout } = await stage.run(undoWords(stage.jobs()[0] ?? '', '-o', 'ndjson'))
  expect(outcomeLines(stdout)).toEqual([outcome])
})
