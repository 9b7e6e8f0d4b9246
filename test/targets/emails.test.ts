/** Emails are looked up many at a time where the server can. What a list matches is the same on every server. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isList, json, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'

interface Person {
  readonly id: number
  readonly distinct_ids: readonly string[]
  readonly properties: { readonly email: string }
}

const person = (id: number, email: string): Person => ({
  ...personRow(id),
  id,
  distinct_ids: [`d${id}`],
  properties: { email },
})

type Understood = (values: readonly string[]) => readonly string[] | 'everyone' | 'refused'

/** How a server reads a list of values. */
const servers: Readonly<Record<string, Understood>> = {
  'takes a list of values': values => values,
  'takes it in any case': values => values.flatMap(value => [value, value.toLowerCase(), value.toUpperCase()]),
  'ignores a list of values': () => 'everyone',
  'compares the list as one text': values => [JSON.stringify(values)],
  'refuses a list of values': () => 'refused',
}

function serve(people: readonly Person[], understood: Understood) {
  return startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const { query } = asked
    const [{ value } = { value: undefined }] = JSON.parse(query.get('properties') ?? '[]')
    const emails = value === undefined ? undefined : understood([value].flat())
    if (emails === 'refused') return json(response, { detail: 'No.' }, 400)
    const search = query.get('search')?.toLowerCase()
    const results = people.filter(
      ({ properties: { email } }) =>
        (emails === undefined || emails === 'everyone' || emails.includes(email)) &&
        (query.get('email') ?? email) === email &&
        (search === undefined || email.toLowerCase().includes(search)),
    )
    json(response, { next: null, results })
  })
}

test('deleting by 1,000 emails sends at most 1,030 requests, none with a long URL', async () => {
  const people = Array.from({ length: 1000 }, (_, i) => person(i + 1, `reader.number.${i}@mail.example.com`))
  const { server, run, world } = await serve(people, values => values)
  writeFileSync(join(world.folder, 'list'), people.map(({ properties }) => `${properties.email}\n`).join(''))
  const { code, stdout } = await run('persons delete --emails-from list --yes')
  expect([code, stdout]).toEqual([0, 'deleted  1,000\n'])
  expect(server.asked.length).toBeLessThanOrEqual(1030)
  expect(Math.max(...server.asked.map(({ path, query }) => `${path}?${query}`.length))).toBeLessThan(3600)
})

const unseen = '\u200b'
const range = (length: number) => Array.from({ length }, (_, i) => i)

test.each(
  Object.entries(servers),
)('a list of every kind of line matches the same persons, on a server that %s', async (_, understood) => {
  const known = [...range(20).map(i => `known-${i}@example.com`), `${unseen}marked@example.com`, ' blank@example.com']
  const cased = ['cased-0@example.com', 'cased-1@example.com']
  const nobody = [
    'nobody-0@example.com',
    `known-1@example.com${unseen}`,
    'KNOWN-2@example.com ',
    ' known-3@example.com',
  ]
  const people = [...known, ...cased.map(email => email.toUpperCase()), ...range(40).map(i => `other-${i}@example.com`)]
  const { run, world, sent } = await serve(
    people.map((email, i) => person(i + 1, email)),
    understood,
  )
  const lines = [...known, ...cased, ...nobody]
  const csv = `properties.note,E-mail,properties.seen\n${lines.map(email => `x,${email},yes\n`).join('')}`
  writeFileSync(join(world.folder, 'list.csv'), csv)
  const account = [
    '6 of 28 lines match no person',
    '  line 24: no match. Person 23 has it with different capitalization.',
    '  line 25: no match. Person 24 has it with different capitalization.',
    '  line 26: no match',
    '  line 27: no match',
    '  line 28: no match. Person 3 has it with different capitalization.',
    '  line 29: no match. Person 4 has it without the spaces around it.',
  ].join('\n')
  const unmatched = [
    'line,email,reason,person_id',
    '24,cased-0@example.com,other-case,23',
    '25,cased-1@example.com,other-case,24',
    '26,nobody-0@example.com,not-found,',
    `27,known-1@example.com${unseen},not-found,`,
    '28,"KNOWN-2@example.com ",other-case,3',
    '29," known-3@example.com",blanks,4',
  ].map(line => `${line}\n`)
  for (const command of ['list --emails-from', 'delete --dry-run --emails-from', 'update --dry-run --rows']) {
    const { code, stdout, stderr } = await run(`persons ${command} list.csv -o ids --unmatched un.csv`)
    expect([code, stderr]).toEqual([0, expect.stringContaining(account)])
    expect(stdout.trim().split('\n')).toHaveLength(known.length)
    expect(readFileSync(join(world.folder, 'un.csv'), 'utf8')).toBe(unmatched.join(''))
  }
  expect(sent()).toEqual([])
})

test('the file of --unmatched can be corrected and used again', async () => {
  const { run, world } = await serve([person(1, 'a@example.com')], values => values)
  writeFileSync(join(world.folder, 'list'), '{"Email":" a\\n"}\n{"Email":"A@example.com"}\n{"Email":"b,\\"c"}\n')
  const saved = async (list: string) => {
    expect((await run(`persons list --emails-from ${list} --unmatched un.csv`)).code).toBe(0)
    return readFileSync(join(world.folder, 'un.csv'), 'utf8')
  }
  const first = await saved('list')
  expect(first).toBe(
    'line,email,reason,person_id\n1," a\n",not-found,\n2,A@example.com,other-case,1\n3,"b,""c",not-found,\n',
  )
  writeFileSync(join(world.folder, 'again.csv'), first)
  expect((await saved('again.csv')).replace(/^\d/gm, '')).toBe(first.replace(/^\d/gm, ''))
  writeFileSync(join(world.folder, 'corrected.csv'), first.replace('A@', 'a@'))
  expect((await run('persons delete --emails-from corrected.csv --yes')).stdout).toBe('deleted  1\n')
})

test('20,000 lines that each match two persons stop the run at once', async () => {
  const twins = (emails: readonly string[]) =>
    emails.flatMap(email => [1, 2].map(n => ({ id: Number(email.slice(1, -12)) * 2 + n, properties: { email } })))
  const { run, world, sent } = await startService(({ query }, response) => {
    const [{ value } = { value: [] }] = JSON.parse(query.get('properties') ?? '[]')
    json(response, { next: null, results: twins([value].flat()) })
  })
  const emails = range(20_000).map(i => `a${i}@example.com`)
  writeFileSync(join(world.folder, 'list'), `${emails.join('\n')}\n`)
  const { code, stderr } = await run('persons delete --emails-from list --yes')
  expect([code, sent()]).toEqual([10, []])
  expect(stderr).toContain(
    'line 1 matches several persons: 1, 2; so do lines 2, 3, 4, 5, 6, 7, 8, 9, 10 and 19,990 more',
  )
}, 20_000)
