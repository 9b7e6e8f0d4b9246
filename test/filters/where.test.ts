/** `--where` on lists: what it selects, how it pages, and what it refuses. */

import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { json, personRow } from '../server.ts'
import { startService } from '../service.ts'
import { newWorld } from '../world.ts'
import { selects, type Typed, typedText } from './reference.ts'

async function sandbox(...argv: string[]) {
  return newWorld().run(['--sandbox', ...argv])
}

const rows = Array.from({ length: 25 }, (_, i) => ({ ...personRow(i + 1), properties: { n: i + 1 } }))

/** Answers ten rows a page. */
function pages(all: readonly unknown[]) {
  return startService(({ query }, response) => {
    const from = Number(query.get('offset') ?? 0)
    const next = from + 10 < all.length ? `?offset=${from + 10}` : null
    json(response, { count: all.length, next, previous: null, results: all.slice(from, from + 10) })
  })
}

test('a list is read on until enough rows match; --offset counts matches, and is not sent', async () => {
  const { world, server, env } = await pages(rows)
  const argv = ['persons', 'list', '--where', 'properties.n>5', '--offset', '2', '--limit', '2', '-o', 'ids']
  expect(await world.run(argv, { env })).toMatchObject({ code: 0, stdout: '8\n9\n' })
  expect(server.asked.every(({ query }) => query.get('offset') === null)).toBe(true)
  const all = await world.run(['persons', 'list', '--where', 'properties.n>20', '-o', 'ids'], { env })
  expect(all.stdout).toBe('21\n22\n23\n24\n25\n')
  expect(all.stderr).toBe('5 of 25 rows match\n')
  const first = await world.run(['persons', 'list', '--where', 'properties.n>5', '--limit', '1', '-o', 'ids'], { env })
  expect(first.stderr).toBe('Showing 1 row that matches, and there may be more (use a larger --limit)\n')
})

test('all filters must hold, and a pipe to CSV has the same rows', async () => {
  const { world, env } = await pages(rows)
  const where = ['--where', 'properties.n>3', '--where', 'properties.n<6']
  expect((await world.run(['persons', 'list', ...where, '-o', 'ids'], { env })).stdout).toBe('4\n5\n')
})

test.each([
  '!created_bye',
  'created_bye!=x',
  'created_bye=x',
  'email=ada@example.com',
])('a field that no row has is refused, and nothing is printed: %s', async where => {
  expect(await sandbox('persons', 'list', '--where', where)).toMatchObject({ code: 2, stdout: '' })
})

const lists = 'persons list,plugins list,event-definitions list,projects list'
const views =
  'persons activity,persons activity 3,persons cohorts,persons funnel,persons funnel-correlation,persons lifecycle,' +
  'persons path,persons retention,persons stickiness,persons trends,persons values,' +
  'plugins activity,plugins repository,plugins unused,plugins exports-unsubscribe-configs'

test.each([
  ...lists.split(',').map(line => [line, 2, 'No record has a field mistyped'] as const),
  ...views.split(',').map(line => [line, 0, '0 of 0 rows match'] as const),
])('an empty answer of %s: exit code %i for a field of which nothing is known', async (line, code, says) => {
  const { world, env } = await startService((_, response) => json(response, { next: null, results: [] }))
  const organization = ['--organization', '@current']
  const argv = [...line.split(' '), '--where', 'mistyped=x', ...organization, '-o', 'json']
  const ran = await world.run(argv, { env })
  expect(ran).toMatchObject({ code, stdout: code === 0 ? '[]\n' : '' })
  expect(ran.stderr).toContain(says)
})

test('a field that no row of an undocumented answer holds is refused', async () => {
  const { world, env } = await startService((_, response) =>
    json(response, { next: null, results: [{ activity: 'x' }] }),
  )
  const ran = await world.run(['persons', 'activity', '--where', 'mistyped=x'], { env })
  expect(ran).toMatchObject({ code: 2, stdout: '' })
})

test.each(['-999999y', '-999999w', '-3000y'])('a time before all dates is earlier than every date: %s', async past => {
  const { world, server, env } = await pages(rows)
  expect((await world.run(['persons', 'list', '--where', `created_at>${past}`, '-o', 'ids'], { env })).stderr).toBe(
    '25 of 25 rows match\n',
  )
  const before = server.asked.length
  await world.run(['persons', 'list', '--property', `seen>${past}`], { env })
  expect(server.asked[before]?.query.get('properties')).toContain('"value":"0001-01-01T00:00:00Z"')
})

test('a field that the service does not document is one where a row holds it', async () => {
  const { world, env } = await pages(rows.map((row, i) => (i === 12 ? { ...row, odd: { x: 1 } } : row)))
  expect((await world.run(['persons', 'list', '--where', 'odd.x=1', '-o', 'ids'], { env })).stdout).toBe('13\n')
  expect(
    (await world.run(['persons', 'list', '--where', '!odd', '-o', 'ids'], { env })).stdout.split('\n'),
  ).toHaveLength(25)
})

test('a property with dots anywhere is one where a row holds it', async () => {
  const odd = (i: number) => (i === 12 ? { 'T.O.S.': null } : i > 12 ? { 'T.O.S.': 'yes', a: { '.b': 1 } } : {})
  const { world, env } = await pages(rows.slice(0, 15).map((row, i) => ({ ...row, properties: odd(i) })))
  const list = async (where: string) =>
    (await world.run(['persons', 'list', '--where', where, '-o', 'ids'], { env })).stdout
  expect((await list('!properties.T.O.S.')).split('\n')).toHaveLength(14)
  expect(await list('properties.T.O.S.')).toBe('14\n15\n')
  expect((await list('properties.a..b!=1')).split('\n')).toHaveLength(14)
})

test('a value with a quote at its end excludes whoever has it, and where nobody has it, that is said at the end', async () => {
  const { world, env } = await pages(rows.map((row, i) => ({ ...row, properties: { size: i === 12 ? `5"` : '6' } })))
  const list = async (where: string, ...more: string[]) => {
    const ran = await world.run(['persons', 'list', '--where', where, '-o', 'ids', ...more], { env })
    return [ran.code, ran.stdout.split('\n').filter(Boolean).length, ran.stderr]
  }
  const none =
    'No record has the value that is given for properties.size, so the filter excludes none. Check its quotes and invisible characters\n'
  expect(await list('properties.size!=5"')).toEqual([0, 24, '24 of 25 rows match\n'])
  expect(await list('properties.size!=7"')).toEqual([0, 25, `25 of 25 rows match\n${none}`])
  expect(await list('properties.size!=7"', '--limit', '3')).toEqual([0, 3, expect.not.stringContaining(none)])
})

test('after 10,000 rows without a field, its name counts as mistyped; of a value that proves nothing', async () => {
  const person = (i: number) => ({ ...personRow(i + 1), properties: { screen: i === 11_999 ? '12"' : '10"' } })
  const { world, server, env } = await startService(({ query }, response) => {
    const [from, size] = ['offset', 'limit'].map(name => Number(query.get(name))) as [number, number]
    const results = Array.from({ length: Math.min(size, 12_000 - from) }, (_, i) => person(from + i))
    json(response, { next: from + size < 12_000 ? `?limit=${size}&offset=${from + size}` : null, results })
  })
  const list = (...argv: string[]) => world.run(['persons', 'list', '-o', 'ids', '--where', ...argv], { env })
  expect(await list('!created_bye')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(
      'None of the first 10,000 records has a field created_bye; did you mean created_at?',
    ),
  })
  const all = await list('properties.screen!=12"')
  expect([all.code, all.stdout.split('\n').length, all.stderr]).toEqual([0, 12_000, '11,999 of 12,000 rows match\n'])
  const before = server.asked.length
  expect((await list('properties.screen!=12"', '--limit', '3')).stdout).toBe('1\n2\n3\n')
  expect(server.asked.length - before).toBe(1)
})

test('a field that list items of projects leave out is read from the project', async () => {
  const ran = await sandbox('projects', 'list', '--where', 'anonymize_ips=true', '-o', 'ids')
  expect(ran).toMatchObject({ code: 0, stdout: '2\n' })
})

test.each([
  ['properties', '!properties.email', '2\n'],
  ['properties', 'properties.email!=a@example.com', '2\n'],
  ['properties', 'properties.email=a@example.com', '1\n'],
  ['created_at', '!created_at', ''],
  [undefined, '!created_at', ''],
])('where list items leave out %s, %s is answered by the persons themselves', async (omitted, where, found) => {
  const emails = ['a@example.com', undefined]
  const { world, env, server } = await startService(({ path }, response) => {
    const persons = emails.map((email, i) => ({ ...personRow(i + 1), properties: { email } }))
    const one = persons.find((_, i) => path.endsWith(`/${i + 1}/`))
    json(response, one ?? { next: null, results: persons.map(person => ({ ...person, [omitted ?? '']: undefined })) })
  })
  const ran = await world.run(['persons', 'list', '--where', where, '-o', 'ids'], { env })
  expect([ran.code, ran.stdout, server.asked.length]).toEqual([0, found, omitted === undefined ? 1 : 3])
})

test('of a person with a thousand distinct ids or more, the person itself is read', async () => {
  const ids = Array.from({ length: 1500 }, (_, i) => `d${i}`)
  const { world, env } = await startService(({ path }, response) => {
    const isOne = path.endsWith('/1/')
    const person = { ...personRow(1), distinct_ids: isOne ? ids : ids.slice(0, 1000) }
    json(response, isOne ? person : { next: null, results: [person] })
  })
  const list = (where: string) => world.run(['persons', 'list', '--where', where, '-o', 'ids'], { env })
  expect((await list('distinct_ids=d1400')).stdout).toBe('1\n')
  expect((await list('distinct_ids!=d1400')).stdout).toBe('')
})

test('an answer that is no list does not go with --where', async () => {
  expect(await sandbox('plugins', 'source', '5', '--where', 'a=b')).toMatchObject({ code: 2, stdout: '' })
})

const condition: fc.Arbitrary<Typed> = fc.record({
  key: fc.constantFrom('n', 'text', 'list', 'seen'),
  sign: fc.constantFrom('=', '!=', '~', '!~', '>', '<', '>=', '<=', 'set', 'not set'),
  value: fc.constantFrom('3', '-1.5', '2026-01-31', '2026-02-01T00:00:00Z'),
})
const record = fc.record(
  {
    n: fc.constantFrom<unknown>(3, -1.5, '3', null, 12),
    text: fc.constantFrom<unknown>('3', '', 'x', '2026-01-31'),
    list: fc.array(fc.constantFrom<unknown>(3, '3', null, '2026-03-01'), { maxLength: 2 }),
    seen: fc.constantFrom<unknown>('2026-01-31', '2026-03-01T10:00:00Z', null, 1767225600),
  },
  { requiredKeys: [] },
)

test('random rows and filters: the same rows as by a slow reference', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 30 }),
      fc.array(condition, { minLength: 1, maxLength: 3 }),
      async (records, conditions) => {
        const { world, env } = await pages(records.map((properties, i) => ({ ...personRow(i + 1), properties })))
        const argv = conditions.flatMap(one => ['--where', typedText({ ...one, key: `properties.${one.key}` })])
        const { stdout } = await world.run(['persons', 'list', ...argv, '-o', 'ids'], { env })
        const wanted = records.flatMap((row, i) => (conditions.every(one => selects(one, row)) ? [i + 1] : []))
        expect(stdout.split('\n').filter(Boolean).map(Number)).toEqual(wanted)
      },
    ),
    { numRuns: 60 },
  )
})

/** Three persons; only the first has a plan, and a property whose name ends in a dot. */
const tiny = () =>
  startService(({ method, path, query }, response) => {
    const all = [{ 'T.O.S.': "5'", plan: 'pro' }, { 'T.O.S.': null }, {}].map((properties, i) => ({
      ...personRow(i + 1),
      properties,
    }))
    if (method !== 'GET') return void response.writeHead(204).end()
    const id = Number(path.split('/').at(-2))
    if (id) return json(response, all[id - 1])
    const filters: { key: keyof (typeof all)[0]['properties']; operator: string; value: string }[] = JSON.parse(
      query.get('properties') ?? '[]',
    )
    const meets = ({ properties }: (typeof all)[0]) =>
      filters.every(({ key, operator, value }) => {
        const own = properties[key] ?? undefined
        const isMet = operator === 'is_set' || operator === 'is_not_set' ? own !== undefined : own === value
        return operator.includes('not') ? !isMet : isMet
      })
    json(response, { next: null, results: all.filter(meets) })
  })

const slips = ['!paln', 'Plan!=pro', 'pla!~pro', 'plan.!=pro', "!plan'", '!pl\u200ban', '!T.O.S', 'a."b"!=pro']
const dashed = slips.map(slip => `properties.${slip}`.replace(/^(properties\.)!/, '!$1'))

test.each([
  ...slips.map(slip => ['--property', slip]),
  ...dashed.map(slip => ['--where', slip]),
])('a negation with a slip selects nobody for a change, and is said of a list: %s %s', async (option, slip) => {
  const { world, sent, env } = await tiny()
  const run = (line: string) => world.run([...line.split(' '), option, slip], { env })
  for (const line of [
    'delete --max 9 -y',
    'delete --dry-run',
    'delete --plan plan.json',
    'update --set a=1 --max 9 -y',
    'delete-property --key plan --where id>0 --max 9 -y',
  ]) {
    const { code, stdout, stderr } = await run(`persons ${line}`)
    expect([line, code, stdout, sent()]).toEqual([line, 2, '', []])
    expect(stderr).toMatch(/^No (person has a property|record has a field) /)
  }
  const list = await run('persons list -o ids')
  expect([list.code, list.stdout]).toEqual([0, '1\n2\n3\n'])
  expect(list.stderr).toMatch(/No (person has a property|record has a field) /)
})

test.each([
  ['--property', '!T.O.S.', '2 3'],
  ['--property', "T.O.S.!=5'", '2 3'],
  ['--where', '!properties.plan', '2 3'],
  ['--property', '!country', '1 2 3', 'No person has a property "country", so the filter excludes nobody'],
  ['--where', '!properties.country', '1 2 3', 'No record has a field properties.country'],
  ['--where', '!name', ''],
])('a negation whose name somebody has, the service documents, or that is like no other, is meant: %s %s', async (option, filter, ids, says?: string) => {
  const { world, sent, env } = await tiny()
  const { code, stderr } = await world.run(['persons', 'delete', option, filter, '--max', '9', '-y'], { env })
  expect([code, sent().map(({ path }) => path.split('/').at(-2))]).toEqual([0, ids.split(' ').filter(Boolean)])
  if (says === undefined) expect(stderr).not.toContain('has a')
  else expect(stderr).toContain(says)
})

test('both spellings of a name can be excluded', async () => {
  const { world, env } = await tiny()
  const both = ['--where', '!properties.plan', '--where', '!properties.Plan']
  expect((await world.run(['persons', 'delete', ...both, '--max', '9', '-y'], { env })).code).toBe(0)
})

test('a negative filter by a value with a quote that nobody has is refused, and said of a list', async () => {
  const { run, sent } = await tiny()
  for (const filter of ["plan!='no", 'plan!=no"']) {
    for (const [line, exit] of [
      ['list', 0],
      ['delete --max 9 -y', 2],
    ] as const) {
      const { code, stderr } = await run(`persons ${line} --property ${filter}`)
      expect([code, sent()]).toEqual([exit, []])
      expect(stderr).toContain('No person has the value that is given for "plan", so the filter excludes nobody')
    }
  }
})

test('a server that ignores the question for a name is no witness of it', async () => {
  const { world, sent, env } = await pages(rows)
  for (const line of ['list', 'delete --max 99 -y']) {
    const ran = await world.run(['persons', ...line.split(' '), '--property', '!nn'], { env })
    expect([line, ran.code, sent()]).toEqual([line, 10, []])
    expect(ran.stderr).toContain('The server ignored the filter')
  }
})

test('a list is no failure where the look-up of a value is one', async () => {
  const { world, env } = await startService(({ query }, response) => {
    if (query.get('properties')?.includes('"exact"')) return json(response, { detail: 'No.' }, 400)
    json(response, { next: null, results: rows.slice(0, 2) })
  })
  const ran = await world.run(['persons', 'list', '--property', "size!=6'", '-o', 'ids'], { env })
  expect(ran).toMatchObject({ code: 0, stdout: '1\n2\n', stderr: '' })
})
