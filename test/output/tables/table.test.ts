import { describe, expect, test } from 'vitest'
import type { RenderOptions } from '../../../src/output/document.ts'
import { views } from '../../../src/output/views.ts'
import { cells } from '../../../src/text/cells.ts'
import * as fc from '../../fast-check.ts'
import { acting, ada, grace, pipe, printList, printObject, terminal, text } from '../print.ts'

test('a list has the columns of its view; in a pipe nothing is cut', async () => {
  expect(await printList('table', [ada, grace], { view: views.person })).toBe(text`
    ID  Name          E-mail           Distinct IDs              Created
    1   Ada Lovelace  ada@example.com  ada, ada-2, ada-3, ada-4  2026-11-21 07:52:10Z
    2   Grace Hopper  -                grace                     2026-11-20 20:00:00Z
  `)
})

test('each of many rows has its own line, however many of them cli-table3 gets at once', async () => {
  const names = Array.from({ length: 219 }, (_, i) => `person ${1000 + i}`)
  const printed = await printList(
    'table',
    names.map(name => JSON.stringify({ id: 1, name, plan: null })),
  )
  expect(printed).toBe(`ID  Name         Plan\n${names.map(name => `1   ${name}  -\n`).join('')}`)
})

describe('at a terminal', () => {
  const at = async (width: number, items = [ada, grace], more: Partial<RenderOptions> = {}) => {
    const leftOut: string[] = []
    const onHiddenColumns = (names: readonly string[]) => void leftOut.push(...names)
    const look = { ...terminal, width, onHiddenColumns, ...more }
    return { printed: await printList('table', items, { view: views.person, look }), leftOut }
  }

  test('long lists are told by their first item', async () => {
    expect((await at(75)).printed).toBe(text`
      ID  Name          E-mail           Distinct IDs  Created
      1   Ada Lovelace  ada@example.com  ada +3        2026-11-21 07:52:10Z
      2   Grace Hopper  -                grace         2026-11-20 20:00:00Z
    `)
  })

  test('dates lose their time first, then text is cut, then columns are left out, which is said', async () => {
    expect((await at(66)).printed).toBe(text`
      ID  Name          E-mail           Distinct IDs  Created
      1   Ada Lovelace  ada@example.com  ada +3        2026-11-21
      2   Grace Hopper  -                grace         2026-11-20
    `)
    expect(await at(60)).toEqual({
      printed: text`
        ID  Name          E-mail           Distinct IDs  Created
        1   Ada Lovelace  ada@example.com  ada +3        2026-11-21
        2   Grace Hopper  -                grace         2026-11-20
      `,
      leftOut: [],
    })
    expect(await at(44)).toEqual({
      printed: text`
        ID  Name          E-mail
        1   Ada Lovelace  ada@example.com
        2   Grace Hopper  -
      `,
      leftOut: ['distinct_ids', 'created_at'],
    })
  })

  test('a column without any value is left out before others', async () => {
    const nobody = [ada, grace].map(item => item.replace(/"distinct_ids":\[[^\]]*\]/, '"distinct_ids":[]'))
    expect(await at(47, nobody)).toEqual({
      printed: text`
        ID  Name          E-mail           Created
        1   Ada Lovelace  ada@example.com  2026-11-21
        2   Grace Hopper  -                2026-11-20
      `,
      leftOut: ['distinct_ids'],
    })
  })

  test('the id and the name are cut last', async () => {
    const uuids = [ada, grace].map(item => item.replace(/"id":\d/, '"id":"0190a1b2-0000-7000-8000-000000000001"'))
    expect(await at(60, uuids)).toEqual({
      printed: text`
        ID                                    Name
        0190a1b2-0000-7000-8000-000000000001  Ada Lovelace
        0190a1b2-0000-7000-8000-000000000001  Grace Hopper
      `,
      leftOut: ['properties.email', 'distinct_ids', 'created_at'],
    })
    expect((await at(45, uuids)).printed).toBe(text`
      ID                                    Name
      0190a1b2-0000-7000-8000-000000000001  Ada Lo…
      0190a1b2-0000-7000-8000-000000000001  Grace …
    `)
    expect((await at(20, uuids)).printed).toBe('ID\n0190a1b2-0000-7000-…\n0190a1b2-0000-7000-…\n')
  })

  test('one long name does not take the other columns away', async () => {
    const long = ada.replace(
      'Ada Lovelace',
      'A name that is longer than any column of a terminal that somebody reads at',
    )
    expect((await at(80, [long, grace])).printed).toBe(text`
      ID  Name                               E-mail           Distinct IDs  Created
      1   A name that is longer than any c…  ada@example.com  ada +3        2026-11-21
      2   Grace Hopper                       -                grace         2026-11-20
    `)
  })

  test('what a cut list leaves out is always counted', async () => {
    const ids = Array.from({ length: 160 }, (_, i) => `"a-device-with-a-name-${1000 + i}"`).join()
    const many = ada.replace(/"distinct_ids":\[[^\]]*\]/, `"distinct_ids":[${ids}]`)
    expect((await at(65, [many, grace])).printed).toBe(text`
      ID  Name          E-mail           Distinct IDs        Created
      1   Ada Lovelace  ada@example.com  a-device-wit… +159  2026-11-21
      2   Grace Hopper  -                grace               2026-11-20
    `)
  })
})

test('numbers are aligned to the right, ids are not', async () => {
  const items = ['{"id":1,"count":5,"rate":1.25}', '{"id":20,"count":12431,"rate":null}']
  expect(await printList('table', items)).toBe(text`
    ID  Count  Rate
    1       5  1.25
    20  12431     -
  `)
})

test('fields pick the columns, dotted paths included', async () => {
  const look = { fields: ['properties.plan', 'id'] }
  expect(await printList('table', [ada, grace], { view: views.person, look })).toBe(text`
    Plan  ID
    pro   1
    -     2
  `)
})

test('columns that would have the same heading have the path of their field', async () => {
  const look = { fields: ['name', 'properties.name', '$x'] }
  expect(await printList('table', ['{"name":"Ada"}'], { look })).toBe(text`
    name  properties.name  $x
    Ada   -                -
  `)
})

test('the header can be left out, and is bold in colour', async () => {
  expect(await printList('table', ['{"a":1}'], { look: { header: false } })).toBe('1\n')
  expect(await printList('table', ['{"a":1}'], { look: { color: true } })).toBe('\u001b[1mA\u001b[22m\n1\n')
})

test('an empty list prints nothing', async () => {
  expect(await printList('table', [], { view: views.person })).toBe('')
})

test('without a view the columns are the keys that came, nested values are JSON', async () => {
  expect(await printList('table', ['{"name":"pro","count":1.0}', '{"count":true,"detail":{"a":[1]}}'])).toBe(text`
    Name  Count  Detail
    pro   1.0    -
    -     true   {"a":[1]}
  `)
  expect(await printList('table', ['{"count":1}'], { view: views.person })).toBe('Count\n    1\n')
})

test('plain values and arrays have a column of their own', async () => {
  expect(await printList('table', ['3', '"x"', '["a","b"]', '[[1]]', 'null'])).toBe(text`
    Value
    3
    x
    a, b
    [[1]]
    -
  `)
  expect(await printObject('table', '[{"name":"pro","count":2}]')).toBe('Name  Count\npro       2\n')
})

test('persons within a row are told by name, lists of them by number', async () => {
  const people = `[${ada},${grace}]`
  expect(await printList('table', [`{"people":${people},"count":2}`, '{"people":[],"count":0}'])).toBe(text`
    People     Count
    2 persons      2
    0 persons      0
  `)
  expect(await printList('table', [`{"person":${ada},"appearances":[1,0]}`])).toBe(text`
    Person        Appearances
    Ada Lovelace  1, 0
  `)
  expect(await printList('table', ['{"created_by":{"id":1,"distinct_id":"x","email":"ada@example.com"}}'])).toBe(
    'Created by\nada@example.com\n',
  )
})

const project = `{"name":"Acme","id":1,"api_token":"phc_0123456789abcdef","slack_incoming_webhook":"https://hooks.example.com/services/T00/B00/WXYZ","extra":{"nested":{"api_token":"phc_0123456789abcdef"}},"week_start_day":null,"app_urls":[]}`

test('an object is a field a line: those of the view in its order, then the others', async () => {
  expect(await printObject('table', project, { view: views.project })).toBe(text`
    ID                      1
    API token               ***cdef
    App URLs                -
    Name                    Acme
    Slack incoming webhook  ***WXYZ
    Week start day          -
    Extra                   {"nested":{"api_token":"***cdef"}}
  `)
  expect(await printObject('table', project, { look: { fields: ['name', 'extra.nested.api_token', 'x'] } })).toBe(text`
    Name       Acme
    API token  ***cdef
    X          -
  `)
})

test('secrets are masked wherever they are, unless they are to be shown', async () => {
  expect(await printList('table', [project], { look: { fields: ['api_token', 'extra'] } })).toBe(text`
    API token  Extra
    ***cdef    {"nested":{"api_token":"***cdef"}}
  `)
  expect(await printList('table', [project], { look: { fields: ['api_token'], reveal: true } })).toBe(
    'API token\nphc_0123456789abcdef\n',
  )
  expect(await printObject('table', '{"x":[{"\\u0061pi_token":"phc_0123456789abcdef"}]}')).not.toContain('phc_')
  expect(await printObject('table', '{"api_token":"short"}')).toBe('API token  ***\n')
  // As an activity tells that a secret was changed.
  const change = '{"type":"Team","field":"api_token","before":null,"after":"phc_0123456789abcdef"}'
  expect(await printObject('table', `{"detail":{"changes":[${change}]}}`)).toBe(
    'Detail  {"changes":[{"type":"Team","field":"api_token","before":null,"after":"***cdef"}]}\n',
  )
})

test('at a terminal what does not fit goes on below, JSON indented', async () => {
  const item = `{"id":1,"properties":{"email":"ada@example.com","plan":"pro"},"uuid":"0190a1b2-0000-7000-8000-000000000001"}`
  expect(await printObject('table', item, { look: { ...terminal, width: 44 } })).toBe(text`
    ID          1
    Properties  {
                  "email": "ada@example.com",
                  "plan": "pro"
                }
    UUID        0190a1b2-0000-7000-8000-00000000
                0001
  `)
})

test('in a pipe no column is padded beyond 40: a longer cell is whole, and moves what follows in its line', async () => {
  const long = 'x'.repeat(41)
  const items = [`{"a":"${long}","n":5}`, `{"a":"${'y'.repeat(40)}","n":1234}`, '{"a":"z","n":0}']
  expect(await printList('table', items)).toBe(
    [`A${' '.repeat(44)}N`, `${long}     5`, `${'y'.repeat(40)}  1234`, `z${' '.repeat(44)}0`, ''].join('\n'),
  )
  const key = `$${long}`
  expect(await printObject('table', `{"${key}":1,"b":{"c":2}}`)).toBe(`${key}  1\nB${' '.repeat(41)}{"c":2}\n`)
  expect(await printList('table', [`{"${key}":1,"b":"x"}`])).toBe(`${key}  B\n1  x\n`)
})

test('one plain value is itself', async () => {
  expect(await printObject('table', '"Ada"')).toBe('Ada\n')
  expect(await printObject('table', 'null')).toBe('-\n')
  expect(await printObject('table', '{}')).toBe('')
})

test('wide characters and marks stay aligned, and control characters are escaped', async () => {
  const names = ['日本', '🫠', 'שָׁלוֹם', '👍🏽', '❤️', '\u001b[31m', 'a\nb', '👩‍👧', 'a\u200db']
  expect(
    await printList(
      'table',
      names.map(name => JSON.stringify({ name, id: 1 })),
    ),
  ).toBe(
    [
      'Name        ID',
      '日本        1',
      '🫠          1',
      'שָׁלוֹם        1',
      '👍🏽          1',
      '❤️          1',
      '\\u001b[31m  1',
      'a\\nb        1',
      '👩‍👧          1',
      'a\\u200db    1',
      '',
    ].join('\n'),
  )
})

test('a later cell that is wider is cut at a terminal, and widens its column in a pipe', async () => {
  const batches = [['{"a":"xxxxxx","b":1}'], ['{"a":"xxxxxxxxx","b":2}', '{"a":"x","b":3}']]
  expect(await printList('table', batches)).toBe('A       B\nxxxxxx  1\nxxxxxxxxx  2\nx          3\n')
  expect(await printList('table', batches, { look: terminal })).toBe('A       B\nxxxxxx  1\nxxxxx…  2\nx       3\n')
})

const name = fc.constantFrom('id', 'name', 'properties', 'api_token', '10', 'a b', '\u001b[1m')
const value = fc.oneof(
  fc.string({ unit: fc.character, maxLength: 30 }),
  fc.jsonValue({ maxDepth: 2, stringUnit: fc.character }),
)
const item = fc.oneof({ weight: 5, arbitrary: fc.dictionary(name, value) }, { weight: 1, arbitrary: value })
const look = fc.record({
  header: fc.boolean(),
  width: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
  terminal: fc.boolean(),
  reveal: fc.boolean(),
  fields: fc.option(fc.array(name, { minLength: 1, maxLength: 3 }), { nil: undefined }),
})
test('whatever comes, it is printed, without control characters and without blanks at the end of a line', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 5 }), look, fc.boolean(), async (items, chosen, asList) => {
      const json = items.map(one => JSON.stringify(one))
      const printed = asList
        ? await printList('table', json, { look: { ...pipe, ...chosen } })
        : await printObject('table', json[0] ?? '{}', { look: { ...pipe, ...chosen } })
      expect(printed).not.toMatch(acting)
      expect(printed).not.toMatch(/ $/m)
    }),
    { numRuns: 200 },
  )
})

test('whatever comes, a row is a line, the second column begins under its header, and no line is too wide', async () => {
  const rows = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rows, fc.option(fc.integer({ min: 20, max: 90 }), { nil: undefined }), async (pairs, width) => {
      const items = pairs.map(([first, second]) => JSON.stringify({ first, second: `|${JSON.stringify(second)}` }))
      const printed = await printList('table', items, { look: { ...pipe, width } })
      const [header = '', ...lines] = printed.slice(0, -1).split('\n')
      // In a pipe a long cell moves what follows.
      const isMoved = (first: string) => width === undefined && cells(first) > 40
      const isLeftOut = width !== undefined && !header.includes('Second')
      expect(lines).toHaveLength(pairs.length)
      for (const line of lines) {
        const columns = starts(line)
        if (!isLeftOut && !isMoved(line.slice(0, line.lastIndexOf('  |'))))
          expect(columns).toContain(cells(header.slice(0, header.indexOf('Second'))))
        if (width !== undefined) expect(cells(line)).toBeLessThanOrEqual(width)
      }
    }),
    { numRuns: 200 },
  )
})

/** The cells at which a `|` stands behind a gap. */
function starts(line: string): number[] {
  return [...line.matchAll(/(?<= {2})\|/g)].map(found => cells(line.slice(0, found.index)))
}

test('one long name of many hides neither the e-mail nor its own beginning', async () => {
  const row = (name: string, i: number) =>
    `{"id":"0190a1b2-0000-7000-8000-00000000000${i}","name":"${name}","properties":{"email":"reader-${i}@example.com"}}`
  const rows = ['Philippa Constantia Featherstonehaugh-Wolfe', ...Array(9).fill('Ada Lovelace')].map(row)
  const printed = await printList('table', rows, { view: views.person, look: terminal })
  expect(printed.split('\n').slice(1, 3)).toEqual([
    '0190a1b2-0000-7000-8000-000000000000  Philippa Constantia…  reader-0@example.com',
    '0190a1b2-0000-7000-8000-000000000001  Ada Lovelace          reader-1@example.com',
  ])
})
