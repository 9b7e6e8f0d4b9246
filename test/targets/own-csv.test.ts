/** What `-o csv` writes is read back as it was, by the options that take rows and lists. */
import { expect, test } from 'vitest'
import { eventDefinitions } from '../../src/api/endpoints.ts'
import type { Host } from '../../src/host.ts'
import { readNames } from '../../src/targets/read-list.ts'
import { readRows } from '../../src/targets/read-rows.ts'
import * as fc from '../fast-check.ts'
import { printList } from '../output/print.ts'

/** Characters that CSV or its readers treat in their own way; no NUL, which no list may hold. */
const special = fc.constantFrom(...' \t\r\n\v\f"\',;:#a\u00a0\u0085\u1680\u2028\u2029\u3000\ufeff', '\r\n', '::')
const text = fc.oneof(
  fc.array(special, { maxLength: 8 }).map(parts => parts.join('')),
  fc.string({ unit: 'grapheme' }).filter(one => !one.includes('\0')),
)
const named = text.filter(one => one.trim() !== '')

const hostWith = (stdin: string): Host => {
  const read = async function* () {
    // A chunk may end anywhere.
    for (const byte of Buffer.from(stdin)) yield Uint8Array.of(byte)
  }
  return { cwd: '.', stdin: { isTerminal: false, read, ask: async () => undefined } } as unknown as Host
}

test('names of event definitions', async () => {
  const names = fc.uniqueArray(named, { minLength: 1, maxLength: 5 })
  const fields = eventDefinitions.update.body
  await fc.assert(
    fc.asyncProperty(names, async names => {
      const items = names.map(name => JSON.stringify({ name, tags: [name] }))
      const read = await readRows(hostWith(await printList('csv', items)), '-', {
        collection: 'event_definitions',
        fields,
        keys: ['id', 'name'],
      })
      expect(read.rows.map(({ target, body }) => [target, body])).toEqual(names.map(name => [name, { tags: [name] }]))
    }),
    { numRuns: 100 },
  )
})

test('distinct ids', async () => {
  const ids = fc.uniqueArray(
    named.filter(one => !/\p{Cc}/u.test(one)),
    { minLength: 1, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(ids, fc.boolean(), async (ids, alone) => {
      const items = ids.map(id => JSON.stringify(alone ? { distinct_id: id } : { id: 1, distinct_id: id, note: id }))
      const csv = await printList('csv', items)
      const { names } = await readNames(hostWith(csv), '-', {
        option: '--distinct-ids-from',
        column: 'distinct_id',
      })
      expect(names).toEqual(ids.map((id, i) => ({ text: id, line: i + 2 })))
    }),
    { numRuns: 100 },
  )
})
