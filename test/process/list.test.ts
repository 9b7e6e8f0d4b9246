import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { type Answer, json, personRow, personsList, startServer, type TestServer } from '../server.ts'
import { analytics, bin, type Env, machine, reporting, start } from './program.ts'

needsPosix('a shell')

const servers: TestServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

async function serve(answer: Answer): Promise<{ server: TestServer; env: Env }> {
  const server = await startServer(answer)
  servers.push(server)
  return { server, env: { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'test-key', ANALYTICS_PROJECT: '1' } }
}

const all = ['persons', 'list', '--all', '-o', 'ndjson']

test('the first rows are on stdout before the second page comes', async () => {
  let firstRow: () => void = () => undefined
  const shown = new Promise<void>(resolve => {
    firstRow = resolve
  })
  let second = 'not asked'
  const { env } = await serve(async (asked, response) => {
    if (asked.query.has('offset')) {
      second = 'asked'
      await shown
    }
    await personsList(3000)(asked, response)
  })
  const { child, finished } = start(all, env)
  child.stdout?.once('data', () => firstRow())
  const { stdout } = await finished
  expect(stdout.trimEnd().split('\n')).toHaveLength(3000)
  expect(second).toBe('asked')
})

test('a reader that closes the pipe ends a list at once, quietly and with 0', async () => {
  const { server, env } = await serve(personsList(200_000))
  const shell = `"$NODE" "$BIN" persons list --all -o ndjson 2>err | head -1 >out; echo "\${PIPESTATUS[0]}"`
  const folder = mkdtempSync(join(tmpdir(), 'analytics-head-'))
  const { stdout } = await promisify(execFile)('bash', ['-c', shell], {
    cwd: folder,
    env: { ...machine, ...env, HOME: folder, NODE: process.execPath, BIN: bin },
  })
  expect(stdout.trim()).toBe('0')
  expect(JSON.parse(readFileSync(join(folder, 'out'), 'utf8'))).toMatchObject({ id: 1 })
  expect(readFileSync(join(folder, 'err'), 'utf8')).toBe('')
  expect(server.asked.length).toBeLessThan(5)
})

test('an error whose answer nobody reads is told all the same', async () => {
  const { env } = await serve((_, response) => json(response, { detail: 'No.' }, 403))
  const shell = `"$NODE" "$BIN" api GET /api/projects/1/ | true; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', shell], {
    env: { ...machine, ...env, NODE: process.execPath, BIN: bin },
  })
  expect([stdout.trim(), stderr]).toEqual(['4', expect.stringContaining('No.')])
})

test('memory does not grow with the number of rows', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-memory-'))
  const peak = async (rows: number) => {
    const { env } = await serve(cachedPages(rows))
    const file = join(folder, String(rows))
    const { stdout, code } = await analytics(all, { ...env, ...reporting(file) })
    expect([stdout.length > rows * 900, code]).toEqual([true, 0])
    return Number(readFileSync(file, 'utf8')) / 1024
  }
  const small = await peak(10_000)
  const large = await peak(100_000)
  // The rows themselves are 90 MB more.
  expect(large - small).toBeLessThan(60)
})

/** All rows of a page but one are the same on every page, so that making them does not take longer than reading them. */
function cachedPages(total: number): Answer {
  const rows = Array.from({ length: 999 }, (_, i) => JSON.stringify(personRow(i + 1))).join(',')
  return ({ query, path }, response) => {
    const end = Number(query.get('offset') ?? 0) + 1000
    const next = end < total ? JSON.stringify(`http://internal.example${path}?limit=1000&offset=${end}`) : 'null'
    response.setHeader('content-type', 'application/json')
    response.end(
      `{"count":${total},"next":${next},"previous":null,"results":[${JSON.stringify(personRow(end))},${rows}]}`,
    )
  }
}

test('next is followed for its query alone: short, empty, relative, foreign and repeated pages give every row once', async () => {
  const { server: other } = await serve((_, response) => json(response, { results: [personRow(666)], next: null }))
  const pages: Record<string, [number[], string | null]> = {
    '': [[1, 2, 3], `${other.url}api/projects/1/persons/?cursor=a`],
    a: [[4], '?cursor=b'],
    b: [[], 'api/projects/1/persons/?cursor=c'],
    c: [[5, 6], 'https://internal.example:9000/elsewhere/?cursor=d'],
    d: [[7], '/api/projects/1/persons/?cursor=b'],
  }
  const { server, env } = await serve(({ query }, response) => {
    const [ids, next] = pages[query.get('cursor') ?? ''] ?? [[], null]
    json(response, { next, results: ids.map(personRow) })
  })
  const { stdout, stderr, code } = await analytics(['persons', 'list', '--all', '-o', 'ids'], env)
  expect(stdout).toBe('1\n2\n3\n4\n5\n6\n7\n')
  expect([code, stderr]).toEqual([0, 'The server repeated a page, so the list ends here\n'])
  expect(other.asked).toEqual([])
  expect(server.asked.map(({ path }) => path)).toEqual(Array.from({ length: 5 }, () => '/api/projects/1/persons/'))
})

test('rows come out as they went in: large integers, 1.0, escapes, duplicate and unknown members', async () => {
  const row = String.raw`{"id":9007199254740993,"n":1.0,"big":1e400,"s":"\u0041\n","s":"twice","zz":{"b":1,"a":-0}}`
  const { env } = await serve((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(`{"next":null,"results":[${row}]}`)
  })
  expect((await analytics(all, env)).stdout).toBe(`${row}\n`)
  expect((await analytics(['persons', 'list', '-o', 'json'], env)).stdout).toBe(`[\n${row}\n]\n`)
  expect((await analytics(['persons', 'list', '-o', 'ids'], env)).stdout).toBe('9007199254740993\n')
})
