import { expect, test } from 'vitest'
import { timelineView, undocumented } from '../../../src/output/views.ts'
import { cells } from '../../../src/text/cells.ts'
import * as fc from '../../fast-check.ts'
import { newWorld } from '../../world.ts'
import { acting, ada, grace, pipe, printList, printObject, terminal, text } from '../print.ts'

const view = timelineView
const narrow = { ...terminal, width: 60 }

/** What somebody did, with its detail as JSON text. */
const deed = (detail: string, more = '') =>
  `{"user":{"first_name":"Nora","email":"nora@example.com"},"activity":"updated","scope":"Person","item_id":"55","detail":${detail},"created_at":"2026-11-21T19:09:04.000Z"${more}}`

/** The lines below the row of a deed whose detail holds these changes. */
async function changesOf(changes: string, look = pipe) {
  const printed = await printList('table', [deed(`{"changes":${changes}}`)], { view, look: { ...look, header: false } })
  return printed.slice(printed.indexOf('\n') + 1)
}

const point = (properties: string, more = '') =>
  `{"timestamp":"2026-11-21T07:52:10.5Z","properties":${properties},"relevant_event_count":3${more}}`

/** The lines of some points, without what stands around them. */
const pointsOf = (points: readonly string[], look = pipe) =>
  printObject('table', `{"points":[${points.join()}]}`, { view, look })

test('activity is a row for who did what to what, and below it what that changed', async () => {
  const gone = `{"user":null,"activity":"deleted","scope":"Person","item_id":3,"detail":{"name":"Grace","changes":null},"created_at":"2026-11-20T22:00:00+02:00","unread":true}`
  const changes = `[{"type":"Person","action":"changed","field":"plan","before":"free","after":"pro"},{"type":"Person","action":"created","field":"coupon","before":null,"after":"WELCOME"},{"type":"Person","action":"deleted","field":"orders","before":12,"after":null}]`
  expect(await printList('table', [deed(`{"name":"Ada","changes":${changes}}`), gone], { view })).toBe(text`
    Created               User              Activity  Scope   Item ID  Name
    2026-11-21 19:09:04Z  nora@example.com  updated   Person  55       Ada
      ~ plan    free → pro
      + coupon  WELCOME
      - orders  12
    2026-11-20 20:00:00Z  -                 deleted   Person  3        Grace
  `)
})

test('a change within an object is told by what differs in it', async () => {
  const change = `{"field":"properties","before":{"plan":"free","a.b":1,"kept":[1, 2]},"after":{"kept":[1,2],"plan":"pro","new":{"x":null}}}`
  expect(await changesOf(`[${change}]`)).toBe(
    '  ~ properties.plan  free → pro\n  + properties.new   {"x":null}\n  - properties.a.b   1\n',
  )
  expect(await changesOf('[{"field":"filters","action":"created","before":null,"after":{}}]')).toBe('  + filters  {}\n')
})

test('of a change that says less, what it says is told', async () => {
  expect(await changesOf('[{"type":"Person","action":"changed","field":"properties"}]')).toBe(
    '  ~ properties  changed\n',
  )
  expect(await changesOf('[{"action":"changed","field":"tags","after":["a","b","c","d"]}]')).toBe(
    '  ~ tags  a, b, c, d\n',
  )
  expect(await changesOf('[{"action":"changed","field":"tag","before":null,"after":"1"}]')).toBe('  ~ tag  - → 1\n')
  expect(await changesOf('[{"action":"changed","field":"tag","before":"1","after":null}]')).toBe('  ~ tag  1 → -\n')
  expect(await changesOf('[{"action":"split","field":"ids","before":["a","b"],"after":["a"]}]')).toBe(
    '  ~ ids (split)  a, b → a\n',
  )
  expect(await changesOf('[{"action":"split","after":{"ids":["a"]}}]')).toBe('  + ids (split)  a\n')
  expect(await changesOf('[{}, 3, null, {"field":7}, {"who":"knows","field":"x"}]')).toBe(
    '    {}\n    3\n    -\n  ~ -\n    {"who":"knows","field":"x"}\n',
  )
})

test('a detail that is not understood is told as it came', async () => {
  const printed = (detail: string) => printList('table', [deed(detail)], { view, look: { header: false } })
  const row = '2026-11-21 19:09:04Z  nora@example.com  updated  Person  55  -\n'
  for (const nothing of ['null', '{}', '{"changes":[],"name":null}']) expect(await printed(nothing)).toBe(row)
  expect(await printed('"by hand"')).toBe(`${row}    detail  by hand\n`)
  expect(await printed('[{"a":1}]')).toBe(`${row}    detail  [{"a":1}]\n`)
  expect(await printed('{"changes":"many","trigger":{"job_id":9007199254740993}}')).toBe(
    `${row}    changes  many\n    trigger  {"job_id":9007199254740993}\n`,
  )
})

test('items among them that are something else are told whole', async () => {
  expect(await printList('table', [deed('null'), '3', '{"activity":7}'], { view, look: { header: false } })).toBe(text`
    2026-11-21 19:09:04Z  nora@example.com  updated  Person  55  -
    -                     -                 -        -       -   -
        3
    -                     -                 7        -       -   -
  `)
})

test('what has another shape is a table, as it is where somebody chose fields', async () => {
  for (const items of [
    [ada, grace],
    ['3', '"x"'],
    ['{"activity":"deleted"}'],
    [deed('null').replace('"activity"', '"act"')],
  ]) {
    expect(await printList('table', items, { view })).toBe(await printList('table', items))
  }
  for (const item of [ada, '3', '[1]', '{}', '{"points":[]}', '{"points":[1,{"a":2}]}', '{"points":{"timestamp":1}}']) {
    expect(await printObject('table', item, { view })).toBe(await printObject('table', item))
  }
})

test('a timeline of properties tells at each point what changed since the one before', async () => {
  const points = [
    point('{"plan":"free","email":"ada@example.com","coupon":"WELCOME"}'),
    point('{"email":"ada@example.com","plan":"pro","coupon":"WELCOME","orders":12}').replace(':3}', ':1}'),
    point('{"orders":12,"plan":"pro","email":"ada@example.com"}').replace(/,"relevant.*/, '}'),
  ]
  const item = `{"points":[${points}],"crucial_property_keys":["plan"],"effective_date_from":"2026-11-21T00:00:00Z","effective_date_to":null}`
  expect(await printObject('table', item, { view })).toBe(text`
    Crucial property keys  plan
    Effective date from    2026-11-21 00:00:00Z
    Effective date to      -

    2026-11-21 07:52:10Z  3 events
      + plan (crucial)  free
      + email           ada@example.com
      + coupon          WELCOME
    2026-11-21 07:52:10Z  1 event
      ~ plan (crucial)  free → pro
      + orders          12
    2026-11-21 07:52:10Z
      - coupon  WELCOME
  `)
})

test('numbers are told apart as they came, and so are a number and the text of it', async () => {
  const first = point('{"n":9007199254740993,"same":"\\u00e9","list":[1,{"a":2}],"kind":1,"zero":1}')
  const second = point('{"n":9007199254740992,"same":"é","list":[1, {"a": 2}],"kind":"1","zero":1.0}')
  const printed = await pointsOf([first, second])
  expect(printed.slice(printed.lastIndexOf('events\n') + 'events\n'.length)).toBe(
    '  ~ n     9007199254740993 → 9007199254740992\n  ~ kind  1 → "1"\n  ~ zero  1 → 1.0\n',
  )
})

test('points without properties leave them as they were, odd ones are told', async () => {
  const head = '2026-11-21 07:52:10Z  3 events\n'
  const points = [point('{"a":1}'), point('null'), point('"?"'), '7', '{}', point('{"a":1}', ',"more":[1],"none":null')]
  expect(await pointsOf(points)).toBe(
    `${head}  + a  1\n${head}${head}    properties  ?\n-\n    7\n-\n${head}    more  1\n`,
  )
})

test('secrets are masked on both sides of a change, unless they are to be shown', async () => {
  const [old, fresh] = ['phc_0123456789abcdef', 'phc_fedcba9876543210']
  const changes = [
    `{"field":"api_token","before":"${old}","after":"${fresh}"}`,
    `{"field":"api_token","before":{"a":"${old}"},"after":{"a":"${fresh}"}}`,
    `{"field":"api_token","before":"${old}","odd":"${fresh}"}`,
    `{"field":"team","before":{"api_token":"${old}","x":{"api_token":"${old}"}},"after":{"api_token":"${fresh}","x":[{"api_token":"${fresh}"}]}}`,
    `{"field":"team","before":[{"api_token":"${old}"}],"after":{"x":{"slack_incoming_webhook":"${fresh}"}}}`,
  ].join()
  const printed = await changesOf(`[${changes}]`)
  expect(printed).not.toMatch(/phc_/)
  expect(printed).toContain('~ api_token       (secret) → (another secret)\n')
  expect(await changesOf(`[${changes}]`, { ...pipe, reveal: true })).toContain(`${old} → ${fresh}\n`)
  const points = [point(`{"api_token":"${old}"}`), point(`{"api_token":"${old.replace('phc', 'xyz')}"}`)]
  expect(await pointsOf(points)).toContain('~ api_token  (secret) → (another secret)\n')
})

test('at a terminal no line is wider than it, and both sides of a change are seen where they part', async () => {
  const long = 'https://shop.example.com/?q=a-book-of-many-words-and-fewer-pages'
  const change = (after: string) => `[{"field":"url","before":"${long}","after":"${after}"}]`
  expect(await changesOf(change('/'), narrow)).toBe('  ~ url  https://shop.example.com/?q=a-book-of-many-wor… → /\n')
  expect(await changesOf(change(`${long}/2`), narrow)).toBe('  ~ url  …ages → …ages/2\n')
  expect(await changesOf(change(`x${long}`), narrow)).toBe(
    '  ~ url  https://shop.example.co… → xhttps://shop.example.c…\n',
  )
  expect(await changesOf(change(`${long}/2`))).toBe(`  ~ url  ${long} → ${long}/2\n`)
})

test('at a terminal the time is whole, like an id that leaves room for it', async () => {
  const printed = await printList('table', [deed('{"name":"0190a1b2-0000-7000-8000-000000000001"}')], {
    view,
    look: terminal,
  })
  expect(printed).toBe(text`
    Created               User              Activity  Scope   Item ID  Name
    2026-11-21 19:09:04Z  nora@example.com  updated   Person  55       0190a1b2-000…
  `)
})

test('a name that is long moves its own value only', async () => {
  const name = 'n'.repeat(1000)
  const printed = await pointsOf([point(`{"${name}":1,"b":2}`)])
  expect(printed).toContain(`  + ${name}  1\n  + ${'b'.padEnd(40)}  2\n`)
})

test('signs say what colour does not: only headings are bold', async () => {
  const look = { ...pipe, color: true }
  expect(await pointsOf([point('{"a":1}')], look)).toBe('\u001b[1m2026-11-21 07:52:10Z  3 events\u001b[22m\n  + a  1\n')
  expect(await changesOf('[{"field":"a","before":1,"after":2}]', look)).toBe('  ~ a  1 → 2\n')
})

test('many points are told, and points of many properties', async () => {
  const points = Array.from({ length: 20_000 }, (_, i) => point(`{"n":${i},"email":"ada@example.com"}`))
  const printed = await pointsOf(points)
  expect(printed.split('\n')).toHaveLength(40_000 + 2)
  expect(printed.endsWith('\n  ~ n  19998 → 19999\n')).toBe(true)
  const wide = (last: number) =>
    point(`{${Array.from({ length: 5000 }, (_, i) => `"p${i}":${i === 4999 ? last : i}`).join()}}`)
  expect(await pointsOf([wide(0), wide(1)])).toMatch(/events\n {2}~ p4999 {2}0 → 1\n$/)
})

test('whoever asks for fields or a query, or a dialect without changes, gets a table', async () => {
  const world = newWorld()
  const typed = async (line: string) => {
    const { stdout } = await world.run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1' } })
    return stdout.slice(0, stdout.indexOf('\n'))
  }
  const headings = ['User', 'Activity', 'Scope', 'Item ID', 'Detail', 'Created']
  expect(await typed('persons activity --dialect observed')).toMatch(/^Created +User +Activity/)
  expect((await typed('persons activity --dialect observed --query []')).split(/ {2,}/)).toEqual(headings)
  expect(await typed('plugins activity --dialect observed --fields activity')).toBe('Activity')
  expect(await typed('persons properties-timeline 55 --dialect observed --query points')).toMatch(/^Timestamp +Prop/)
  expect(await typed('persons activity')).toMatch(/^ID +55$/)
})

const name = fc.constantFrom(
  'changes',
  'name',
  'field',
  'before',
  'after',
  'action',
  'api_token',
  '__proto__',
  '\u001b[1m',
)
const value = fc.oneof(
  fc.string({ unit: fc.character, maxLength: 30 }),
  fc.jsonValue({ maxDepth: 2, stringUnit: fc.character }),
  fc.array(fc.dictionary(name, fc.jsonValue({ maxDepth: 2, stringUnit: fc.character })), { maxLength: 3 }),
  fc.dictionary(name, fc.jsonValue({ maxDepth: 2, stringUnit: fc.character })),
)
const member = fc.constantFrom(
  'timestamp',
  'properties',
  'relevant_event_count',
  'activity',
  'created_at',
  'user',
  'detail',
  'x',
)
const entry = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(member, fc.oneof(value, fc.dictionary(name, value))) },
  { weight: 1, arbitrary: value },
)

test('whatever comes is told, without control characters, no blanks at the end of a line, and no line too wide', async () => {
  const width = fc.option(fc.integer({ min: 80, max: 120 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 6 }), value, width, async (entries, crucial, width) => {
      const look = { ...pipe, width, terminal: width !== undefined }
      const json = entries.map(one => JSON.stringify(one))
      const items = [deed('null'), ...json]
      const whole = `{"points":[${[point('{}'), ...json]}],"crucial_property_keys":${JSON.stringify(crucial)}}`
      for (const printed of [
        await printList('table', items, { view, look }),
        await printObject('table', whole, { view, look }),
      ]) {
        expect(printed).not.toMatch(acting)
        expect(printed).not.toMatch(/ $/m)
        for (const line of printed.split('\n'))
          expect(cells(line)).toBeLessThanOrEqual(width ?? Number.POSITIVE_INFINITY)
      }
    }),
    { numRuns: 30 },
  )
})

test('the other formats know nothing of it', async () => {
  const items = [deed('{"changes":[{"field":"a","before":1,"after":2}]}')]
  for (const format of ['json', 'ndjson', 'csv', 'tsv', 'yaml'] as const) {
    expect(await printList(format, items, { view })).toBe(await printList(format, items, { view: undocumented }))
  }
})
