/** Lists of persons by e-mail or distinct id: every line is accounted for. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Asked, isList, json, personRow } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

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
const list = ['persons', 'delete', '--emails-from', '-', '-o', 'ndjson']
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

test('look-ups that were interrupted go on where they stopped, and keep no line', async () => {
  let isBroken = true
  const { world, server, env } = await startService(({ path, query }, response) => {
    const email = query.get('email')
    if (!path.endsWith('/persons/') || (email === 'bob@example.com' && isBroken)) return json(response, {}, 401)
    json(response, { next: null, results: people.filter(person => person.properties.email === email) })
  })
  const list = { env, stdin: 'ada@example.com\nbob@example.com\nnobody@example.com\n' }
  const command = ['persons', 'delete', '--emails-from', '-', '--yes', '--concurrency', '1', '--require-all']
  expect((await world.run(command, list)).code).toBe(4)
  const [job] = JSON.parse((await world.run(['jobs', 'list', '-o', 'json'], { env })).stdout)
  expect(job).toMatchObject({ state: 'resolving', total: 3, done: 1, command: 'persons --emails-from', project: '1' })
  const folder = join(world.folder, 'state/jobs', job.id)
  for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), 'utf8')).not.toContain('@')
  const resumed = await world.run(['jobs', 'resume', job.id], { env })
  const message = `Job ${job.id} holds look-ups of names, and no run yet.\nRun the same command with the same list again.\n`
  expect([resumed.code, resumed.stderr]).toEqual([2, message])
  const last = await world.run(['jobs', 'resume', '--last'], { env })
  expect([last.code, last.stderr]).toEqual([2, message])
  const elsewhere = await world.run(['jobs', 'resume', '--last'], { env: { ...env, ANALYTICS_PROJECT: '2' } })
  expect(elsewhere.code).toBe(0)
  world.now += 25 * 60 * 60_000
  expect((await world.run(['jobs', 'resume', '--last'], { env })).code).toBe(0)
  world.now -= 25 * 60 * 60_000

  isBroken = false
  const before = server.asked.length
  expect((await world.run(command, list)).code).toBe(10)
  const asked = server.asked.slice(before).map(({ query }) => query.get('email'))
  expect([asked.includes('ada@example.com'), asked.includes('bob@example.com')]).toEqual([false, true])
  expect(JSON.parse((await world.run(['jobs', 'list', '-o', 'json'], { env })).stdout)).toEqual([])
})

test('jobs resume --last: look-ups are awaited for a day after each, in the project by any name, until a run follows', async () => {
  const works = new Set(['ada@example.com'])
  const { world, env } = await startService((asked, response) => {
    const email = asked.query.get('email')
    if (asked.path.endsWith('/projects/@current/')) return json(response, { id: 1, name: 'Hedgehog Press' })
    if (email === null) return accepting(asked, response)
    if (!works.has(email)) return json(response, {}, 401)
    const id = [...works].indexOf(email) + 1
    json(response, { next: null, results: [{ ...personRow(id), properties: { email } }] })
  })
  const several = { env, stdin: 'ada@example.com\nbob@example.com\ncy@example.com\n' }
  const command = [...list, '--yes', '--concurrency', '1']
  const last = async (project = '1') =>
    (await world.run(['jobs', 'resume', '--last'], { env: { ...env, ANALYTICS_PROJECT: project } })).code
  expect((await world.run(command, several)).code).toBe(4)
  expect([await last(), await last('@current'), await last('2')]).toEqual([2, 2, 0])

  world.now += 20 * 60 * 60_000
  works.add('bob@example.com')
  expect((await world.run(command, several)).code).toBe(4)
  world.now += 20 * 60 * 60_000
  expect([await last(), await last('@current')]).toEqual([2, 2])

  await world.run(['persons', 'update', '8', '9', '--set', 'plan=pro', '--yes'], { env })
  expect([await last(), await last('@current')]).toEqual([2, 2])

  const corrected = { env, stdin: 'ada@example.com\nbob@example.com\n' }
  expect((await world.run(command, corrected)).code).toBe(0)
  expect([await last(), await last('@current')]).toEqual([0, 0])
})

test('jobs resume --last: look-ups are awaited also where nobody was found yet', async () => {
  const { world, env } = await startService((asked, response) => {
    const email = asked.query.get('email') ?? asked.query.get('search')
    if (email === null) return accepting(asked, response)
    if (email === 'stop@example.com') return json(response, {}, 401)
    json(response, { next: null, results: [] })
  })
  const command = [...list, '--yes', '--concurrency', '1']
  expect((await world.run(command, { env, stdin: 'nobody@example.com\nstop@example.com\n' })).code).toBe(4)
  const { code, stderr } = await world.run(['jobs', 'resume', '--last'], { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining('holds look-ups of names, and no run yet')])
})

test('whoever has an e-mail now is deleted: old look-ups and lines that belonged to nobody are looked up anew', async () => {
  const people = new Map([
    ['ada@example.com', 1],
    ['bob@example.com', 2],
    ['stop@example.com', 3],
  ])
  let isBroken = true
  const { world, server, env, sent } = await startService((asked, response) => {
    const email = asked.query.get('email') ?? asked.query.get('search')
    if (email === null) return accepting(asked, response)
    if (email === 'stop@example.com' && isBroken) return json(response, {}, 401)
    const id = people.get(email)
    json(response, { next: null, results: id === undefined ? [] : [{ ...personRow(id), properties: { email } }] })
  })
  const argv = [...list, '--yes', '--concurrency', '1', '--receipt', 'r.json']
  const lookedUp = (from: number) =>
    server.asked.slice(from).flatMap(({ query }) => query.get('email')?.replace('@example.com', '') ?? [])
  const stdin = 'ada@example.com\nlate@example.com\nbob@example.com\nstop@example.com\n'
  expect((await world.run(argv, { env, stdin })).code).toBe(4)

  people.set('late@example.com', 4)
  const before = server.asked.length
  expect(await world.run(argv, { env, stdin })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Going on with 2 look-ups, the oldest of 2026-05-15 12:00 UTC\n'),
  })
  expect(lookedUp(before)).toEqual(['late', 'stop'])

  // The next day the e-mail of one is that of another.
  world.now += 24 * 60 * 60 * 1000 + 1
  people.set('ada@example.com', 5)
  isBroken = false
  const { code, stdout, stderr } = await world.run(argv, { env, stdin })
  expect([code, deletedIn(stdout), stderr.includes('Going on')]).toEqual([0, ['5', '4', '2', '3'], false])
  expect(sent().map(({ path }) => path.split('/').at(-2))).toEqual(['5', '4', '2', '3'])
})

const stateOf = async ({ world, env }: Pick<Awaited<ReturnType<typeof service>>, 'world' | 'env'>) =>
  JSON.parse((await world.run(['jobs', 'list', '-o', 'json'], { env })).stdout).map(
    ({ state }: { state: string }) => state,
  )

const isLookUp = ({ query }: Asked) => query.has('email') || query.has('search')

test('a refusal asks people to put the data right, so the next command looks everyone up again', async () => {
  const here = await service()
  const { world, env, server } = here
  const stdin = 'ada@example.com\ntwin@example.com\nnobody@example.com\n'
  for (const more of [['--yes'], ['--yes', '--require-all'], ['--yes', '--expect', '7', '--on-several', 'skip']]) {
    const refused = await world.run([...list, ...more], { env, stdin })
    expect([refused.code, refused.stderr.includes('kept'), await stateOf(here)]).toEqual([10, false, []])
  }
  const before = server.asked.length
  const more = ['--yes', '--on-several', 'skip', '--receipt', 'receipt.json', '--unmatched', 'un.txt']
  const ran = await world.run([...list, ...more], { env, stdin })
  expect([ran.code, deletedIn(ran.stdout), ran.stderr.includes('Going on')]).toEqual([0, ['1'], false])
  const asked = server.asked.slice(before).filter(isLookUp)
  expect(new Set(asked.map(({ query }) => query.get('email') ?? query.get('search'))).size).toBe(3)
  const receipt = JSON.parse(readFileSync(join(world.folder, 'receipt.json'), 'utf8'))
  expect(receipt.input).toMatchObject({ lines: 3, matched: 1, unmatched: [2, 3] })
  expect(readFileSync(join(world.folder, 'un.txt'), 'utf8').split('\n')).toHaveLength(3)
})

test('a server that ignores the name of a later line leaves nothing that was found before', async () => {
  const { world, env } = await startService(({ query }, response) => {
    const found = people.filter(({ properties }) => properties.email === query.get('email'))
    json(response, { next: null, results: query.get('email') === 'ada@example.com' ? found : people })
  })
  const ran = await world.run([...list, '--yes', '--concurrency', '1'], {
    env,
    stdin: 'ada@example.com\nx@example.com\n',
  })
  expect([ran.code, await stateOf({ world, env })]).toEqual([10, []])
})

test('a failure between the look-ups and the run does not start them anew, which is said; declining does', async () => {
  let isDown = true
  const left = new Map(people.map(person => [String(person.id), person]))
  const here = await startService(({ path, query }, response) => {
    const id = path.split('/').at(-2) ?? ''
    if (path.endsWith('/persons/')) {
      return json(response, { next: null, results: people.filter(one => one.properties.email === query.get('email')) })
    }
    if (isDown) return json(response, { detail: 'no' }, 403)
    json(response, left.get(id) ?? { id: 1, name: 'Shop' })
  })
  const stdin = 'ada@example.com\nBob@example.com\n'
  const lines = join(here.world.folder, 'list.txt')
  writeFileSync(lines, stdin)
  const asking = ['persons', 'delete', '--emails-from', 'list.txt']
  // The preview of the question fails.
  const failed = await here.world.run(asking, { env: here.env, columns: 80, answers: ['2'] })
  expect([failed.code, failed.stderr.includes('Going on')]).toEqual([4, false])
  expect(await stateOf(here)).toEqual(['resolving'])
  isDown = false
  const before = here.server.asked.length
  const declined = await here.world.run([...asking, '--quiet'], { env: here.env, columns: 80, answers: ['n'] })
  expect(declined.code).toBe(10)
  expect(declined.stderr).toMatch(/^Going on with 2 look-ups, the oldest of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m)
  expect(here.server.asked.slice(before).some(({ query }) => query.has('email'))).toBe(false)
  expect(await stateOf(here)).toEqual([])
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

test('--max-duration counts the look-ups: the next one is not begun, and those that were made are kept', async () => {
  const { world, server, env } = await startService(({ method, query }, response) => {
    world.now += 60 * 60_000
    if (method === 'DELETE') return void response.writeHead(204).end()
    json(response, { next: null, results: people.filter(({ properties }) => properties.email === query.get('email')) })
  })
  const stdin = 'ada@example.com\nBob@example.com\n'
  const asked = () => server.asked.map(({ method, query }) => `${method} ${query.get('email') ?? ''}`.trim())
  const command = [...argv, '--concurrency', '1', '--max-duration', '30m']
  const ran = await world.run(command, { env, stdin })
  expect([ran.code, ran.stderr]).toEqual([8, expect.stringContaining('Stopped at --max-duration')])
  expect(ran.stderr).toContain('The look-ups are kept')
  expect(asked()).toEqual(['GET ada@example.com'])

  expect((await world.run(command, { env, stdin })).code).toBe(8)
  expect(asked()).toEqual(['GET ada@example.com', 'GET Bob@example.com'])
  const resumed = await world.run(['jobs', 'resume', '--last', '-o', 'ids'], { env })
  expect([resumed.code, resumed.stdout]).toEqual([0, '1\n2\n'])
})
