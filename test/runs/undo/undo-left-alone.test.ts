/** What an undo leaves alone, what it refuses, and which record of a backup it takes. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOfBytes } from '../../../src/files/digest.ts'
import { openJob } from '../../../src/jobs/job.ts'
import { seedOf } from '../../../src/jobs/journal/generation.ts'
import { decodeLine, encodeLine } from '../../../src/jobs/journal/journal-line.ts'
import { json } from '../../server.ts'
import { accepting, startService, writesOf } from '../../service.ts'
import {
  changeProperties,
  openStage,
  outcomeLines,
  propertiesOf,
  type Stage,
  undoWords,
  updatedStage,
} from './undoing.ts'

test.each([
  ['another value', '{"plan":"theirs"}'],
  ['null, which is a value', '{"note":null}'],
  ['an object', '{"plan":{"name":"lifetime"}}'],
])('what somebody changed to %s since stays, and so does all else of that person', async (_, theirs) => {
  const { stage, before, job } = await updatedStage()
  await changeProperties(stage, 4, theirs)
  const changed = await propertiesOf(stage, 4)
  const { code, stdout } = await stage.run(undoWords(job, '-o', 'ndjson'))
  expect([code, outcomeLines(stdout)]).toEqual([8, ['3 updated', '4 conflict', '5 updated']])
  expect(await propertiesOf(stage, 4)).toEqual(changed)
  expect([await propertiesOf(stage, 3), await propertiesOf(stage, 5)]).toEqual([before[0], before[2]])
  expect((await stage.run(undoWords(job, '--force'))).code).toBe(0)
  expect(await propertiesOf(stage, 4)).toEqual(before[1])
})

test('other properties that somebody changed since are kept', async () => {
  const { stage, before, job } = await updatedStage()
  await changeProperties(stage, 4, '{"theirs":1.0}')
  expect((await stage.run(undoWords(job))).code).toBe(0)
  expect(await propertiesOf(stage, 4)).toEqual([...(before[1] ?? []), '"theirs": 1.0'].sort())
})

test('a person with the old values already is done, and nothing is sent to it', async () => {
  const { stage, job } = await updatedStage()
  await stage.run(undoWords(job))
  const sent = stage.writes()
  expect((await stage.run(undoWords(job))).code).toBe(0)
  expect(stage.writes()).toBe(sent)
})

test.each(['', ' '])('a new property named %j, which servers do not delete, keeps its person as it is', async name => {
  const stage = await openStage('documented')
  const before = await propertiesOf(stage, 4)
  // Only person 3 gets such a property: person 4 has it already.
  await changeProperties(stage, 4, JSON.stringify({ [name]: 1 }))
  const set = ['--properties', JSON.stringify({ [name]: 2, plan: 'lifetime', note: 'moved' })]
  expect((await stage.run(['persons', 'update', '3', '4', ...set, '--backup', 'before.ndjson', '--yes'])).code).toBe(0)
  const [job = ''] = stage.jobs()
  const changed = await propertiesOf(stage, 3)
  const sent = stage.writes()
  const shown = await stage.run(['jobs', 'undo', job, '--backup', 'before.ndjson', '--dry-run'])
  expect(shown.stderr).toMatch(/^ {2}3 +This person has a property named " ?"/m)
  expect(shown.stderr).toContain('1 of 2 would fail, such as 3')
  expect(stage.writes()).toBe(sent)
  const { code, stdout } = await stage.run(undoWords(job, '-o', 'ndjson'))
  expect([code, outcomeLines(stdout)]).toEqual([8, ['3 nameless-property', '4 updated']])
  expect(await propertiesOf(stage, 3)).toEqual(changed)
  expect(await propertiesOf(stage, 4)).toEqual([...before, `${JSON.stringify(name)}: 1`].sort())
})

test('an undo says where a person comes back without the old value, although another property was taken away', async () => {
  const persons: Record<string, Record<string, unknown>> = { 3: { plan: 'free' }, 4: { plan: 'free' } }
  let ignores = false
  const { world, env } = await startService((asked, response) => {
    const id = asked.path.split('/')[5] ?? ''
    const properties = persons[id]
    if (!properties) return accepting(asked, response)
    if (asked.method === 'POST') return json(response, { success: true }, 201)
    if (asked.method === 'PATCH' && !ignores) Object.assign(properties, JSON.parse(asked.body).properties)
    json(response, { id: Number(id), properties })
  })
  const set = ['--set', 'plan=pro', '--set', 'new=1', '--backup', 'before.ndjson', '--yes', '--concurrency', '1']
  expect((await world.run(['persons', 'update', '3', '4', ...set], { env })).code).toBe(0)
  const [job = ''] = (await world.run(['jobs', 'list', '-o', 'ids'], { env })).stdout.split('\n')
  ignores = true
  const { code, stderr } = await world.run(undoWords(job), { env })
  expect([code, stderr]).toEqual([0, expect.stringContaining('The answers for 2 persons do not show the change yet')])
})

test('an undo is undone by its own backup', async () => {
  const { stage, job } = await updatedStage()
  const set = await propertiesOf(stage, 3)
  await stage.run(undoWords(job, '--new-backup', 'after.ndjson'))
  expect(await propertiesOf(stage, 3)).not.toEqual(set)
  const again = ['jobs', 'undo', stage.jobs()[1] ?? '', '--backup', 'after.ndjson', '--yes']
  expect((await stage.run(again)).code).toBe(0)
  expect(await propertiesOf(stage, 3)).toEqual(set)
})

test('of the records of one person in a backup, the one that the job saved counts', async () => {
  const { stage, before, job } = await updatedStage()
  const path = join(stage.world.folder, 'before.ndjson')
  const own = readFileSync(path, 'utf8')
  const foreign = own.replaceAll('"plan":', '"plan":"forged","was":')
  writeFileSync(path, `${foreign}not json\n\n${own}`)
  appendFileSync(path, foreign)
  expect((await stage.run(undoWords(job))).code).toBe(0)
  expect(await Promise.all([3, 4, 5].map(id => propertiesOf(stage, id)))).toEqual(before)
})

test('a record that is missing or altered stops it before any request', async () => {
  const { stage, job } = await updatedStage()
  const path = join(stage.world.folder, 'before.ndjson')
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, [lines[0]?.replace('}', ' }'), ...lines.slice(1)].join('\n'))
  const sent = stage.requests()
  const { code, stderr } = await stage.run(undoWords(job))
  expect([code, stderr]).toEqual([10, expect.stringContaining('1 of the 3 records')])
  expect(stage.requests()).toBe(sent)
})

/** As jobs of earlier versions: the service had answered with fewer fields. */
function saveAgain(stage: Stage, job: string, altered: (record: string) => string): void {
  const backup = join(stage.world.folder, 'before.ndjson')
  const [first = '', ...others] = readFileSync(backup, 'utf8').split('\n')
  const record = altered(first)
  writeFileSync(backup, [record, ...others].join('\n'))
  const jobs = join(stage.world.folder, 'state/jobs')
  const seed = seedOf(openJob(jobs, job).digest, 1)
  const journal = join(jobs, job, 'journal')
  let lines = ''
  for (const line of readFileSync(journal, 'utf8').trimEnd().split('\n')) {
    const entry = decodeLine(line, seed, lines.length) as readonly unknown[]
    const now = entry.map(value => (value === digestOfBytes(first) ? digestOfBytes(record) : value))
    lines += encodeLine(now, seed, lines.length)
  }
  writeFileSync(journal, lines)
}

test.each([
  ['no properties', 'was'],
  ['properties null', 'properties":null,"was'],
])('a record that was saved with %s stops it before any request: they would be taken away', async (_, name) => {
  const { stage, job } = await updatedStage()
  saveAgain(stage, job, record => record.replace('"properties"', `"${name}"`))
  const sent = stage.requests()
  const { code, stderr } = await stage.run(undoWords(job))
  expect([code, stderr]).toEqual([10, expect.stringContaining('1 of the 3 records of the job has no properties')])
  expect(stage.requests()).toBe(sent)
})

test('a person that is answered without properties is not called put back', async () => {
  let isLeftOut = false
  const { server, world, env } = await startService((asked, response) =>
    isLeftOut && asked.path.endsWith('/4/') ? json(response, { id: 4 }) : accepting(asked, response),
  )
  const update = ['persons', 'update', '4', '5', '--set', 'plan=pro', '--backup', 'before.ndjson', '--yes']
  expect((await world.run(update, { env })).code).toBe(0)
  const job = (await world.run(['jobs', 'list', '-o', 'ids'], { env })).stdout.trim()
  isLeftOut = true
  const { code, stderr } = await world.run(undoWords(job, '--concurrency', '1'), { env })
  expect([code, stderr]).toEqual([5, expect.stringContaining('a person without properties')])
  expect(writesOf(server.asked)).toHaveLength(2)
})

test.each([
  ['a deletion', ['persons', 'delete', '6', '7', '--backup', 'before.ndjson']],
  ['an update without a backup', ['persons', 'update', '6', '7', '--set', 'plan=x']],
])('%s cannot be undone', async (_, words) => {
  const { stage } = await updatedStage()
  await stage.run([...words, '--yes'])
  const sent = stage.requests()
  expect((await stage.run(undoWords(stage.jobs()[1] ?? ''))).code).toBe(2)
  expect(stage.requests()).toBe(sent)
})

test('of a job that is not finished, what it sent is put back, and that is said', async () => {
  const stage = await openStage('documented')
  const before = await Promise.all([3, 4, 5].map(id => propertiesOf(stage, id)))
  const words = ['persons', 'update', '3', '4', '5', '--set', 'plan=x', '--backup', 'before.ndjson', '--yes']
  await stage.runUntil({ at: 2, when: 'after' }, [...words, '--concurrency', '1'])
  stage.pass()
  const { code, stderr } = await stage.run(undoWords(stage.jobs()[0] ?? ''))
  expect([code, stderr]).toEqual([0, expect.stringContaining('is not finished: 2 of 3 are left')])
  expect(await Promise.all([3, 4, 5].map(id => propertiesOf(stage, id)))).toEqual(before)
})

test('the safety level no-delete refuses to take properties away', async () => {
  const { stage, job } = await updatedStage()
  const sent = stage.requests()
  const { code } = await stage.run(undoWords(job), { ANALYTICS_SAFETY: 'no-delete' })
  expect([code, stage.requests()]).toEqual([10, sent])
})

test('a dry run says what would be left alone', async () => {
  const { stage, job } = await updatedStage()
  await changeProperties(stage, 4, '{"plan":"theirs"}')
  const { code, stderr } = await stage.run(undoWords(job, '--dry-run'))
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 of 3 would fail, such as 4')])
})
