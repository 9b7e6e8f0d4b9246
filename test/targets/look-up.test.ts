/** E-mails are asked for many at a time. That is only a hint: the account of a list is the same on every server. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveSandbox } from '../served-sandbox.ts'

const timeout = 120_000

const person = (i: number, email?: string, more: readonly string[] = []) => ({
  id: 1000 + i,
  distinct_ids: [`device-${i}`, ...more],
  properties: email === undefined ? {} : { email },
})

test('300 e-mails of 3,000 persons are deleted with at most 309 requests', { timeout }, async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => person(i, `reader.${i}@example.com`))
  const { world, asked, run } = await serveSandbox({ rows, dialect: 'observed' })
  const lines = rows.filter((_, i) => i % 10 === 0).map(({ properties }) => `${properties.email}\n`)
  writeFileSync(join(world.folder, 'list'), lines.join(''))
  const { code, stdout } = await run(['persons', 'delete', '--emails-from', 'list', '--max', '300', '--yes'])
  expect([code, stdout]).toEqual([0, 'deleted  300\n'])
  expect(asked.length).toBeLessThanOrEqual(309)
  const longest = Math.max(...asked.map(({ method, url }) => `${method} ${url.href} HTTP/1.1`.length))
  expect([longest > 3000, longest <= 3500]).toEqual([true, true])
})

/** What a server makes of a list of values. */
const servers = {
  'takes a list of values': (url: URL) => url,
  'ignores a list of values, and answers everyone': (url: URL) => withFilters(url, () => undefined),
  'compares the list as one text, and answers nobody': (url: URL) => withFilters(url, value => JSON.stringify(value)),
  'refuses a list of values': (url: URL) => withFilters(url, () => '\0'),
}

function withFilters(url: URL, meaning: (value: readonly unknown[]) => string | undefined): URL {
  const [entry] = JSON.parse(url.searchParams.get('properties') ?? '[]')
  if (!Array.isArray(entry?.value)) return url
  const changed = new URL(url)
  const value = meaning(entry.value)
  if (value === undefined) changed.searchParams.delete('properties')
  else changed.searchParams.set('properties', value === '\0' ? 'no JSON' : JSON.stringify([{ ...entry, value }]))
  return changed
}

const unseen = '\u200b'
const range = (length: number) => Array.from({ length }, (_, i) => i)
const cell = (email: string) => (email.startsWith(' ') ? `"${email}"` : `  ${email}`)

/** 50 lines for each of `times`, of every kind. */
function listOf(times: number) {
  const named = (count: number, name: (i: number) => string) => range(count * times).map(name)
  const known = named(32, i => `known-${i}@example.com`)
  const marked = named(1, i => `${unseen}marked-${i}@example.com`)
  const blank = named(1, i => ` blank-${i}@example.com`)
  const twins = named(1, i => `twins-${i}@example.com`)
  const cased = named(3, i => `cased-${i}@example.com`)
  const ids = named(3, i => `id-${i}@example.com`)
  const nobody = named(8, i => `nobody-${i}@example.com`)
  const nearly = named(1, i => `known-${i}@example.com${unseen}`)
  const emails = [...known, ...marked, ...blank, ...twins, ...twins, ...cased.map(email => email.toUpperCase())]
  const people = [
    ...emails.map((email, i) => person(i, email)),
    ...ids.map((id, i) => person(5000 + i, undefined, [id])),
    person(6000, undefined, ['several names', 'cased-0@example.com']),
    ...named(60, i => `other-${i}@example.com`).map((email, i) => person(7000 + i, email)),
  ]
  const all = [...known, ...marked, ...blank, ...twins, ...cased, ...ids, ...nobody, ...nearly]
  const listed = all
    // So that every kind stands beside every other.
    .map((email, i) => ({ email, place: (i * 617) % all.length }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ email }) => email)
  const unmatched = listed.filter(email => ![known, marked, blank].flat().includes(email))
  const whys = [
    [twins, 'belongs to several persons'],
    [cased, 'is found only with other upper and lower case'],
    [ids, 'is found only as a distinct id (--distinct-ids-from finds it)'],
    [nobody, 'belongs to nobody'],
    [nearly, 'belongs to nobody: it ends with a zero width space (U+200B)'],
  ] as const
  const whyOf = (email: string) => whys.find(([names]) => names.includes(email))?.[1]
  const account = [
    `${unmatched.length} of ${all.length.toLocaleString('en')} lines have no target`,
    ...unmatched.slice(0, 10).map(email => `  line ${2 * listed.indexOf(email) + 2} ${whyOf(email)}`),
    `  and ${unmatched.length - 10} more`,
  ].join('\n')
  const file = `properties.note,E-mail,properties.seen\n${listed.map(email => `x,${cell(email)} ,yes\n\n`).join('')}`
  return { people, file, account, unmatched, found: all.length - unmatched.length, twins: twins.length }
}

const commands = {
  rows: ['persons', 'update', '--rows', 'list.csv', '--on-several', 'skip', '--dry-run', '-o', 'ids'],
  list: ['persons', 'list', '--emails-from', 'list.csv', '-o', 'ids'],
  delete: ['persons', 'delete', '--emails-from', 'list.csv', '--on-several', 'skip', '--dry-run', '-o', 'ids'],
}

test.each([
  { lines: 300, server: 'takes a list of values' },
  { lines: 100, server: 'ignores a list of values, and answers everyone' },
  { lines: 100, server: 'compares the list as one text, and answers nobody' },
  { lines: 100, server: 'refuses a list of values' },
] as const)('a list of $lines lines of every kind has one account, on a server that $server', { timeout }, async ({
  lines,
  server,
}) => {
  const { people, file, account, unmatched, found, twins } = listOf(lines / 50)
  const serving = { rows: people, understood: servers[server], dialect: 'observed' } as const
  const { world, asked, run } = await serveSandbox(serving)
  writeFileSync(join(world.folder, 'list.csv'), file)
  for (const [command, argv] of Object.entries(commands)) {
    const { code, stdout, stderr } = await run([...argv, '--unmatched', 'un.txt'])
    expect([code, stderr]).toEqual([0, expect.stringContaining(account)])
    const kept = readFileSync(join(world.folder, 'un.txt'), 'utf8')
    expect(kept).toBe(unmatched.map(email => `${email}\n`).join(''))
    expect(stdout.trim().split('\n')).toHaveLength(found + (command === 'list' ? 2 * twins : 0))
  }
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([])
})
