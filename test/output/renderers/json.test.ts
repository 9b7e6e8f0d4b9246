import { expect, test } from 'vitest'
import { pipe, printList, printObject, terminal, text } from '../print.ts'

test('a list is an array with an item a line, as the bytes that came', async () => {
  expect(await printList('json', ['{"id": 9007199254740993}', '{"b":1.0,"a":"\\u00e9"}'])).toBe(text`
    [
    {"id": 9007199254740993},
    {"b":1.0,"a":"\u00e9"}
    ]
  `)
})

test('batches follow one another without a seam', async () => {
  expect(await printList('json', [['1', '2'], [], ['3']])).toBe('[\n1,\n2,\n3\n]\n')
})

test('an empty list is an empty array', async () => {
  expect(await printList('json', [])).toBe('[]\n')
})

test('an item that came on many lines is put on one', async () => {
  expect(await printList('json', ['{\n  "a": 1\n}'])).toBe('[\n{"a": 1}\n]\n')
})

test('one object is an object', async () => {
  expect(await printObject('json', '{"id":1}')).toBe('{"id":1}\n')
})

test('fields make an object of their names as they were written, and leave out what is not there', async () => {
  const items = ['{"id":1,"properties":{"email":"ada@example.com"}}', '{"id":2.0}']
  const look = { fields: ['properties.email', 'id'] }
  expect(await printList('json', items, { look })).toBe(text`
    [
    {"properties.email":"ada@example.com","id":1},
    {"id":2.0}
    ]
  `)
})

test('names of fields and their values may be any text', async () => {
  const look = { fields: ['größe', 'say "hi"'] }
  expect(await printObject('json', '{"größe":"日本","say \\"hi\\"":1}', { look })).toBe(
    '{"größe":"日本","say \\"hi\\"":1}\n',
  )
})

test('at a terminal it is indented', async () => {
  expect(await printList('json', ['{"id":1,"tags":[]}', '2'], { look: terminal })).toBe(text`
    [
      {
        "id": 1,
        "tags": []
      },
      2
    ]
  `)
  expect(await printObject('json', '{"id":1}', { look: terminal })).toBe('{\n  "id": 1\n}\n')
})

test('at a terminal control characters are escaped, and the JSON says the same', async () => {
  const item = '{"name":"\u009b31m\u202e\u007f"}'
  const shown = await printObject('json', item, { look: terminal })
  expect(shown).toBe('{\n  "name": "\\u009b31m\\u202e\\u007f"\n}\n')
  expect(JSON.parse(shown)).toEqual(JSON.parse(item))
  expect(await printObject('json', item, { look: pipe })).toBe(`${item}\n`)
})
