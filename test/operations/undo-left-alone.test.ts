/** What an undo leaves alone, what it refuses, and which record of a backup it takes. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOfBytes } from '../../src/files/digest.ts'
import { openJob } from '../../src/jobs/job.ts'
import { seedOf } from '../../src/jobs/journal/generation.ts'
import { decodeLine, encodeLine } from '../../src/jobs/journal/journal-line.ts'
import type { Dialect } from '../../src/sandbox/call.ts'
import { json } from '../server.ts'
import { accepting, startService, writesOf } from '../service.ts'
import { openStage, type Stage } from './undoing.ts'

const person = (id: number) => `/api/projects/1/persons/${id}/`
const change = (stage: Stage, id: number, properties: string) =>
  stage.ask('PATCH', person(id), `{"properties":${properties}}`)
const properties = (stage: Stage, id: number) => stage.fieldsOf(person(id), 'properties')
const undo = (job: string, ...more: string[]) => ['jobs', 'undo', job, '--backup', 'before.ndjson', '--yes', ...more]

/** A stage on which persons 3, 4 and 5 got a plan and a note. */
async function updated(dialect: Dialect = 'documented') {
  const stage = await openStage(dialect)
  const before = await Promise.all([3, 4, 5].map(id => properties(stage, id)))
  const set = ['--set', 'plan=lifetime', '--set', 'note=moved', '--backup', 'before.ndjson']
  expect((await stage.run(['persons', 'update', '3', '4', '5', ...set, '--yes'])).code).toBe(0)
  return { stage, before, job: stage.jobs()[0] ?? '' }
}

const outcomes = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { id: string; status: string; error: { code: string } | null })
    .map(({ id, status, error }) => [id, error?.code ?? status].join(' '))
    .sort()

test.each([
  ['another value', '{"plan":"theirs"}'],
  ['null, which is a value', '{"note":null}'],
  ['an object', '{"plan":{"name":"lifetime"}}'],
])('what somebody changed to %s since stays, and so does all else of that person', async (_, theirs) => {
  const { stage, before, job } = await updated()
  await change(stage, 4, theirs)
  const changed = await properties(stage, 4)
  const { code, stdout } = await stage.run(undo(job, '-o', 'ndjson'))
  expect([code, outcomes(stdout)]).toEqual([8, ['3 updated', '4 conflict', '5 updated']])
  expect(await properties(stage, 4)).toEqual(changed)
  expect([await properties(stage, 3), await properties(stage, 5)]).toEqual([before[0], before[2]])
  expect((await stage.run(undo(job, '--force'))).code).toBe(0)
  expect(await properties(stage, 4)).toEqual(before[1])
})

test('other properties that somebody changed since are kept', async () => {
  const { stage, before, job } = await updated()
  await change(stage, 4, '{"theirs":1.0}')
  expect((await stage.run(undo(job))).code).toBe(0)
  expect(await properties(stage, 4)).toEqual([...(before[1] ?? []), '"theirs": 1.0'].sort())
})

test('a person with the old values already is done, and nothing is sent to it', async () => {
  const { stage, job } = await updated()
  await stage.run(undo(job))
  const sent = stage.writes()
  expect((await stage.run(undo(job))).code).toBe(0)
  expect(stage.writes()).toBe(sent)
})

test.each(['', ' '])('a new property named %j, which servers do not delete, keeps its person as it is', async name => {
  const stage = await openStage('documented')
  const before = await properties(stage, 4)
  // Only person 3 gets such a property: person 4 has it already.
  await change(stage, 4, JSON.stringify({ [name]: 1 }))
  const set = ['--properties', JSON.stringify({ [name]: 2, plan: 'lifetime', note: 'moved' })]
  expect((await stage.run(['persons', 'update', '3', '4', ...set, '--backup', 'before.ndjson', '--yes'])).code).toBe(0)
  const [job = ''] = stage.jobs()
  const changed = await properties(stage, 3)
  const sent = stage.writes()
  const shown = await stage.run(['jobs', 'undo', job, '--backup', 'before.ndjson', '--dry-run'])
  expect(shown.stderr).toMatch(/^ {2}3 +This person has a property named " ?"/m)
  expect(shown.stderr).toContain('1 of 2 would fail, such as 3')
  expect(stage.writes()).toBe(sent)
  const { code, stdout } = await stage.run(undo(job, '-o', 'ndjson'))
  expect([code, outcomes(stdout)]).toEqual([8, ['3 nameless-property', '4 updated']])
  expect(await properties(stage, 3)).toEqual(changed)
  expect(await properties(stage, 4)).toEqual([...before, `${JSON.stringify(name)}: 1`].sort())
})

test('a change that is still to come is waited for, and a resume puts it back', async () => {
  const { stage, before, job } = await updated('observed')
  const early = await stage.run(undo(job, '-o', 'ndjson'))
  expect([early.code, outcomes(early.stdout)]).toEqual([8, ['3 pending', '4 pending', '5 pending']])
  const [, later = ''] = stage.jobs()
  stage.pass()
  expect((await stage.run(['jobs', 'resume', later])).code).toBe(0)
  stage.pass()
  expect(await Promise.all([3, 4, 5].map(id => properties(stage, id)))).toEqual(before)
})

test.each([201, 204])('so is a deletion of a property that was answered with %i and is still to come', async status => {
  const { server, world, env } = await startService((asked, response) => {
    if (asked.method === 'GET') return accepting(asked, response)
    if (status === 201) json(response, { success: true }, status)
    else response.writeHead(status).end()
  })
  const deletion = ['persons', 'delete-property', '3', '4', '--key', 'note', '--backup', 'before.ndjson', '--yes']
  expect((await world.run(deletion, { env })).code).toBe(0)
  const job = (await world.run(['jobs', 'list', '-o', 'ids'], { env })).stdout.trim()
  const { code, stdout } = await world.run(undo(job, '-o', 'ndjson'), { env })
  expect([code, outcomes(stdout)]).toEqual([8, ['3 pending', '4 pending']])
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
  const { stdout } = await world.run(undo(job, '-o', 'ndjson'), { env })
  expect(outcomes(stdout)).toContain('3 pending')
  expect(
    writesOf(server.asked)
      .slice(sent)
      .filter(({ path }) => path.includes('/3/')),
  ).toEqual([])
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
  const { code, stderr } = await world.run(undo(job), { env })
  expect([code, stderr]).toEqual([0, expect.stringContaining('The answers for 2 persons do not show the change yet')])
})

test('an undo is undone by its own backup', async () => {
  const { stage, job } = await updated()
  const set = await properties(stage, 3)
  await stage.run(undo(job, '--new-backup', 'after.ndjson'))
  expect(await properties(stage, 3)).not.toEqual(set)
  const again = ['jobs', 'undo', stage.jobs()[1] ?? '', '--backup', 'after.ndjson', '--yes']
  expect((await stage.run(again)).code).toBe(0)
  expect(await properties(stage, 3)).toEqual(set)
})

test('a plan of an undo is run later', async () => {
  const { stage, before, job } = await updated()
  expect((await stage.run(['jobs', 'undo', job, '--backup', 'before.ndjson', '--plan', 'plan.json'])).code).toBe(0)
  expect(await properties(stage, 3)).not.toEqual(before[0])
  expect((await stage.run(['jobs', 'run', 'plan.json', '--yes'])).code).toBe(0)
  expect(await properties(stage, 3)).toEqual(before[0])
})

test('of the records of one person in a backup, the one that the job saved counts', async () => {
  const { stage, before, job } = await updated()
  const path = join(stage.world.folder, 'before.ndjson')
  const own = readFileSync(path, 'utf8')
  const foreign = own.replaceAll('"plan":', '"plan":"forged","was":')
  writeFileSync(path, `${foreign}not json\n\n${own}`)
  appendFileSync(path, foreign)
  expect((await stage.run(undo(job))).code).toBe(0)
  expect(await Promise.all([3, 4, 5].map(id => properties(stage, id)))).toEqual(before)
})

test('a record that is missing or altered stops it before any request', async () => {
  const { stage, job } = await updated()
  const path = join(stage.world.folder, 'before.ndjson')
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, [lines[0]?.replace('}', ' }'), ...lines.slice(1)].join('\n'))
  const sent = stage.requests()
  const { code, stderr } = await stage.run(undo(job))
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
  const { stage, job } = await updated()
  saveAgain(stage, job, record => record.replace('"properties"', `"${name}"`))
  const sent = stage.requests()
  const { code, stderr } = await stage.run(undo(job))
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
  const { code, stderr } = await world.run(undo(job, '--concurrency', '1'), { env })
  expect([code, stderr]).toEqual([5, expect.stringContaining('a person without properties')])
  expect(writesOf(server.asked)).toHaveLength(2)
})

test.each([
  ['a deletion', ['persons', 'delete', '6', '7', '--backup', 'before.ndjson']],
  ['an update without a backup', ['persons', 'update', '6', '7', '--set', 'plan=x']],
])('%s cannot be undone', async (_, words) => {
  const { stage } = await updated()
  await stage.run([...words, '--yes'])
  const sent = stage.requests()
  expect((await stage.run(undo(stage.jobs()[1] ?? ''))).code).toBe(2)
  expect(stage.requests()).toBe(sent)
})

test('of a job that is not finished, what it sent is put back, and that is said', async () => {
  const stage = await openStage('documented')
  const before = await Promise.all([3, 4, 5].map(id => properties(stage, id)))
  const words = ['persons', 'update', '3', '4', '5', '--set', 'plan=x', '--backup', 'before.ndjson', '--yes']
  await stage.runUntil({ at: 2, when: 'after' }, [...words, '--concurrency', '1'])
  stage.pass()
  const { code, stderr } = await stage.run(undo(stage.jobs()[0] ?? ''))
  expect([code, stderr]).toEqual([0, expect.stringContaining('is not finished: 2 of 3 are left')])
  expect(await Promise.all([3, 4, 5].map(id => properties(stage, id)))).toEqual(before)
})

test('the safety level no-delete refuses to take properties away', async () => {
  const { stage, job } = await updated()
  const sent = stage.requests()
  const { code } = await stage.run(undo(job), { ANALYTICS_SAFETY: 'no-delete' })
  expect([code, stage.requests()]).toEqual([10, sent])
})

test('a dry run says what would be left alone', async () => {
  const { stage, job } = await updated()
  await change(stage, 4, '{"plan":"theirs"}')
  const { code, stderr } = await stage.run(undo(job, '--dry-run'))
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 of 3 would fail, such as 4')])
})
