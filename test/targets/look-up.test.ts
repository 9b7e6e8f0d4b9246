/** E-mails are asked for many at a time. That is only a hint: the account of a list is the same on every server. */
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

/** What a server makes of a list of values. */
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

test('1,000 e-mails of persons who are there cost at most 1,030 requests, none with a long address', async () => {
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
)('a list of every kind of line has one account, on a server that %s', async (_, understood) => {
  const known = [...range(20).map(i => `known-${i}@example.com`), `${unseen}marked@example.com`, ' blank@example.com']
  const cased = ['cased-0@example.com', 'cased-1@example.com']
  const nobody = ['nobody-0@example.com', `known-1@example.com${unseen}`, 'KNOWN-2@example.com ']
  const people = [...known, ...cased.map(email => email.toUpperCase()), ...range(40).map(i => `other-${i}@example.com`)]
  const { run, world, sent } = await serve(
    people.map((email, i) => person(i + 1, email)),
    understood,
  )
  const lines = [...known, ...cased, ...nobody]
  const csv = `properties.note,E-mail,properties.seen\n${lines.map(email => `x,${email},yes\n`).join('')}`
  writeFileSync(join(world.folder, 'list.csv'), csv)
  const account = [
    `nobody has the e-mail of 5 of 27 lines`,
    '  line 24: nobody has it; person 23 has it in other upper and lower case',
    '  line 25: nobody has it; person 24 has it in other upper and lower case',
    ...['26', '27', '28'].map(line => `  line ${line}: nobody has it`),
  ].join('\n')
  for (const command of ['list --emails-from', 'delete --dry-run --emails-from', 'update --dry-run --rows']) {
    const { code, stdout, stderr } = await run(`persons ${command} list.csv -o ids --unmatched un.txt`)
    expect([code, stderr]).toEqual([0, expect.stringContaining(account)])
    expect(stdout.trim().split('\n')).toHaveLength(known.length)
    // One of them ends in a blank, which no plain line keeps.
    const kept = readFileSync(join(world.folder, 'un.txt'), 'utf8').trim().split('\n')
    expect(kept.map(line => JSON.parse(line).email)).toEqual([...cased, ...nobody])
  }
  expect(sent()).toEqual([])
})

test('what --unmatched keeps is read back as the same lines', async () => {
  const { run, world } = await serve([], values => values)
  for (const lines of ['a@example.com\nb@example.com\n', '{"email":" a\\n"}\n{"email":"b@example.com"}\n']) {
    writeFileSync(join(world.folder, 'list'), lines)
    expect((await run('persons delete --emails-from list --unmatched un.txt --yes')).code).toBe(0)
    expect(readFileSync(join(world.folder, 'un.txt'), 'utf8')).toBe(lines)
  }
})
