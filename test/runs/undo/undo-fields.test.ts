/** Updates of event definitions, undone; values that the service writes otherwise are no conflict. */
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../../src/config/sandbox-variable.ts'
import * as fc from '../../fast-check.ts'
import { openStage, type Stage } from './undoing.ts'

const tag = fc.constantFrom('growth', ' Revenue ', 'CHECKOUT', 'billing')
const tags = fc.uniqueArray(tag, { minLength: 1, maxLength: 3 })

const definitionUpdates: fc.Arbitrary<readonly string[]> = fc.oneof(
  tags.map(all => ['--tags', all.join()]),
  tags.map(all => all.flatMap(one => ['--add-tag', one])),
  tags.map(all => [...all.flatMap(one => ['--remove-tag', one]), '--post-to-slack']),
  fc.constant(['--set-json', 'last_seen_at="2026-05-01T00:00:00Z"', '--tags', 'Seen']),
)

const listed = async (stage: Stage, path: string): Promise<string[]> => {
  const { json } = await stage.ask('GET', path)
  return json.results.slice(0, 3).map(({ id }) => String(id))
}

const undoLast = (stage: Stage, ...more: string[]) =>
  stage.run(['jobs', 'undo', stage.jobs().at(-1) ?? '', '--backup', 'before.ndjson', '--yes', ...more])

describe.each<Dialect>(['documented', 'observed'])('in the %s dialect', dialect => {
  const cases = [['event-definitions', '/api/projects/1/event_definitions/', definitionUpdates]] as const
  test.each(cases)(
    'any update of %s is undone byte for byte',
    async (group, path, updates) => {
      const stage = await openStage(dialect)
      const ids = await listed(stage, path)
      const shown = () => Promise.all(ids.map(id => stage.fieldsOf(`${path}${id}/`)))
      await fc.assert(
        fc.asyncProperty(updates, async words => {
          const before = await shown()
          const update = await stage.run([group, 'update', ...ids, ...words, '--backup', 'before.ndjson', '--yes'])
          // The observed dialect ignores some fields, which is said.
          expect([words, [0, 8].includes(update.code), update.stderr]).toEqual([words, true, expect.any(String)])
          const undo = await undoLast(stage)
          expect([words, undo.code, undo.stderr]).toEqual([words, 0, expect.any(String)])
          expect(await shown()).toEqual(before)
        }),
        { numRuns: 8 },
      )
    },
    300_000,
  )

  test('a definition that somebody else tagged since is left alone', async () => {
    const stage = await openStage(dialect)
    const path = '/api/projects/1/event_definitions/'
    const ids = await listed(stage, path)
    const [first = '', ...others] = ids
    await stage.run(['event-definitions', 'update', ...ids, '--add-tag', 'new', '--backup', 'before.ndjson', '--yes'])
    await stage.ask('PATCH', `${path}${first}/`, '{"tags":["new","theirs"]}')
    const { code, stdout } = await undoLast(stage, '-o', 'ndjson')
    expect([code, stdout]).toEqual([8, expect.stringContaining('"code":"conflict"')])
    expect(await stage.fieldsOf(`${path}${first}/`)).toContain('"tags": ["new","theirs"]')
    for (const id of others) expect((await stage.fieldsOf(`${path}${id}/`)).join()).not.toContain('"new"')
  })
})
