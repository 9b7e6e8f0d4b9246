/** Lists of persons by e-mail or distinct id: every line is accounted for. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isList, json, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'

const people = [
  { id: 1, email: 'ada@example.com' },
  { id: 2, email: 'Bob@example.com' },
  { id: 3, email: 'twin@example.com' },
  { id: 4, email: 'twin@example.com' },
].map(({ id, email }) => ({ ...personRow(id), id, properties: { email } }))

function service() {
  const left = new Map(people.map(person => [String(person.id), person]))
  return startService(({ method, path, query }, response) => {
    const id = path.split('/').at(-2) ?? ''
    if (path.endsWith('/persons/')) {
      const [email, search] = [query.get('email'), query.get('search')?.toLowerCase()]
      const results = [...left.values()].filter(
        ({ properties }) =>
          (email === null || properties.email === email) &&
          (search === undefined || properties.email.toLowerCase().includes(search)),
      )
      return json(response, { next: null, results })
    }
    if (method === 'DELETE') return void response.writeHead(left.delete(id) ? 204 : 404).end()
    json(response, left.get(id) ?? { detail: 'Not found.' }, left.has(id) ? 200 : 404)
  })
}

const lines = 'ada@example.com\nbob@example.com\nnobody@example.com\nada@example.com\n'
const argv = ['persons', 'delete', '--emails-from', '-', '--yes', '-o', 'ndjson']
const deletedIn = (stdout: string) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line).id)

test('found, nobody and other case: each line is named by its number, and nobody by the e-mail', async () => {
  const { world, env } = await service()
  const { code, stdout, stderr } = await world.run([...argv, '--unmatched', 'un.txt'], { env, stdin: lines })
  expect([code, deletedIn(stdout)]).toEqual([0, ['1']])
  expect(stderr).toContain('line 2 is found only with other upper and lower case')
  expect(stderr).toContain('line 3 belongs to nobody')
  expect(stderr).not.toContain('@example.com')
  const file = join(world.folder, 'un.txt')
  expect(readFileSync(file, 'utf8')).toBe('bob@example.com\nnobody@example.com\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a line that comes twice is looked up once, and each of the two is accounted for', async () => {
  const { world, server, env } = await service()
  const stdin = 'ada@example.com\nada@example.com\nzz@example.com\nzz@example.com\nBob@example.com\n'
  const files = ['--unmatched', 'un.txt', '--receipt', 'r.json']
  const { code, stderr } = await world.run([...argv, ...files], { env, stdin })
  expect([code, stderr]).toEqual([0, expect.stringContaining('2 of 5 lines have no target')])
  expect(stderr).toContain('line 3 belongs to nobody\n  line 4 belongs to nobody\n')
  const { input } = JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8'))
  expect(input).toMatchObject({ lines: 5, matched: 3, unmatched: [3, 4] })
  expect(readFileSync(join(world.folder, 'un.txt'), 'utf8')).toBe('zz@example.com\nzz@example.com\n')
  expect(server.asked.filter(({ query }) => query.get('email') === 'zz@example.com')).toHaveLength(1)
})

test('at a terminal the lines are named as they were given', async () => {
  const { world, env } = await service()
  writeFileSync(join(world.folder, 'list.csv'), '\ufeffName;E-Mail\r\nBob;bob@example.com\r\nAda;ada@example.com\r\n')
  const ran = await world.run(['persons', 'delete', '--emails-from', 'list.csv'], { env, columns: 100, answers: ['n'] })
  expect(ran.code).toBe(10)
  expect(ran.stderr).toContain('"bob@example.com" is found only with other upper and lower case')
})

test('--require-all stops at a line without a target, before anything is written', async () => {
  const { world, server, env } = await service()
  const ran = await world.run([...argv, '--require-all', '--unmatched', 'un.txt'], { env, stdin: lines })
  expect(ran.code).toBe(10)
  expect(readFileSync(join(world.folder, 'un.txt'), 'utf8')).toContain('nobody@example.com')
  expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([])
})

test.each([
  [[], 10, []],
  [['--on-several', 'skip'], 0, ['1']],
  [['--on-several', 'all', '--max', '9'], 0, ['1', '3', '4']],
  [['--on-several', 'all'], 2, []],
])('several persons with one e-mail, with %j: exit code %i', async (more, code, deleted) => {
  const { world, env } = await service()
  const ran = await world.run([...argv, ...more], { env, stdin: 'ada@example.com\ntwin@example.com\n' })
  expect([ran.code, deletedIn(ran.stdout)]).toEqual([code, deleted])
})

test('several persons with one distinct id are called so', async () => {
  const { world, env } = await startService((_, response) =>
    json(response, { next: null, results: [1, 2].map(id => ({ id, distinct_ids: ['ada'] })) }),
  )
  const ran = await world.run(['persons', 'delete', '--distinct-ids-from', '-', '--yes'], { env, stdin: 'ada\n' })
  expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining('Several persons have the same distinct id.')])
})

test('a service that ignores the name of a line is named with the line and whom it answered with', async () => {
  const { world, env } = await startService((_, response) => json(response, { next: null, results: people }))
  const ran = await world.run(argv, { env, stdin: 'ada@example.com\n' })
  const message = 'The server ignored the filter: for line 1 it answered with person'
  expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining(message)])
})

test('after an interruption the same command looks everyone up again, and deletes who has the e-mail now', async () => {
  const owners = new Map([
    ['ada@example.com', 1],
    ['stop@example.com', 3],
  ])
  let isBroken = true
  const { world, server, env, sent } = await startService((asked, response) => {
    const email = asked.query.get('email') ?? asked.query.get('search')
    if (email === null) return accepting(asked, response)
    if (email === 'stop@example.com' && isBroken) return json(response, {}, 401)
    const id = owners.get(email)
    json(response, { next: null, results: id === undefined ? [] : [{ ...personRow(id), properties: { email } }] })
  })
  const command = [...argv, '--concurrency', '1']
  const stdin = 'ada@example.com\nlate@example.com\nstop@example.com\n'
  expect((await world.run(command, { env, stdin })).code).toBe(4)
  expect(JSON.parse((await world.run(['jobs', 'list', '-o', 'json'], { env })).stdout)).toEqual([])
  expect((await world.run(['jobs', 'resume', '--last'], { env })).code).toBe(0)

  owners.set('late@example.com', 4).set('ada@example.com', 5)
  isBroken = false
  const before = server.asked.length
  const { code, stdout } = await world.run(command, { env, stdin })
  expect([code, deletedIn(stdout)]).toEqual([0, ['5', '4', '3']])
  const asked = server.asked.slice(before).flatMap(({ query }) => query.get('email') ?? [])
  expect(asked).toEqual(['ada@example.com', 'late@example.com', 'stop@example.com'])
  expect(sent().map(({ path }) => path.split('/').at(-2))).toEqual(['5', '4', '3'])
})

test('a list of which nobody is found is nothing to do', async () => {
  const { world, env } = await service()
  expect(await world.run(argv, { env, stdin: 'nobody@example.com\n' })).toMatchObject({ code: 0, stdout: '' })
})

test.each([
  '--require-all',
  '--unmatched=x',
  '--on-several=all',
  '--column=x',
])('%s needs a list of persons', async option => {
  const { world, server, env } = await service()
  expect((await world.run(['persons', 'delete', '1', option, '--yes'], { env })).code).toBe(2)
  expect(server.asked).toEqual([])
})

test.each([
  [],
  ['--dry-run'],
])('an --unmatched that cannot be written is refused before the look-ups %j', async (...more) => {
  const { world, server, env } = await service()
  const lines = 'nobody@example.com\n'
  const { code, stderr } = await world.run([...argv, '--unmatched', 'none/un.txt', ...more], { env, stdin: lines })
  expect([code, server.asked]).toEqual([2, []])
  expect(stderr).toMatch(/--unmatched: .*un\.txt cannot be written: there is no such file or folder/)
})

test('an empty list leaves no lines of an earlier one in --unmatched, and its digest in the receipt', async () => {
  const { world, server, env } = await service()
  writeFileSync(join(world.folder, 'un.txt'), 'bob@example.com\n')
  const more = ['--unmatched', 'un.txt', '--receipt', 'r.json']
  expect(await world.run([...argv, ...more], { env, stdin: '\n' })).toMatchObject({ code: 0, stdout: '' })
  expect([readFileSync(join(world.folder, 'un.txt'), 'utf8'), server.asked]).toEqual(['', []])
  const { input } = JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8'))
  expect(input).toEqual({ lines: 0, matched: 0, unmatched: [], sha256: expect.stringMatching(/^01ba4719c8/) })
})

test('a person with more distinct ids than a list item holds is found by the last of them', async () => {
  const all = Array.from({ length: 1001 }, (_, i) => `d${i}`)
  const { run, world, sent } = await startService((asked, response) => {
    if (asked.method !== 'GET') return accepting(asked, response)
    const row = { ...personRow(1), distinct_ids: all.slice(0, 1000) }
    if (isList(asked)) return json(response, { next: null, results: [row] })
    json(response, { ...row, distinct_ids: all })
  })
  writeFileSync(join(world.folder, 'ids'), 'd1000\n')
  const { code, stderr } = await run('persons delete --distinct-ids-from ids --yes')
  expect([code, stderr.includes('ignored'), sent().length]).toEqual([0, false, 1])
})
