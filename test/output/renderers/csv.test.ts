import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { undocumented, views } from '../../../src/output/views.ts'
import * as fc from '../../fast-check.ts'
import { ada, grace, printList, printObject, terminal, text } from '../print.ts'

test('the columns are the documented fields; strings are decoded, nested values are JSON', async () => {
  expect(await printList('csv', [ada, grace], { view: views.person })).toBe(text`
    id,name,distinct_ids,properties,created_at,uuid
    1,Ada Lovelace,"[""ada"",""ada-2"",""ada-3"",""ada-4""]","{""email"":""ada@example.com"",""plan"":""pro""}",2026-11-21T07:52:10.123456Z,0190a1b2-0000-7000-8000-000000000001
    2,Grace Hopper,"[""grace""]",{},2026-11-20T22:00:00+02:00,0190a1b2-0000-7000-8000-000000000002
  `)
})

test('other keys of the first batch follow', async () => {
  const view = { ...undocumented, fields: ['id'] }
  expect(await printList('csv', [['{"x":1,"id":2}', '{"y":3}'], ['{"z":4,"x":5}']], { view })).toBe(
    'id,x,y\n2,1,\n,,3\n,5,\n',
  )
})

test('keys that first come later have no column, and that is told', async () => {
  const late: string[] = []
  const look = { onLateColumns: (names: readonly string[]) => void late.push(...names) }
  const batches = [['{"a":{"b":1}}'], ['{"a":2,"late":3}', '{"\\u006cate":4,"a":{"other":5},"later":6}']]
  expect(await printList('csv', batches, { look })).toBe('a\n"{""b"":1}"\n2\n"{""other"":5}"\n')
  expect(late).toEqual(['late', 'later'])
  await printList('csv', batches, { look: { ...look, fields: ['a'] } })
  expect(late).toHaveLength(2)
})

test('fields pick the columns, dotted paths included', async () => {
  const look = { fields: ['properties.email', 'id'] }
  expect(await printList('csv', [ada, grace], { look })).toBe('properties.email,id\nada@example.com,1\n,2\n')
})

test('numbers and booleans stand as they came, null and missing are empty', async () => {
  expect(await printList('csv', ['{"a":9007199254740993,"b":1.0,"c":true,"d":null}', '{}'])).toBe(
    'a,b,c,d\n9007199254740993,1.0,true,\n,,,\n',
  )
})

test('quotes only what needs them', async () => {
  expect(await printList('csv', ['{"a":"x, y","b":"say \\"hi\\"","c":"two\\nlines","d":"cr\\r"," e":" é "}'])).toBe(
    'a,b,c,d," e"\n"x, y","say ""hi""","two\nlines","cr\r"," é "\n',
  )
})

test('what would be a command to a CI runner at the beginning of a line is quoted there, and not elsewhere', async () => {
  expect(await printList('csv', ['{"a":"::x","b":"y"}'])).toBe('a,b\n"::x",y\n')
  expect(await printList('csv', ['{"a":" y","b":"::x"}'])).toBe('a,b\n" y",::x\n')
})

test('a line of one empty cell is not an empty line', async () => {
  expect(await printList('csv', ['{"a":null}', '{"a":""}'])).toBe('a\n""\n""\n')
})

test('an empty list is its header, where that is known', async () => {
  expect(await printList('csv', [], { look: { fields: ['id', 'name'] } })).toBe('id,name\n')
  expect(await printList('csv', [])).toBe('')
})

test('the header can be left out', async () => {
  expect(await printList('csv', ['{"a":1}'], { look: { header: false } })).toBe('1\n')
})

test('one object is a row; plain values and arrays have a column of their own', async () => {
  expect(await printObject('csv', '{"a":1}')).toBe('a\n1\n')
  expect(await printObject('csv', '[3,"x",[4]]')).toBe('value\n3\nx\n[4]\n')
})

test('formulas are left alone unless asked', async () => {
  expect(await printList('csv', ['{"a":"=1+1"}'])).toBe('a\n=1+1\n')
})

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-x', "'-x"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ['-5', '-5'],
  ['-1.5e3', '-1.5e3'],
  ['a=1', 'a=1'],
])('with escapeFormulas %j becomes %j, also in the header', async (content, cell) => {
  const item = JSON.stringify({ [content]: content })
  expect(await printList('csv', [item], { look: { escapeFormulas: true } })).toBe(`${cell}\n${cell}\n`)
})

test('at a terminal control characters are escaped', async () => {
  expect(await printList('csv', ['{"a":"\\u001b[31m"}'], { look: terminal })).toBe('a\n\\u001b[31m\n')
})

test('whatever the cells hold, a reader gets the same cells', async () => {
  const cell = fc.string({ unit: fc.character }).filter(one => one.isWellFormed())
  const grid = fc.integer({ min: 1, max: 4 }).chain(width =>
    fc.record({
      names: fc.uniqueArray(cell, { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(grid, async ({ names, rows }) => {
      // Written by hand: an object would put names that look like numbers first.
      const items = rows.map(
        row => `{${row.map((one, i) => `${JSON.stringify(names[i])}:${JSON.stringify(one)}`).join()}}`,
      )
      const csv = await printList('csv', items)
      for (const trim of [false, true]) expect(parse(csv, { trim })).toEqual([names, ...rows])
    }),
    { numRuns: 300 },
  )
})
