/**
 * Long lists of persons, as people are given them, against a service that turns requests away, by a program that is
 * killed five times: in the look-ups and in the run. Each line is accounted for once, and each person is deleted once.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { answering, modelService, rowOf } from '../model-service.ts'
import { json, personId, startServer, type TestServer } from '../server.ts'
import { type Env, type Finished, start } from './program.ts'

interface Person {
  readonly id: number
  readonly distinct_ids: readonly string[]
  readonly properties: { readonly email: string }
}

let folder = ''
let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** After how many requests of its life a program is killed: in the look-ups, later in the run. */
type Lives = readonly number[]

interface Served {
  /** The id of each person who was deleted. */
  readonly deleted: readonly string[]
  /** Calls back when the request that is so many from now arrives. */
  after(requests: number, act: () => void): void
}

async function serve(people: readonly Person[]): Promise<Served> {
  const model = modelService({ persons: people.map(({ id }) => String(id)) })
  for (const one of people) model.put('persons', String(one.id), { ...rowOf('persons', one.id), ...one })
  const answer = answering(model)
  const deleted: string[] = []
  let countdown = 0
  let act: () => void = () => undefined
  let count = 0
  server = await startServer((asked, response) => {
    if (--countdown === 0) act()
    count++
    if (count % 37 === 0) return json(response, { detail: 'Request was throttled.' }, 429)
    if (count % 101 === 0) return json(response.setHeader('retry-after', '2'), { detail: 'Throttled.' }, 429)
    const id = String(personId(asked.path))
    if (asked.method === 'DELETE' && model.find('persons', id)) deleted.push(id)
    return answer(asked, response)
  })
  return {
    deleted,
    after(requests, then) {
      countdown = requests
      act = then
    },
  }
}

/** Pauses of up to five seconds end at once in the program: how long they are is tested elsewhere. */
const hurry = `const timers = require('node:timers/promises')
const wait = timers.setTimeout
timers.setTimeout = (ms, ...rest) => wait(ms <= 5000 ? Math.min(ms, 5) : ms, ...rest)
`

/** Gives the command until it has made its job, then resumes that; most of the processes are killed. */
async function runThroughKills(argv: readonly string[], served: Served, lives: Lives): Promise<Finished> {
  writeFileSync(join(folder, 'hurry.cjs'), hurry)
  const env: Env = {
    ANALYTICS_BASE_URL: server?.url ?? '',
    ANALYTICS_API_KEY: 'test-key',
    ANALYTICS_PROJECT: '1',
    ANALYTICS_STATE_DIR: join(folder, 'state'),
    NODE_OPTIONS: `--require ${join(folder, 'hurry.cjs')}`,
  }
  mkdirSync(join(folder, 'state/jobs'), { recursive: true })
  for (let life = 0; ; life++) {
    const [job] = readdirSync(join(folder, 'state/jobs')).filter(name => !name.startsWith('.'))
    const { child, finished } = start(job === undefined ? argv : ['jobs', 'resume', job], env)
    const requests = lives[life]
    if (requests !== undefined) served.after(requests, () => child.kill('SIGKILL'))
    const ended = await finished
    if (requests === undefined) return ended
    expect(ended.code, `life ${life} was not killed; it said ${ended.stderr}`).toBe(null)
  }
}

/** What the folder of jobs or the receipt holds of what nobody may keep. */
function keptOf(names: RegExp): string | undefined {
  const files = readdirSync(join(folder, 'state'), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  expect(files.length).toBeGreaterThan(1)
  return [...files, join(folder, 'receipt.json')]
    .map(file => names.exec(readFileSync(file, 'latin1'))?.[0])
    .find(found => found !== undefined)
}

interface Receipt {
  readonly input: { readonly lines: number; readonly matched: number; readonly unmatched: readonly number[] }
  readonly outcomes: readonly { readonly id: string; readonly status: string }[]
  readonly complete: boolean
}

function readReceipt(): Receipt {
  return JSON.parse(readFileSync(join(folder, 'receipt.json'), 'utf8'))
}

const byNumber = (a: string, b: string) => Number(a) - Number(b)

interface Unmatched {
  readonly line: number
  readonly name: string
  readonly similar?: number | undefined
}

function csvOf(column: string, lines: readonly Unmatched[]): string {
  const row = ({ line, name, similar }: Unmatched) =>
    `${line},${name},${similar === undefined ? 'not-found' : 'other-case'},${similar ?? ''}\n`
  return [`line,${column},reason,person_id\n`, ...lines.map(row)].join('')
}

type Sort = 'found' | 'nobody' | 'other-case'

test('120 e-mails of a spreadsheet: found, nobody, other case, twice, with quotes', async () => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-named-'))
  const sorts: readonly Sort[] = ['found', 'found', 'nobody', 'found', 'found', 'found', 'other-case', 'found']
  const people: Person[] = []
  const add = (email: string) => {
    const id = people.length + 1
    people.push({ id, distinct_ids: [`device-${id}`], properties: { email } })
  }
  const names = Array.from({ length: 120 }, (_, i) => ({ email: `p${i}@example.com`, sort: sorts[i % 8] as Sort }))
  for (const { email, sort } of names) {
    if (sort === 'found') add(email)
    if (sort === 'other-case') add(email.toUpperCase())
  }
  const wanted = people.filter(({ properties }) =>
    names.some(one => one.email === properties.email && one.sort === 'found'),
  )

  // Every ninth name comes again, a few dozen in all; a name may have a line feed within its quotes.
  const rows = names.flatMap((one, i) => (i % 9 === 0 ? [one, one] : [one]))
  let line = 2
  const unmatched: Unmatched[] = []
  const text = rows.map(({ email, sort }, i) => {
    const name = i % 5 === 0 ? `"Doe;\nJo ""J"" ${i}"` : `Jo ${i}`
    const cell = i % 2 === 0 ? `"${email}"` : email
    const blank = i % 20 === 0 ? '\r\n;\r\n' : '\r\n'
    if (i % 5 === 0) line++
    const similar = people.find(one => one.properties.email === email.toUpperCase())
    if (sort !== 'found') unmatched.push({ line, name: email, similar: similar?.id })
    line += blank.split('\n').length - 1
    return `${name};${cell}${blank}`
  })
  const list = join(folder, 'list.csv')
  writeFileSync(list, `\ufeffName;E-Mail\r\n${text.join('')}`)

  const served = await serve(people)
  const [receipt, file] = [join(folder, 'receipt.json'), join(folder, 'unmatched.txt')]
  const argv = ['persons', 'delete', '--emails-from', list, '--unmatched', file]
  const ended = await runThroughKills(
    [...argv, '--receipt', receipt, '--yes', '-o', 'ndjson'],
    served,
    [30, 30, 90, 12, 12],
  )
  expect(ended.code, ended.stderr).toBe(0)

  const { input, outcomes, complete } = readReceipt()
  expect([complete, input.lines, input.matched]).toEqual([true, rows.length, rows.length - unmatched.length])
  expect(input.unmatched).toEqual(unmatched.map(({ line }) => line))
  expect(readFileSync(file, 'utf8')).toBe(csvOf('email', unmatched))
  const ids = wanted.map(({ id }) => String(id))
  expect(outcomes.map(({ id }) => id)).toEqual(ids)
  expect([...new Set(outcomes.map(({ status }) => status))]).toEqual(['deleted'])
  // Each was deleted once, and nobody else was.
  expect(served.deleted.toSorted(byNumber)).toEqual(ids)
  expect(keptOf(/example\.com|Jo \d/i)).toBeUndefined()
})

test('130 distinct ids, of persons with up to 1,500 of them', async () => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-named-'))
  const fat = (id: number) => Array.from({ length: 1500 }, (_, i) => `device-${id}-${i}`)
  const people: Person[] = Array.from({ length: 80 }, (_, i) => ({
    id: i + 1,
    distinct_ids: i % 30 === 0 ? fat(i + 1) : [`device-${i + 1}`, `Device ${i + 1}`],
    properties: { email: `p${i + 1}@example.com` },
  }))
  // One in three persons is named twice, by two ids; every fourth line belongs to nobody.
  const named = people.flatMap(({ distinct_ids }, i) => (i % 3 === 0 ? distinct_ids.slice(-2) : distinct_ids.slice(-1)))
  const lines = named.flatMap((name, i) => (i % 4 === 0 ? [name, `nobody-${i}`] : [name]))
  const list = join(folder, 'list.ndjson')
  writeFileSync(list, lines.map(name => `${JSON.stringify({ distinct_id: name })}\n`).join(''))

  const served = await serve(people)
  const [receipt, file] = [join(folder, 'receipt.json'), join(folder, 'unmatched.txt')]
  const argv = ['persons', 'delete', '--distinct-ids-from', list, '--unmatched', file, '--receipt', receipt, '--yes']
  const ended = await runThroughKills(argv, served, [40, 40, 175, 10, 10])
  expect(ended.code, ended.stderr).toBe(0)

  const { input, outcomes } = readReceipt()
  const nobody = lines.flatMap((name, i): Unmatched[] => (name.startsWith('nobody') ? [{ line: i + 1, name }] : []))
  expect(input).toMatchObject({ lines: lines.length, matched: named.length })
  expect(input.unmatched).toEqual(nobody.map(({ line }) => line))
  expect(readFileSync(file, 'utf8')).toBe(csvOf('distinct_id', nobody))
  const ids = people.map(({ id }) => String(id))
  expect(outcomes.map(({ id }) => id)).toEqual(ids)
  expect(served.deleted.toSorted(byNumber)).toEqual(ids)
  expect(keptOf(/device|nobody-/i)).toBeUndefined()
})
