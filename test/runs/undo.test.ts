/** Updates of every kind, undone: the service is as before, byte for byte. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { openStage, type Stage } from './stage.ts'

const values = fc.constantFrom(
  '"pro"',
  '" Pro "',
  '"Zoë \\u0000 \\ud800"',
  '9007199254740993',
  '1.0',
  '-0',
  '1e400',
  'true',
  'null',
  '[]',
  '{}',
  '{"b":1.0,"a":[null,{"c":"x"}]}',
)
const keys = fc.constantFrom('plan', 'plan.name', 'seats', '$set', 'name', 'a b', '0', 'Ü')
const some = { selector: ([key]: readonly [string, string]) => key, maxLength: 5 }
const properties = fc.uniqueArray(fc.tuple(keys, values), some)
const settings = fc.uniqueArray(fc.tuple(keys, values), { ...some, minLength: 1 })
const json = (members: readonly (readonly [string, string])[]) =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`

const ids = ['901', '902', '903']
const uuid = (id: string) => `01900000-0000-4000-8000-000000000${id}`
const person = (id: string) => `/api/projects/1/persons/${id}/`

/** The words of an update of the three, for which a file of rows may be needed. */
const updatesOf = (
  oneValue: typeof values,
): fc.Arbitrary<{ readonly argv: readonly string[]; readonly rows?: string }> =>
  fc.oneof(
    settings.map(set => ({ argv: ['persons', 'update', ...ids, '--body', `{"properties":${json(set)}}`] })),
    fc
      .tuple(keys, oneValue)
      .map(([key, value]) => ({ argv: ['persons', 'update-property', ...ids, '--key', key, '--value-json', value] })),
    fc
      .uniqueArray(keys, { minLength: 1, maxLength: 3 })
      .map(gone => ({ argv: ['persons', 'delete-property', ...ids, ...gone.flatMap(key => ['--key', key])] })),
    fc.tuple(settings, settings, settings).map(all => ({
      argv: ['persons', 'update', '--rows', 'rows.ndjson'],
      rows: all.map((set, i) => `{"id":${ids[i]},"properties":${json(set)}}\n`).join(''),
    })),
  )

async function load(stage: Stage, all: readonly (readonly (readonly [string, string])[])[]): Promise<void> {
  const rows = all.map(
    (set, i) =>
      `{"id":${ids[i]},"uuid":"${uuid(ids[i] ?? '')}","distinct_ids":["d${ids[i]}"],"properties":${json(set)}}\n`,
  )
  stage.file('persons.ndjson', rows.join(''))
  await stage.load(rows)
}

const shown = (stage: Stage) => Promise.all(ids.map(id => stage.fieldsOf(person(id), 'properties')))

describe.each(['documented', 'observed'] as const)('in the %s dialect', dialect => {
  test('any update of persons is undone byte for byte, and no other person is changed', async () => {
    const stage = await openStage(dialect)
    // The service refuses null as the value of one property.
    const updates = updatesOf(values.filter(value => value !== 'null'))
    await fc.assert(
      fc.asyncProperty(fc.tuple(properties, properties, properties), updates, async (all, { argv, rows }) => {
        await load(stage, all)
        if (rows !== undefined) stage.file('rows.ndjson', rows)
        const before = await shown(stage)
        const other = await stage.fieldsOf(person('3'))
        const update = await stage.run([...argv, '--backup', 'before.ndjson', '--yes'])
        expect([update.code, update.stderr]).toEqual([0, expect.any(String)])
        stage.pass()
        const undo = await stage.run(['jobs', 'undo', stage.jobs().at(-1) ?? '', '--backup', 'before.ndjson', '--yes'])
        expect([undo.code, undo.stderr]).toEqual([0, expect.any(String)])
        stage.pass()
        expect(await shown(stage)).toEqual(before)
        expect(await stage.fieldsOf(person('3'))).toEqual(other)
        stage.forget()
      }),
      { numRuns: 12 },
    )
  }, 300_000)

  // A death is the same in both dialects, so each has half of them.
  const when = dialect === 'documented' ? 'before' : 'after'

  test(`killed ${when} any request of the update and of the undo, and resumed, the service is as before`, async () => {
    const stage = await openStage(dialect)
    const update = ['persons', 'update', ...ids, '--set', 'plan=pro', '--set', 'note=Ada said so']
    for (const words of [update, ['persons', 'delete-property', ...ids, '--key', 'plan']]) {
      for (let at = 1, alive = false; !alive; at++) {
        await load(stage, [original, original, [['plan', '"free"']]])
        const before = await shown(stage)
        const died = await stage.runUntil({ at, when }, [...words, '--backup', 'before.ndjson', '--yes'])
        const [job = ''] = stage.jobs()
        if (died) await stage.finish(job)
        stage.pass()
        const undo = ['jobs', 'undo', job, '--backup', 'before.ndjson', '--yes', '--concurrency', '1']
        const diedAgain = await stage.runUntil({ at, when }, undo)
        if (diedAgain) await stage.finish(stage.jobs().at(-1) ?? '')
        stage.pass()
        expect([words, when, at, await shown(stage)]).toEqual([words, when, at, before])
        // The jobs are done: what they set and what was there before are nowhere in them.
        for (const value of ['Ada said so', 'free', '9007199254740993']) expect(stage.kept()).not.toContain(value)
        stage.forget()
        alive = !died && !diedAgain
      }
    }
  }, 300_000)
})

test('a cut-off line of a backup is skipped, and a last line without line feed is read', async () => {
  const stage = await openStage('documented')
  await load(stage, [original, original, original])
  const before = await shown(stage)
  const update = ['persons', 'update', ...ids, '--set', 'plan=pro', '--backup', 'before.ndjson', '--yes']
  await stage.runUntil({ at: 2, when: 'after' }, [...update, '--concurrency', '1'])
  appendFileSync(join(stage.world.folder, 'before.ndjson'), '{"id":90')
  const [job = ''] = stage.jobs()
  expect((await stage.run(['jobs', 'resume', job, '--backup', 'rest.ndjson'])).code).toBe(0)
  const rest = join(stage.world.folder, 'rest.ndjson')
  writeFileSync(rest, readFileSync(rest, 'utf8').trimEnd())
  stage.pass()
  expect((await stage.run(['jobs', 'undo', job, '--yes'])).code).toBe(0)
  stage.pass()
  expect(await shown(stage)).toEqual(before)
})

const original = [
  ['name', '"Ada"'],
  ['seats', '9007199254740993'],
  ['plan', '"free"'],
] as const
