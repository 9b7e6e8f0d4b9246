/** Command lines that are refused before any request. */
import { expect, test } from 'vitest'
import * as fc from '../../fast-check.ts'
import { startService } from '../../service.ts'

async function isRefused(line: string): Promise<void> {
  const { run, server } = await startService()
  expect([(await run(line)).code, server.asked.length]).toEqual([2, 0])
}

test.each([
  'persons delete --property email~ --yes --max 100',
  'persons delete --property email!= --yes --max 100',
  'persons delete --property age> --yes --max 100',
  'persons delete --where properties.email~ --yes --max 100',
  'persons delete --email= --yes --max 100',
  'persons delete --search= --yes --max 100',
  'persons delete --distinct-id= --yes',
  'persons delete-property --key plan --property email!= --yes --max 100',
])('an empty filter value is refused: %s', isRefused)

test.each([
  'persons update-property 1 --key plan --key seats --value pro',
  'persons update-property 1 --key plan --value pro --value free',
  'persons split 1 --main-distinct-id a --main-distinct-id b --yes',
  'persons delete 1 2 --expect 3 --expect 2 --yes',
  'persons update 1 --properties [1]',
  'persons update 1 --properties null',
  'persons update 1 --body [1]',
  'persons update 1 --body 1.0',
  'persons split 1 --main-distinct-id a --properties 5 --yes',
  'projects delete @current --yes',
  'projects delete @CURRENT --yes',
  'api DELETE /api/projects/@current/ --yes',
  'api DELETE /api/projects/%40current/ --yes',
  'api DELETE /api/projects/{project}/ --project @current --yes',
  'event-definitions update 1 --add-tag VIP --remove-tag vip',
  'persons delete 1 2 --receipt - --yes',
  'persons delete 1 2 --backup= --yes',
])('a repeated or impossible value is refused: %s', isRefused)

const isPersonId = /^(?:[1-9][0-9]*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
const wrong = fc.oneof(
  fc.constantFrom(
    '../../2',
    '..%2F2',
    '2,3',
    '# note',
    "'11'",
    '+30',
    '[27]',
    '0',
    '007',
    '1e3',
    '１',
    '2/',
    '?',
    '1;2',
  ),
  fc.string({ unit: fc.character, minLength: 1, maxLength: 12 }),
  fc.stringMatching(/^[0-9./%+,#'[\] -]{1,10}$/),
)

test('text that is not an id is refused before any request, as an argument and in a list', async () => {
  const { world, env, run, server } = await startService()
  const text = wrong.filter(id => id.trim() !== '' && !id.startsWith('-') && !isPersonId.test(id.trim()))
  const inLine = text.filter(id => !/[\r\n\u2028\u2029\0\ufeff{]/.test(id) && !id.includes('\x85'))
  await fc.assert(
    fc.asyncProperty(text, async id => {
      const { code } = await world.run(['persons', 'delete', id, '--yes'], { env })
      expect(code).toBe(2)
    }),
    { numRuns: 60 },
  )
  await fc.assert(
    fc.asyncProperty(inLine, async id => {
      const { code } = await run('persons delete --from - --yes', { stdin: `1\n2\n${id}\n` })
      expect(code).toBe(2)
    }),
    { numRuns: 60 },
  )
  expect(server.asked).toEqual([])
})

test('a very long id is refused', async () => {
  const { run, server } = await startService()
  const stdin = Array.from({ length: 50 }, (_, i) => `${i + 1}`.repeat(200_000)).join('\n')
  expect((await run('persons delete --from - --yes', { stdin })).code).toBe(2)
  expect(server.asked).toEqual([])
})
