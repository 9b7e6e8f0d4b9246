import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { eventDefinition, person, plugin, project, projectListItem } from '../../src/api/resources.ts'
import { type Format, settings } from '../../src/config/settings.ts'
import { itemOf } from '../../src/json/read-item.ts'
import { rendererOf } from '../../src/output/renderer.ts'
import { undocumented, views } from '../../src/output/views.ts'
import * as fc from '../fast-check.ts'
import { ada, grace, pipe, printList, printObject, terminal } from './print.ts'

type Row = readonly [
  what: string,
  items: readonly (string | readonly string[])[],
  printed: string,
  look?: Partial<typeof pipe>,
]

const json: readonly Row[] = [
  [
    'an item a line, as it came',
    ['{"id": 9007199254740993}', '{"b":1.0,"a":"\\u00e9"}'],
    '[\n{"id": 9007199254740993},\n{"b":1.0,"a":"\\u00e9"}\n]\n',
  ],
  ['pages without a seam', [['1', '2'], [], ['3']], '[\n1,\n2,\n3\n]\n'],
  ['an empty list', [], '[]\n'],
  ['an item that came on many lines', ['{\n  "a": 1\n}'], '[\n{"a": 1}\n]\n'],
  [
    'fields by their names, without those that are not there',
    ['{"id":1,"p":{"e":"x"}}', '{"id":2.0}'],
    '[\n{"p.e":"x","id":1},\n{"id":2.0}\n]\n',
    { fields: ['p.e', 'id'] },
  ],
  [
    'indented at a terminal',
    ['{"id":1,"tags":[]}', '2'],
    '[\n  {\n    "id": 1,\n    "tags": []\n  },\n  2\n]\n',
    terminal,
  ],
  ['control characters at a terminal', ['"\u009b"'], '[\n  "\\u009b"\n]\n', terminal],
]
const ndjson: readonly Row[] = [
  [
    'an item a line, as it came',
    [['{"id": 1.0}'], ['{\n"id":9007199254740993\r\n}']],
    '{"id": 1.0}\n{"id":9007199254740993}\n',
  ],
  ['an empty list', [], ''],
  ['fields', ['{"a":{"b":[1]},"c":2}'], '{"a.b":[1]}\n', { fields: ['a.b', 'x'] }],
  ['control characters at a terminal', ['"\u009b"'], '"\\u009b"\n', terminal],
]
const csv: readonly Row[] = [
  [
    'the keys of the first page, nested values as JSON',
    ['{"x":1,"y":["a"]}', '{"z":"b, \\"c\\""}'],
    'x,y,z\n1,"[""a""]",\n,,"b, ""c"""\n',
  ],
  [
    'numbers and booleans as they came, null as nothing',
    ['{"a":9007199254740993,"b":1.0,"c":true,"d":null}'],
    'a,b,c,d\n9007199254740993,1.0,true,\n',
  ],
  ['blanks at the ends, which readers drop outside of quotes', ['{"a":" x","b":"y"}'], 'a,b\n" x",y\n'],
  ['commands of a CI runner', ['{"a":"::x","##[y]":"a::b"}'], 'a,"##[y]"\n"::x",a::b\n'],
  ['commands of a CI runner in the header', ['{"##[a]":"##[b]"}'], '"##[a]"\n"##[b]"\n'],
  ['a row of one empty cell, which is no empty line', ['{"a":null}'], 'a\n""\n'],
  ['an empty list with its header, where that is known', [], 'id,name\n', { fields: ['id', 'name'] }],
  ['an empty list', [], ''],
  ['an object without members, which has no line', ['{}'], ''],
  ['no header', ['{"a":1}'], '1\n', { noHeader: true }],
  ['a byte order mark', ['{"a":1}'], '\ufeffa\n1\n', { bom: true }],
  ['fields, dotted paths included', ['{"id":1,"p":{"e":"x"}}'], 'p.e,id\nx,1\n', { fields: ['p.e', 'id'] }],
  ['rows that are no objects', ['3', '{"a":1}'], 'value,a\n3,\n,1\n'],
  ['formulas, left alone unless asked', ['{"a":"=1+1"}'], 'a\n=1+1\n'],
  ['formulas', ['{"=a":"+49 30"}', '{"=a":"-5"}'], `'=a\n'+49 30\n-5\n`, { escapeFormulas: true }],
  ['control characters at a terminal', ['{"a":"\\u001b[31m"}'], 'a\n\\u001b[31m\n', terminal],
]
const ids: readonly Row[] = [
  [
    'one a line, numbers as they stood',
    ['{"id":9007199254740993}', '{"id":"0190a1b2"}'],
    '9007199254740993\n0190a1b2\n',
  ],
  ['items that are plain values', ['3', '"a b"'], '3\na b\n'],
  ['an empty list', [], ''],
]

describe.each<[Format, readonly Row[]]>([
  ['json', json],
  ['ndjson', ndjson],
  ['csv', csv],
  ['ids', ids],
])('%s', (format, rows) => {
  for (const [what, items, printed, look = {}] of rows) {
    test(what, async () => {
      expect(await printList(format, items, { look })).toBe(printed)
    })
  }
})

test.each<[Format, string, string]>([
  ['json', '{"id":1}', '{"id":1}\n'],
  ['ndjson', '{"id":1}', '{"id":1}\n'],
  ['csv', '{"a":1}', 'a\n1\n'],
  ['ids', '{"id":1}', '1\n'],
])('one object as %s: %s', async (format, item, printed) => {
  expect(await printObject(format, item)).toBe(printed)
})

test('CSV has the documented fields first, then the others, and reports columns that appear later', async () => {
  const notes: string[] = []
  const look = { note: (text: string) => notes.push(text) }
  const pages = [[ada], [grace.replace('"id"', '"late":1,"id"')]]
  expect(await printList('csv', pages, { view: views.person, look })).toMatch(
    /^id,name,distinct_ids,properties,created_at,uuid\n/,
  )
  expect(notes).toEqual(['1 column left out: late (choose with --fields)'])
})

test('a reader of CSV gets the same cells', async () => {
  const cell = fc.string({ unit: fc.character }).filter(one => one.isWellFormed())
  const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(rows, async given => {
      const printed = await printList(
        'csv',
        given.map(([a, b]) => JSON.stringify({ a, b })),
      )
      for (const trim of [false, true]) expect(parse(printed, { trim })).toEqual([['a', 'b'], ...given])
    }),
    { numRuns: 300 },
  )
})

test('the view says which field is the id', async () => {
  expect(await printObject('ids', '{"job":"j1","id":2}', { view: { ...undocumented, id: 'job' } })).toBe('j1\n')
})

test.each([
  ['{"name":"x"}', 'An item of the response has no id'],
  ['{"id":null}', 'An item of the response has no id'],
  ['{"id":{"a":1}}', 'An item of the response has no id'],
  ['{"id":""}', 'An item of the response has no id'],
  ['{"id":"1\\n2"}', 'The response has the id 1\\n2, which cannot be printed on one line'],
  ['{"id":"\\ud800"}', 'The response has the id \\ud800, which cannot be printed on one line'],
  ['{"id":"::add-mask::1"}', 'The response has the id ::add-mask::1, which cannot be printed on one line'],
])('an id that a script could not read back is refused: %s', async (item, message) => {
  await expect(printList('ids', ['{"id":1}', item])).rejects.toMatchObject({ exit: 5, message })
})

test.each(['--yes', '1 2', '../7', '$(id)', '@current', '-5'])('a person cannot have the id %s', async id => {
  const printed = printList('ids', [JSON.stringify({ id })], { view: views.person })
  await expect(printed).rejects.toThrow('is not the id of a person')
})

test('prints a page before it requests the next one', async () => {
  const events: string[] = []
  async function* rows() {
    events.push('first asked for')
    yield [itemOf(1), itemOf(2)]
    events.push('second asked for')
    yield [itemOf(3)]
  }
  const render = await rendererOf('ndjson')
  for await (const chunk of render({ rows: rows(), isOne: false, view: undocumented }, pipe)) events.push(String(chunk))
  expect(events).toEqual(['first asked for', '1\n2\n', 'second asked for', '3\n'])
})

const formats: readonly Format[] = ['table', 'json', 'ndjson', 'csv', 'ids']

test('every format has a renderer', async () => {
  expect(settings.output.kind.choices).toEqual(formats)
  for (const format of formats) expect(await rendererOf(format)).toBeTypeOf('function')
})

test.each([
  [views.person, person],
  [views.plugin, plugin],
  [views.eventDefinition, eventDefinition],
  [views.projectListItem, projectListItem],
  [views.project, project],
])('a view shows documented fields only', (view, resource) => {
  const fields = Object.keys(resource)
  expect(view.fields).toEqual(fields)
  for (const column of view.columns) expect(fields).toContain(column.split('.')[0])
  expect(fields).toContain(view.id)
})
