/** Lists of persons: which lines match, and what is deleted. The messages are in transcripts/lists.txt. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isList, json, personId, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'

const people = [
  { id: 1, email: 'ada@example.com' },
  { id: 2, email: 'Bob@example.com' },
  { id: 3, email: 'twin@example.com' },
  { id: 4, email: 'twin@example.com' },
].map(({ id, email }) => ({ ...personRow(id), id, distinct_ids: [`d${id}`, 'of all'], properties: { email } }))

function service() {
  return startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const [email, id, search] = ['email', 'distinct_id', 'search'].map(name => asked.query.get(name)?.toLowerCase())
    const results = people.filter(
      person =>
        (email === undefined || person.properties.email.toLowerCase() === email) &&
        (id === undefined || person.distinct_ids.includes(id)) &&
        (search === undefined || person.properties.email.toLowerCase().includes(search)),
    )
    json(response, { next: null, results })
  })
}

const emailsFrom = 'persons delete --emails-from - --yes -o ids'

test('messages show the text of the lines at a terminal', async () => {
  const { world, env } = await service()
  writeFileSync(join(world.folder, 'list.csv'), '\ufeffName;E-Mail\r\nBob;bob@example.com\r\nAda;ada@example.com\r\n')
  const argv = ['persons', 'delete', '--emails-from', 'list.csv']
  const ran = await world.run(argv, { env, columns: 100, answers: ['n'] })
  expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('line 2 ("bob@example.com"): no match')])
})

test.each<[options: string, stdin: string, code: number, deleted: readonly number[]]>([
  ['--emails-from - --require-all', 'ada@example.com\nzz@example.com\n', 10, []],
  ['--emails-from - --require-all', 'ada@example.com\n', 0, [1]],
  ['--emails-from -', 'ada@example.com\ntwin@example.com\n', 10, []],
  ['--emails-from - --on-several all --max 9', 'ada@example.com\ntwin@example.com\n', 0, [1, 3, 4]],
  ['--emails-from - --on-several all', 'ada@example.com\n', 2, []],
  ['--emails-from - --expect 2', 'ada@example.com\nzz@example.com\n', 10, []],
  ['--emails-from -', 'zz@example.com\n', 0, []],
  ['--distinct-ids-from -', 'd1\nd2\nd1\n', 0, [1, 2]],
  ['--distinct-ids-from -', 'd1\nof all\n', 10, []],
  ['--email twin@example.com', '', 10, []],
  ['--email twin@example.com --on-several all --expect 2', '', 0, [3, 4]],
  ['--distinct-id d2', '', 0, [2]],
  ['--email ada@example.com --distinct-id d2 --max 1', '', 0, []],
  ['1 --require-all', '', 2, []],
  ['--email bob@example.com --search bob --require-all --max 9', '', 2, []],
  ['--email bob@example.com --where plan=pro --on-several all --max 9', '', 2, []],
  ['1 --on-several all', '', 2, []],
  ['1 --unmatched x', '', 2, []],
  ['--where id --column x --max 9', '', 2, []],
  ['--emails-from - --unmatched none/un.txt', 'zz@example.com\n', 2, []],
])('delete %s with %j: exit code %i, and %j are deleted', async (options, stdin, code, deleted) => {
  const { run, sent } = await service()
  const ran = await run(`persons delete ${options} --yes --concurrency 1`, { stdin })
  expect([ran.code, sent().map(({ path }) => personId(path))]).toEqual([code, deleted])
})

test('an empty list empties the file of --unmatched, and its digest is in the receipt', async () => {
  const { run, world, server, receipt } = await service()
  writeFileSync(join(world.folder, 'un.txt'), 'bob@example.com\n')
  expect((await run(`${emailsFrom} --unmatched un.txt --receipt r.json`, { stdin: '\n' })).code).toBe(0)
  expect([readFileSync(join(world.folder, 'un.txt'), 'utf8'), server.asked]).toEqual([
    'line,email,reason,person_id\n',
    [],
  ])
  const empty = { lines: 0, matched: 0, unmatched: [], sha256: expect.stringMatching(/^01ba4719c8/) }
  expect(receipt().input).toEqual(empty)
})

test.each([
  'delete --distinct-ids-from - --yes',
  'get --distinct-id d1000',
])('a person is found by a distinct id that the list item does not hold: %s', async command => {
  const all = Array.from({ length: 1001 }, (_, i) => `d${i}`)
  const { run } = await startService((asked, response) => {
    if (asked.method !== 'GET') return accepting(asked, response)
    const row = { ...personRow(1), distinct_ids: all.slice(0, 1000) }
    json(response, isList(asked) ? { next: null, results: [row] } : { ...row, distinct_ids: all })
  })
  expect((await run(`persons ${command}`, { stdin: 'd1000\n' })).code).toBe(0)
})

test('a refused key stops the lookups at once, and the message names no line', async () => {
  const { run, server, sent } = await startService((_, response) => json(response, { detail: 'No.' }, 401))
  const { code, stderr } = await run(emailsFrom, { stdin: 'a@example.com\nb@example.com\n' })
  expect([code, stderr, sent(), server.asked.length]).toEqual([4, expect.not.stringContaining('line'), [], 1])
})
