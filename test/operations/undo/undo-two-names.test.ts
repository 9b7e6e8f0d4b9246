/** An undo of a job that has one object under two names: a number and a UUID. */
import { expect, test } from 'vitest'
import { openStage, outcomeLines, type Stage, undoWords } from './undoing.ts'

const uuid = (id: number) => `01900000-0000-4000-8000-000000000a${id}`
const names = (id: number) => [String(id), uuid(id)]
const shown = (stage: Stage) =>
  Promise.all([90, 91].map(id => stage.fieldsOf(`/api/projects/1/persons/${id}/`, 'properties')))

async function stageOfTwo(): Promise<Stage> {
  const stage = await openStage('observed')
  const row = (id: number) =>
    `{"id":${id},"uuid":"${uuid(id)}","distinct_ids":["d${id}"],"properties":{"plan":"free","seats":1.0}}\n`
  await stage.load([90, 91].map(row))
  return stage
}

const rowsOf = (...rows: readonly (readonly [name: string, properties: object])[]) =>
  rows.map(([id, properties]) => `${JSON.stringify({ id, properties })}\n`).join('')

test.each([
  ['an update', ['update', ...names(90), ...names(91), '--set', 'plan=pro', '--set', 'new=1'], ''],
  ['an update of a property', ['update-property', ...names(90).reverse(), '91', '--key', 'plan', '--value', 'x'], ''],
  ['a deletion of a property', ['delete-property', ...names(90), ...names(91), '--key', 'plan'], ''],
  ['a deletion of what was never there', ['delete-property', ...names(90), '--key', 'none', '--key', 'seats'], ''],
  [
    'an update of other fields by each name',
    ['update', '--rows', 'rows.ndjson'],
    rowsOf(['90', { plan: 'a' }], [uuid(90), { seats: 2 }], ['91', { plan: 'a', new: 1 }], [uuid(91), { plan: 'b' }]),
  ],
])('%s of persons by two names is put back, forced or not', async (_, words, rows) => {
  for (const concurrency of ['1', '8']) {
    for (const more of [[], ['--force']]) {
      const stage = await stageOfTwo()
      stage.file('rows.ndjson', rows)
      const before = await shown(stage)
      const kept = ['--backup', 'before.ndjson', '--yes', '--concurrency', concurrency]
      expect((await stage.run(['persons', ...words, ...kept])).code).toBe(0)
      stage.pass()
      const undo = await stage.run(undoWords(stage.jobs()[0] ?? '', ...more, '--concurrency', concurrency))
      stage.pass()
      expect([undo.code, undo.stderr]).toEqual([0, expect.any(String)])
      expect(await shown(stage)).toEqual(before)
    }
  }
})

test('each person has one outcome, under the name that came first, and that is said', async () => {
  const stage = await stageOfTwo()
  const before = await shown(stage)
  const update = ['persons', 'update', uuid(91), ...names(90), '91', '--set', 'plan=pro', '--backup', 'before.ndjson']
  await stage.run([...update, '--yes'])
  stage.pass()
  const [job = ''] = stage.jobs()
  const sent = stage.writes()
  const { code, stdout, stderr } = await stage.run(undoWords(job, '-o', 'ndjson', '--new-backup', 'after.ndjson'))
  expect([code, outcomeLines(stdout)]).toEqual([0, [`${uuid(91)} updated`, '90 updated'].sort()])
  expect(stage.writes() - sent).toBe(2)
  const sentence = `2 targets of job ${job} name persons that other targets name too (a number and a UUID): each person is put back once, under the name that came first`
  expect(stderr).toContain(sentence)
  stage.pass()
  expect(await shown(stage)).toEqual(before)
})

test('a person by two names that somebody changed since is left alone once', async () => {
  const stage = await stageOfTwo()
  await stage.run(['persons', 'update', ...names(90), '--set', 'plan=pro', '--backup', 'before.ndjson', '--yes'])
  stage.pass()
  await stage.ask('PATCH', '/api/projects/1/persons/90/', '{"properties":{"plan":"theirs"}}')
  stage.pass()
  const { code, stdout } = await stage.run(undoWords(stage.jobs()[0] ?? '', '-o', 'ndjson'))
  expect([code, outcomeLines(stdout)]).toEqual([8, ['90 conflict']])
})

test('a plan of an undo names each person once', async () => {
  const stage = await stageOfTwo()
  const before = await shown(stage)
  const words = ['persons', 'delete-property', ...names(90), ...names(91), '--key', 'plan', '--backup', 'before.ndjson']
  await stage.run([...words, '--yes'])
  stage.pass()
  expect(
    (await stage.run(undoWords(stage.jobs()[0] ?? '', '--plan', 'plan.json').filter(word => word !== '--yes'))).code,
  ).toBe(0)
  expect((await stage.run(['jobs', 'run', 'plan.json', '--yes'])).stderr).toContain(
    'Put back the old values of 2 persons',
  )
  stage.pass()
  expect(await shown(stage)).toEqual(before)
})
