import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UsageError } from '../../../src/errors.ts'
import type { Document } from '../../../src/output/document.ts'
import { parseQuery } from '../../../src/output/query/query.ts'
import { undocumented, views } from '../../../src/output/views.ts'
import { newWorld } from '../../world.ts'
import { ada, grace } from '../print.ts'

const list = (...batches: string[][]): Document => ({
  shape: 'list',
  batches: batches.map(batch => batch.map(text => Buffer.from(text))),
  view: views.person,
})
const object = (item: string): Document => ({ shape: 'object', batches: [[Buffer.from(item)]], view: views.person })

const query = async (document: Document, expression: string) => parseQuery(expression)(document)

async function itemsOf(document: Document): Promise<string[]> {
  const items: string[] = []
  for await (const batch of document.batches) for (const item of batch) items.push(item.toString())
  return items
}

test('an expression sees the whole list, not one batch of it', async () => {
  const counted = await query(list(['{"id":1}'], ['{"id":2}', '{"id":3}']), 'length(@)')
  expect(counted.shape).toBe('object')
  expect(await itemsOf(counted)).toEqual(['3'])
})

test('an array comes out as a list, anything else as an object', async () => {
  const emails = await query(list([ada, grace]), '[].properties.email')
  expect(emails).toMatchObject({ shape: 'list', view: undocumented })
  expect(await itemsOf(emails)).toEqual(['"ada@example.com"'])
  const plan = await query(object(ada), 'properties.{plan: plan}')
  expect(plan).toMatchObject({ shape: 'object', view: undocumented })
  expect(await itemsOf(plan)).toEqual(['{"plan":"pro"}'])
  expect(await itemsOf(await query(object(ada), 'nothing'))).toEqual(['null'])
  expect(await itemsOf(await query(list(), '@'))).toEqual([])
})

test('records that were only selected look as they did', async () => {
  const selected = await query(list([ada, grace]), "[?name=='Ada Lovelace']")
  expect(selected.view).toBe(views.person)
  expect(await itemsOf(selected)).toEqual([ada])
  expect((await query(list([ada]), '[0]')).view).toBe(views.person)
  expect((await query(list([ada]), '[].{id: id, email: properties.email}')).view).toBe(undocumented)
})

test('integers beyond 2^53 are strings to it', async () => {
  expect(await itemsOf(await query(list(['{"id":9007199254740993}']), '[].id'))).toEqual(['"9007199254740993"'])
})

test('max_by and min_by find the greatest and the least of texts as of numbers', async () => {
  const keyed = fc.oneof(fc.array(fc.string()), fc.array(fc.integer({ min: -1e6, max: 1e6 })))
  const isGreater = (a: string | number, b: string | number) => a > b
  await fc.assert(
    fc.asyncProperty(keyed, async keys => {
      const rows = list(keys.map((k, id) => JSON.stringify({ id, k })))
      const sorted = [...keys].sort((a, b) => (isGreater(a, b) ? 1 : isGreater(b, a) ? -1 : 0))
      for (const [name, wanted] of [
        ['max_by', sorted.at(-1)],
        ['min_by', sorted.at(0)],
      ] as const) {
        expect(await itemsOf(await query(rows, `${name}(@, &k).k`))).toEqual([JSON.stringify(wanted ?? null)])
      }
    }),
  )
})

test('max_by and min_by take the first of equal rows, as aws does, and name themselves in errors', async () => {
  const rows = list(['{"id":1,"k":"a"}', '{"id":2,"k":"b"}', '{"id":3,"k":"b"}', '{"id":4,"k":"a"}'])
  expect(await itemsOf(await query(rows, '[max_by(@, &k).id, min_by(@, &k).id]'))).toEqual(['2', '1'])
  const wide = list(['{"id":1,"k":"\u{1f600}"}', '{"id":2,"k":"\uffee"}'])
  expect(await itemsOf(await query(wide, 'max_by(@, &k).[id]'))).toEqual(['1'])
  for (const expression of ['max_by(@, &none)', 'max_by(@, &not_null(none, id, k))', 'min_by(@, &[k])']) {
    await expect(query(list(['{"id":1}', '{"k":"x"}']), expression)).rejects.toThrow(/m(ax|in)_by\(\)/)
  }
})

test.each([
  '[?',
  'a..b',
  '',
  'no_such_function(@)',
  '[].{n: lenght(name)}',
])('%j is refused before there is anything to apply it to', expression =>
  expect(() => parseQuery(expression)).toThrow(UsageError))

test('a literal that looks like a call is none', () => {
  expect(() => parseQuery('`{"type":"Function","name":"x"}`')).not.toThrow()
})

test('text between backquotes needs no quotes of its own, as in aws', async () => {
  const ids = await query(
    list(['{"id":1,"name":"Ada Lovelace"}', '{"id":2,"name":"Grace"}']),
    '[?name==`Ada Lovelace`].id',
  )
  expect(await itemsOf(ids)).toEqual(['1'])
  expect(() => parseQuery('[?created_at>`2026-01-31`]')).toThrow('--query compares texts')
})

test('an expression that does not fit the result is refused then', async () => {
  const ask = parseQuery('sum([].name)')
  await expect(ask(list([ada]))).rejects.toThrow(UsageError)
})

test.each([
  "[?created_at>'2026-01-01']",
  '[?a.b <= `"x"`].id',
  "{x: [?'a' < name]}",
])('%s compares texts, and is refused', expression => {
  expect(() => parseQuery(expression)).toThrow('--query compares texts')
})

const people = ['{"age":36,"seen":"2026-01-31"}', '{"age":2.5,"seen":"2026-02-01"}', '{"n":9007199254740993}']

test.each([
  ['[?age>`3`]', [people[0]]],
  ['[?age && age<=`2.5`].seen', ['"2026-02-01"']],
  ["[?seen=='2026-02-01' && age<`3`].age", ['2.5']],
  ['[?missing>`3`]', []],
  ['map(&(age > `3`), @)', ['true', 'false', 'null']],
  ['sort_by([?seen], &seen)[].age', ['36', '2.5']],
  ['`{"type":"Comparator","name":"GT","left":"a","right":"b"}`.name', ['"GT"']],
])('%s orders numbers only', async (expression, found) => {
  expect(await itemsOf(await query(list(people), expression))).toEqual(found)
})

test.each([
  '[?seen>age]',
  '[?seen>missing]',
  '[?seen<=seen].age',
  'map(&(seen < `3`), @)',
  'max_by([?age], &age).{later: seen >= age}',
  '[?n>`3`]',
])('%s finds texts to order in what came, and is refused', async expression => {
  await expect(query(list(people), expression)).rejects.toThrow('--query compares texts')
})

test('texts that are ordered after a write are warned of, and the result is that of JMESPath', async () => {
  const world = newWorld()
  const ran = await world.run(['--sandbox', 'persons', 'update', '3', '--set', 'a=b', '--query', 'created_at > name'])
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('--query compares texts')])
  const many = ['persons', 'update', '3', '4', '--set', 'a=c', '--yes', '--query', '[?id > status].id']
  expect(await world.run(['--sandbox', ...many])).toMatchObject({ code: 0, stdout: '' })
  const read = await world.run(['--sandbox', 'persons', 'list', '--query', '[?created_at > name]'])
  expect([read.code, read.stdout, read.stderr]).toEqual([2, '', expect.stringContaining('--where')])
})

test('a query that does not fit the outcomes of a write is warned of, since the write was made', async () => {
  const world = newWorld()
  const many = ['persons', 'delete', '3', '4', '--yes', '-o', 'json', '--query', 'sum([].id)']
  const ran = await world.run(['--sandbox', ...many])
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, 'null\n', expect.stringContaining('does not fit')])
  expect((await world.run(['--sandbox', 'persons', 'list', '--query', 'sum([].id)'])).code).toBe(0)
  expect((await world.run(['--sandbox', 'persons', 'list', '--query', 'sum([].name)'])).code).toBe(2)
})

const token = 'phc_0123456789'
const shop = {
  id: 1,
  name: 'Shop',
  api_token: token,
  settings: { slack_incoming_webhook: 'https://hooks.example.com/1' },
}
const projects = () => list([JSON.stringify(shop), JSON.stringify({ ...shop, id: 2, api_token: 'phc_9876543210' })])
const inTable = (expression: string) => parseQuery(expression)(projects(), { masks: true })

test.each([
  "length([?starts_with(api_token,'phc_')])",
  `[?api_token!='${token}'].id`,
  `[].{id: id, t: api_token} | [?t=='${token}'].id`,
  `[].api_token | contains(@, '${token}')`,
  "[].api_token | [?starts_with(@, 'phc')]",
  "[0].settings.slack_incoming_webhook | @ == 'https://hooks.example.com/1'",
  `[0] | [api_token] | [0] == '${token}'`,
  '[].length(api_token)',
  "let $t = [0].api_token in starts_with($t, 'phc')",
])('%s finds something else where secrets are masked, and is refused', async expression => {
  await expect(inTable(expression)).rejects.toMatchObject({ exit: 2, facts: { hint: 'Add -o json, or --reveal' } })
  await expect(query(projects(), expression)).resolves.toBeDefined()
})

test.each([
  '[].api_token',
  '[].{t: api_token}',
  '[?api_token].id',
  "[?api_token!='x'].id",
  "[?name=='api_token'].api_token",
  "[?id] | [0].{t: api_token || 'none'}",
  'sort_by([].{name: name, token: api_token}, &name)',
  'reverse([].{name: name, token: api_token})',
  "join(', ', [].api_token)",
  "[0].not_null(settings.slack_incoming_webhook, 'none')",
  "[?name=='x'].{name: api_token}",
])('%s finds the same where secrets are masked, and shows the masks', async expression => {
  const shown = (await itemsOf(await inTable(expression))).join()
  expect(shown).not.toMatch(/phc_|hooks/)
})

test('secrets of thousands of rows are compared in one pass, in texts that hold one or all of them', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}`, api_token: `phc_${i}-0123456789` }))
  const ask = (expression: string) =>
    parseQuery(expression)(list(rows.map(row => JSON.stringify(row))), { masks: true })
  const one = await itemsOf(await ask("[].join(' ', [name, api_token])"))
  expect(one[7]).toBe('"n7 ***6789"')
  expect((await itemsOf(await ask("join(', ', [].api_token)"))).join()).not.toContain('phc_')
  await expect(ask("[].join(' ', [name, (ends_with(api_token, '7-0123456789') && 'x') || 'y'])")).rejects.toThrow(
    'mask',
  )
})

test('a query that tests a masked field is refused in a table without --reveal', async () => {
  const world = newWorld()
  const asked = "length([?starts_with(api_token,'phc_')])"
  const list = (...argv: string[]) => world.run(['--sandbox', 'projects', 'list', '--query', asked, ...argv])
  expect(await list()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('-o json, or --reveal') })
  expect((await list('--reveal')).stdout).toBe('2\n')
  expect((await list('-o', 'json')).stdout).toBe('2\n')
  const api = ['--sandbox', 'api', 'GET', '/api/projects/', '--query', "results[?api_token!='x'] | length(@)"]
  expect(await world.run(api)).toMatchObject({ code: 0, stdout: '2\n' })
})

test('a record nested too deeply for it comes only without it', async () => {
  const deep = object(`{"a":${'['.repeat(1001)}${']'.repeat(1001)}}`)
  await expect(query(deep, 'id')).rejects.toMatchObject({
    exit: 5,
    facts: { hint: expect.stringContaining('--query out') },
  })
})

test.each([
  ['persons list', 'length(@)'],
  ['persons list', 'sum([].properties.orders)'],
  ['persons list', '@.length(@)'],
  ['persons list', "length(@) || '0'"],
  ['persons list', '[length(@)]'],
  ['persons list', '{id: length(@)}'],
  ['persons list', '[].length(distinct_ids)'],
  ['persons list', 'map(&length(distinct_ids), @)'],
  ['persons list', 'to_string(length(@))'],
  ['persons list', '[].{id: length(distinct_ids)} | [0].id'],
  ['persons list', 'length(@) + `1`'],
  // Before anything is sent.
  ['persons update 4 --set a=b --yes', 'length(@)'],
])('%s --query %s gives no ids: a count is not printed as one', async (line, expression) => {
  const { code, stdout, stderr } = await newWorld().run([
    ...line.split(' '),
    ...['--sandbox', '-o', 'ids', '--query', expression],
  ])
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('The --query gives no ids')])
})

test.each([
  ['[:1].id', '55\n'],
  ['[0]', '55\n'],
  ['[0].id', '55\n'],
  ['[?id==`0`]', ''],
  ['[?length(distinct_ids) > `99999`]', ''],
  ['max([].id)', '55\n'],
  ['to_string([0].id)', '55\n'],
  ['not_null([0].missing, [0].id)', '55\n'],
  ['sort_by(@, &length(distinct_ids))[?id==`55`].id', '55\n'],
  ['max_by(@, &id).id', '55\n'],
])('-o ids --query %s prints what it found', async (expression, stdout) => {
  const found = await newWorld().run(['persons', 'list', '--sandbox', '-o', 'ids', '--query', expression])
  expect(found).toMatchObject({ code: 0, stdout })
})
