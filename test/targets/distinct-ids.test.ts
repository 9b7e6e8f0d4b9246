/** Distinct ids are looked up 200 at a time where the server can; a wrong response never selects a wrong person. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Answer, type Asked, json, personId, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'

interface Person {
  readonly id: number
  readonly distinct_ids: readonly string[]
}

const person = (id: number, ...more: readonly string[]): Person => ({
  ...personRow(id),
  id,
  distinct_ids: [`d${id}`, ...more],
})

type Results = Readonly<Record<string, unknown>>

type Response = Parameters<Answer>[1]

/** How a server responds to the lookup of many; `truth` is the correct response. */
type Batch = (response: Response, truth: Results, people: readonly Person[]) => void

const honest: Batch = (response, results) => json(response, { results })

async function serve(people: readonly Person[], batch: Batch) {
  const service = await startService((asked, response) => {
    const { path, query, body } = asked
    const short = (one: Person | undefined, most: number) =>
      one && { ...one, distinct_ids: one.distinct_ids.slice(0, most) }
    if (path.endsWith('/batch_by_distinct_ids/')) {
      const names: readonly string[] = JSON.parse(body).distinct_ids
      const found = names.slice(0, 200).flatMap(name => {
        const owner = people.find(one => one.distinct_ids.includes(name))
        return owner ? [[name, short(owner, 10)] as const] : []
      })
      return batch(response, Object.fromEntries(found), people)
    }
    if (asked.method !== 'GET') return accepting(asked, response)
    if (!path.endsWith('/persons/'))
      return json(
        response,
        people.find(({ id }) => id === personId(path)),
      )
    const [name, search] = [query.get('distinct_id'), query.get('search')?.toLowerCase()]
    const results = people
      .filter(({ distinct_ids }) =>
        name === null ? distinct_ids.some(one => one.toLowerCase() === search) : distinct_ids.includes(name),
      )
      .map(one => short(one, 1000))
    json(response, { next: null, results })
  })
  const remove = async (names: readonly string[], ...more: readonly string[]) => {
    writeFileSync(join(service.world.folder, 'list'), names.map(name => `${name}\n`).join(''))
    const argv = ['persons', 'delete', '--distinct-ids-from', 'list', '--yes', ...more]
    const ran = await service.world.run(argv, { env: service.env })
    return { ...ran, ids: service.sent().map(({ path }) => personId(path)) }
  }
  const lookups = () => service.server.asked.filter(({ path }) => path.includes('batch_by')).map(({ body }) => body)
  return { ...service, remove, lookups }
}

const range = (length: number) => Array.from({ length }, (_, i) => i + 1)

test('1,000 distinct ids need 5 lookups on a newer server, and one each on an older one', async () => {
  const people = range(1000).map(id => person(id))
  const names = people.map(({ distinct_ids: [name = ''] }) => name)
  const newer = await serve(people, honest)
  expect(await newer.remove(names)).toMatchObject({ code: 0, stdout: 'deleted  1,000\n' })
  expect([newer.lookups().length, newer.server.asked.length]).toEqual([5, 1005])
  const older = await serve(people, response => json(response, { detail: 'Not found.' }, 404))
  expect(await older.remove(names.slice(0, 300))).toMatchObject({ code: 0, stdout: 'deleted  300\n' })
  expect([older.lookups().length, older.server.asked.length]).toEqual([1, 601])
})

const eachRow = (change: (row: Record<string, unknown>) => unknown) => (results: Results) =>
  Object.fromEntries(
    Object.entries(results).map(([name, row]) => [name, change(row as Record<string, unknown>)] as const),
  )

const answers =
  (change: (results: Results, people: readonly Person[]) => unknown): Batch =>
  (response, results, people) =>
    json(response, { results: change(results, people) })

const status =
  (code: number): Batch =>
  response =>
    json(response, { detail: 'No.' }, code)

const renamed = (results: Results, nameOf: (name: string, row: unknown, i: number) => string) =>
  Object.fromEntries(Object.entries(results).map(([name, row], i) => [nameOf(name, row, i), row]))

function busyOnce(): Batch {
  let attempts = 0
  return (response, results) =>
    attempts++ === 0
      ? json(response.setHeader('retry-after', '1'), { detail: 'Throttled.' }, 429)
      : json(response, { results })
}

/** After these responses the lookup of many is used again. */
const usable: Readonly<Record<string, Batch>> = {
  'asks to wait first': busyOnce(),
  'is honest': honest,
  'cuts the list to five': answers(results => Object.fromEntries(Object.entries(results).slice(0, 5))),
  'finds no person': answers(() => ({})),
}

const unusable: Readonly<Record<string, Batch>> = {
  'does not know it (404)': status(404),
  'does not know it (405)': status(405),
  'does not allow it (403)': status(403),
  'refuses it': status(400),
  fails: status(500),
  'breaks the connection': response => response.destroy(),
  'answers with a web page': response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
  'answers with nothing': response => response.writeHead(200).end(),
  'accepts it for later': response => response.writeHead(202).end(),
  'answers with JSON cut short': response => response.writeHead(200).end('{"results":{"d1":{"id":1,'),
  'answers with a list': answers(Object.values),
  'answers without the member results': (response, results) => json(response, results),
  'answers with an error': response => json(response, { type: 'server_error', detail: 'No.' }),
  'answers with ids for keys': answers(results => renamed(results, (_, row) => String((row as Person).id))),
  'answers with everyone': answers((_, people) => Object.fromEntries(people.map(one => [one.distinct_ids[0], one]))),
  'mixes up the persons': answers(results => renamed(results, (_name, _row, i) => Object.keys(results)[i - 1] ?? 'd2')),
  'answers with one person for all': answers(results => eachRow(() => Object.values(results)[0])(results)),
  'hides the distinct ids': answers(eachRow(({ distinct_ids, ...row }) => row)),
  'has no ids': answers(eachRow(row => ({ ...row, id: '../1', uuid: undefined }))),
  'answers with null': answers(eachRow(() => null)),
  'answers in capitals': answers(results => renamed(results, name => name.toUpperCase())),
}

test.each(
  Object.entries({ ...usable, ...unusable }),
)('exactly the persons of the list are deleted on a server that %s', async (name, batch) => {
  const many = Array.from({ length: 1200 }, (_, i) => `many-${i}`)
  const others = [...range(250).map(id => person(id, `D${id}`)), person(900), person(901, 'NOBODY', ...many)]
  const { remove, lookups } = await serve(others, batch)
  const names = ['many-1100', ...range(230).map(id => `d${id}`), 'nobody', 'many-5', 'd3', '__proto__', 'constructor']
  const { code, stderr, ids } = await remove(names, '-o', 'ids')
  expect([code, ids.toSorted((a, b) => a - b)]).toEqual([0, [...range(230), 901]])
  expect(stderr).toContain('line 232: no match. Person 901 has it with different capitalization.')
  expect(stderr).toContain('line 235: no match\n  line 236: no match\n')
  // All attempts of one lookup have the same body.
  expect(new Set(lookups()).size).toBe(name in usable ? 2 : 1)
})

test('persons are shown with all their distinct ids', async () => {
  const many = range(30).map(id => `many-${id}`)
  const { run, lookups } = await serve([person(1), person(2, ...many), person(3)], honest)
  const { stdout } = await run('persons list --distinct-ids-from - -o json', { stdin: 'd1\nmany-3\nd2\nd3\n' })
  const shown: readonly Person[] = JSON.parse(stdout)
  expect(shown.map(({ distinct_ids }) => distinct_ids.length).toSorted()).toEqual([1, 1, 31])
  expect(lookups()).toHaveLength(1)
})

test('a refused key stops the run', async () => {
  const people = range(3).map(id => person(id))
  const { remove } = await serve(people, status(401))
  expect(await remove(['d1', 'd2'])).toMatchObject({ code: 4, ids: [] })
})

test('a server that returns a wrong person twice stops the run, and the message names the line', async () => {
  const results = (asked: Asked) => (asked.method === 'POST' ? { a: person(5) } : [person(5)])
  const { run, sent } = await startService((asked, response) => json(response, { next: null, results: results(asked) }))
  const argv = 'persons delete --distinct-ids-from - --yes --concurrency 1'
  const { code, stderr } = await run(argv, { stdin: 'a\nb\n' })
  expect([code, sent()]).toEqual([5, []])
  expect(stderr).toContain('--distinct-ids-from stdin, line 1: The server returned person 5')
})
