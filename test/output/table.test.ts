import { describe, expect, test } from 'vitest'
import { undocumented, type View, views } from '../../src/output/views.ts'
import { cells } from '../../src/text/cells.ts'
import * as fc from '../fast-check.ts'
import { ada, grace, pipe, printList, printObject, terminal, text } from './print.ts'

test('a list has the columns of its view; in a pipe nothing is cut', async () => {
  expect(await printList('table', [ada, grace], { view: views.person })).toBe(text`
    ID  Name          Email            Distinct IDs              Created
    1   Ada Lovelace  ada@example.com  ada, ada-2, ada-3, ada-4  2026-11-21 07:52:10Z
    2   Grace Hopper  -                grace                     2026-11-20 20:00:00Z
  `)
})

describe('at a terminal', () => {
  const at = async (width: number, items: readonly string[], view: View = views.person) => {
    let leftOut: readonly string[] = []
    const note = (text: string) => {
      leftOut = /^\d+ columns? left out: (.*) \(/.exec(text)?.[1]?.split(', ') ?? []
    }
    return { printed: await printList('table', items, { view, look: { ...terminal, width, note } }), leftOut }
  }

  test('dates are short', async () => {
    expect((await at(80, [ada, grace])).printed).toBe(text`
      ID  Name          Email            Distinct IDs              Created
      1   Ada Lovelace  ada@example.com  ada, ada-2, ada-3, ada-4  2026-11-21 07:52
      2   Grace Hopper  -                grace                     2026-11-20 20:00
    `)
  })

  test('cuts cells, and leaves out and names columns, that do not fit', async () => {
    expect(await at(64, [ada, grace])).toEqual({
      printed: text`
        ID  Name          Email            Distinct IDs
        1   Ada Lovelace  ada@example.com  ada, ada-2, ada-3, ada-4
        2   Grace Hopper  -                grace
      `,
      leftOut: ['created_at'],
    })
    expect(await at(50, [ada, grace])).toEqual({
      printed: text`
        ID  Name          Email            Distinct IDs
        1   Ada Lovelace  ada@example.com  ada, ada-2, ad…
        2   Grace Hopper  -                grace
      `,
      leftOut: ['created_at'],
    })
  })

  test('the id and the name are never cut', async () => {
    const name = 'A name that is longer than any column of a terminal that somebody reads at'
    expect(await at(80, [ada.replace('Ada Lovelace', name), grace])).toEqual({
      printed: `ID  Name\n1   ${name}\n2   Grace Hopper\n`,
      leftOut: ['properties.email', 'distinct_ids', 'created_at'],
    })
  })

  test('cuts a name that does not fit beside the id, and the id last', async () => {
    const uuids = [ada, grace].map(item => item.replace(/"id":\d/, '"id":"0190a1b2-0000-7000-8000-000000000001"'))
    expect((await at(47, uuids)).printed).toBe(text`
      ID                                    Name
      0190a1b2-0000-7000-8000-000000000001  Ada Love…
      0190a1b2-0000-7000-8000-000000000001  Grace Ho…
    `)
    expect((await at(20, uuids)).printed).toBe('ID\n0190a1b2-0000-7000-…\n0190a1b2-0000-7000-…\n')
  })

  test('a long value gets 32 cells, and the room that is left', async () => {
    const rows = [JSON.stringify({ id: 1, note: 'n'.repeat(60), count: 7 })]
    expect((await at(60, rows, undocumented)).printed).toBe(
      `ID  Note                                               Count\n1   ${'n'.repeat(48)}…      7\n`,
    )
    expect((await at(44, rows, undocumented)).printed).toBe(
      `ID  Note                               Count\n1   ${'n'.repeat(32)}…      7\n`,
    )
  })

  test('for any values, no line is wider than the terminal', async () => {
    const row = fc.record({ id: fc.integer(), name: fc.string({ unit: fc.character }), x: fc.json(), y: fc.double() })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1 }), fc.integer({ min: 20, max: 120 }), async (rows, width) => {
        const { printed } = await at(
          width,
          rows.map(one => JSON.stringify(one)),
          undocumented,
        )
        for (const line of printed.split('\n')) expect(cells(line)).toBeLessThanOrEqual(width)
      }),
      { numRuns: 200 },
    )
  })
})

test('numbers are right-aligned and keep their digits; ids and texts are left-aligned', async () => {
  const items = ['{"id":1,"count":5,"rate":1.0,"big":9007199254740993}', '{"id":20,"count":12431,"rate":null,"big":1}']
  expect(await printList('table', items)).toBe(text`
    ID  Count  Rate               Big
    1       5   1.0  9007199254740993
    20  12431     -                 1
  `)
})

test('in a pipe a wider row of a later page widens its column from then on', async () => {
  expect(await printList('table', [['{"a":"x","b":1}'], ['{"a":"wider","b":2}'], ['{"a":"y","b":3}']])).toBe(
    'A  B\nx  1\nwider  2\ny      3\n',
  )
})

test('a table of several chunks has one heading', async () => {
  const names = Array.from({ length: 219 }, (_, i) => `person ${1000 + i}`)
  const items = names.map(name => JSON.stringify({ id: 1, name, plan: null }))
  expect(await printList('table', items)).toBe(
    `ID  Name         Plan\n${names.map(name => `1   ${name}  -\n`).join('')}`,
  )
})

test.each([
  ['the heading can be left out', ['{"a":1}'], { noHeader: true }, '1\n'],
  ['an empty list is nothing', [], {}, ''],
  ['rows that are no objects have a column', ['3', '"x"', '{"a":1}'], {}, 'Value  A\n3      -\nx      -\n-      1\n'],
  [
    'chosen fields are the columns',
    ['{"a":{"b":[1,2]},"c":2}'],
    { fields: ['c', 'a.b.1', 'd'] },
    'C  a.b.1  D\n2      2  -\n',
  ],
  ['two columns with one heading show their paths', ['{"a":1}'], { fields: ['x.at', 'y.at'] }, 'x.at  y.at\n-     -\n'],
  ['nested values are JSON', ['{"a":[{"b":1.0}],"c":{}}'], {}, 'A            C\n[{"b":1.0}]  {}\n'],
  [
    'a CI runner takes no line for a command',
    ['{"id":"::add-mask::x"}', '{"id":"##[debug]"}'],
    {},
    'ID\n\\u003a:add-mask::x\n\\u0023#[debug]\n',
  ],
])('%s', async (_, items, look, printed) => {
  expect(await printList('table', items, { look })).toBe(printed)
})

const token = '{"id":1,"api_token":"made-up-token-1234","url":"https://ada:secret@example.com/?token=abc"}'

test('masks fields with a secret name, unless --reveal is given', async () => {
  expect(await printList('table', [token])).toBe(text`
    ID  API token  URL
    1   ***1234    https://***@example.com/?token=***
  `)
  expect(await printList('table', [token], { look: { reveal: true } })).toContain('made-up-token-1234')
  expect(await printList('table', [token], { look: { fields: ['api_token'] } })).toBe('API token\n***1234\n')
  expect(await printList('table', ['{"id":1,"tokens":["aaaaa","bbbbb"]}'])).toBe('ID  Tokens\n1   ***\n')
})

describe('a record', () => {
  test('has a line for each field, documented fields first', async () => {
    expect(await printObject('table', '{"x":[1,2],"name":"Ada","id":1,"note":null}', { view: views.person })).toBe(text`
      ID    1
      Name  Ada
      X     1, 2
      Note  -
    `)
  })

  test('can have only chosen fields, or those of its view', async () => {
    const printed = 'ID    1\nName  Ada Lovelace\n'
    expect(await printObject('table', ada, { look: { fields: ['id', 'name'] } })).toBe(printed)
    expect(await printObject('table', ada, { view: { ...views.person, shown: ['id', 'name'] } })).toBe(printed)
  })

  test('has nested values laid out at a terminal, which breaks long lines itself', async () => {
    const item = '{"id":1,"note":"0123456789","properties":{"a":1.0,"b":[]}}'
    expect(await printObject('table', item, { look: { ...terminal, width: 12 } })).toBe(text`
      ID          1
      Note        0123456789
      Properties  {
                    "a": 1.0,
                    "b": []
                  }
    `)
    expect(await printObject('table', item)).toBe(
      'ID          1\nNote        0123456789\nProperties  {"a":1.0,"b":[]}\n',
    )
  })

  test('has short dates at a terminal', async () => {
    const item = '{"id":1,"created_at":"2026-11-21T07:52:10Z"}'
    expect(await printObject('table', item, { look: terminal })).toBe('ID       1\nCreated  2026-11-21 07:52\n')
    expect(await printObject('table', item)).toBe('ID       1\nCreated  2026-11-21 07:52:10Z\n')
  })

  test('shows the first ten items of a list at a terminal, and how to see all', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `id-${i + 1}`)
    const item = JSON.stringify({ id: 1, distinct_ids: ids(1160), tags: ids(10), steps: Array(12).fill({ a: [] }) })
    const shown = (await printObject('table', item, { look: terminal })).split('\n')
    expect(shown.slice(0, 4)).toEqual([
      'ID            1',
      `Distinct IDs  ${ids(10).join(', ')}`,
      '              … 1,150 more (see all with --fields distinct_ids)',
      `Tags          ${ids(10).join(', ')}`,
    ])
    expect(shown.at(-2)).toBe('              … 2 more (see all with --fields steps)')
    const fields = ['distinct_ids']
    expect(await printObject('table', item, { look: { ...terminal, fields } })).toContain('id-1160\n')
    expect(await printObject('table', item)).toContain('id-1160\n')
  })

  test('a text is shown as it is', async () => {
    expect(await printObject('table', '"all good"')).toBe('all good\n')
  })
})

test('with color, only headings and labels are bold', async () => {
  const look = { ...pipe, color: true }
  expect(await printList('table', ['{"id":1}'], { look })).toBe('\u001b[1mID\u001b[22m\n1\n')
  expect(await printObject('table', '{"id":1}', { look })).toBe('\u001b[1mID\u001b[22m  1\n')
})
