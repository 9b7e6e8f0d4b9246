/** `--where` wherever targets are chosen: read to the end of the list, checked here, nothing else is touched. */
import { expect, test } from 'vitest'
import { isList, json, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'
import { newWorld } from '../world.ts'

async function dryRun(...argv: string[]) {
  const { code, stdout, stderr } = await newWorld().run(['--sandbox', ...argv, '--dry-run', '-o', 'ndjson'])
  const sent = stdout.split('\n').filter(Boolean)
  return { code, stderr, sent: sent.map(line => JSON.parse(line).url.split('/').at(-2)) }
}

test.each([
  [['event-definitions', 'delete', '--where', 'name~basket'], 1],
  [['event-definitions', 'update', '--post-to-slack', '--where', 'last_seen_at<2026-03-29T18:00:00Z'], 1],
  [['plugins', 'delete', '--where', 'is_global=false'], 3],
  [['projects', 'update', '--week-start-day', '1', '--where', 'anonymize_ips=true'], 1],
  [['persons', 'delete', '--where', 'properties.plan=pro', '--where', 'created_at<2026-04-01'], 9],
  [['persons', 'delete', '--property', 'plan=pro', '--where', 'created_at<2026-04-01'], 9],
])('%j changes the objects that match, and no other: %i', async (argv, count) => {
  const { code, sent } = await dryRun(...argv)
  expect([code, sent.length]).toEqual([0, count])
})

test.each([
  [['event-definitions', 'delete', '--all', '--expect', '12'], 12],
  [['event-definitions', 'update', '--post-to-slack', '--all'], 12],
  [['plugins', 'delete', '--all', '--expect', '5'], 5],
  [['projects', 'update', '--week-start-day', '1', '--all'], 2],
  [['persons', 'delete', '--all', '--expect', '55'], 55],
])('%j changes every object of the list: %i', async (argv, count) => {
  const { code, sent } = await dryRun(...argv)
  expect([code, sent.length]).toEqual([0, count])
})

test.each([
  ['event-definitions'],
  ['plugins'],
  ['persons'],
])('%s delete --all without --expect is refused', async noun => {
  expect(await dryRun(noun, 'delete', '--all')).toMatchObject({ code: 2, sent: [] })
})

test.each([
  ['2'],
  ['--where', 'id>0'],
  ['--from', 'ids'],
])('--all with %s is refused: there is one source', async (...source) => {
  expect(await dryRun('projects', 'update', '--week-start-day', '1', '--all', ...source)).toMatchObject({
    code: 2,
    sent: [],
  })
})

test('a field that no object has is refused before anything is written', async () => {
  const ran = await newWorld().run([
    '--sandbox',
    'persons',
    'delete',
    '--where',
    '!created_bye',
    '--yes',
    '--max',
    '99',
  ])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('No record has a field created_bye')
})

test.each([
  ['event-definitions', 'delete'],
  ['event-definitions', 'update', '--post-to-slack'],
])('%s %s: a negative filter by a value with a quote, which no object has, is refused at the end of the list', async (...argv) => {
  const ran = await newWorld().run(['--sandbox', ...argv, '--where', `name!='basket`, '--yes', '--max', '99'])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('No record has the value that is given for name, so the filter excludes none.')
})

test('a value with a quote that only the last of 12,000 has is found', async () => {
  const { world, sent, env } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const [from, size] = ['offset', 'limit'].map(name => Number(asked.query.get(name))) as [number, number]
    const row = (i: number) => ({ ...personRow(i + 1), properties: { screen: i < 11_999 ? 'x' : '12"' } })
    const results = Array.from({ length: Math.min(size, 12_000 - from) }, (_, i) => row(from + i))
    json(response, { next: from + size < 12_000 ? `?limit=${size}&offset=${from + size}` : null, results })
  })
  const argv = ['persons', 'delete', '--where', 'properties.screen!=12"', '--dry-run', '-o', 'ndjson']
  const ran = await world.run(argv, { env })
  expect([ran.code, ran.stdout.split('\n').length, sent()]).toEqual([0, 12_000, []])
})

test('--yes does not agree to what a filter selects without a number', async () => {
  expect((await newWorld().run(['--sandbox', 'persons', 'delete', '--where', 'id>0', '--yes'])).code).toBe(2)
})
