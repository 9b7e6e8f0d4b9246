import { expect, test } from 'vitest'
import { itemOf } from '../../../src/json/read-item.ts'
import type { Document } from '../../../src/output/document.ts'
import { ndjsonRenderer } from '../../../src/output/renderers/json.ts'
import { undocumented } from '../../../src/output/views.ts'
import { pipe, printList, printObject, terminal } from '../print.ts'

test('an item a line, as the bytes that came', async () => {
  expect(await printList('ndjson', [['{"id": 1.0}'], ['{"id":9007199254740993}']])).toBe(
    '{"id": 1.0}\n{"id":9007199254740993}\n',
  )
})

test('an item stays one line, whatever lines it came on', async () => {
  expect(await printList('ndjson', ['{\n"a": 1\r\n}'])).toBe('{"a": 1}\n')
})

test('an empty list is nothing', async () => {
  expect(await printList('ndjson', [])).toBe('')
})

test('one object is a line; a bare array is a line for each of its items', async () => {
  expect(await printObject('ndjson', '{"id":1}')).toBe('{"id":1}\n')
  expect(await printObject('ndjson', '[3, 5]')).toBe('3\n5\n')
})

test('fields are chosen as in json', async () => {
  expect(await printList('ndjson', ['{"a":{"b":[1]},"c":2}'], { look: { fields: ['a.b', 'x'] } })).toBe('{"a.b":[1]}\n')
})

test('at a terminal control characters are escaped', async () => {
  expect(await printList('ndjson', ['"\u009b"'], { look: terminal })).toBe('"\\u009b"\n')
})

test('a batch is one chunk, printed before the next batch is asked for', async () => {
  const events: string[] = []
  const document: Document = {
    shape: 'list',
    view: undocumented,
    batches: (async function* () {
      events.push('first asked for')
      yield [itemOf(1), itemOf(2)]
      events.push('second asked for')
      yield [itemOf(3)]
    })(),
  }
  for await (const chunk of ndjsonRenderer(document, pipe)) events.push(String(chunk))
  expect(events).toEqual(['first asked for', '1\n2\n', 'second asked for', '3\n'])
})
