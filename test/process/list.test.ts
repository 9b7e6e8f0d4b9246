/** Long lists by a real process: they stream to every kind of reader. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { type Answer, json, personRow, personsList, serve } from '../server.ts'
import { analytics, bash, emptyHome, newEvent, reporting, start } from './program.ts'

needsPosix('a shell')

const all = ['persons', 'list', '--all', '-o', 'ndjson']
const exitCode = `; echo "\${PIPESTATUS[0]}"`

test('the first rows are on stdout before the second page arrives', async () => {
  const shown = newEvent()
  let second = 'not asked'
  const { env } = await serve(async (asked, response) => {
    if (asked.query.has('offset')) {
      second = 'asked'
      await shown.happened
    }
    await personsList(3000)(asked, response)
  })
  const { child, finished } = start(all, env)
  child.stdout?.once('data', shown.happen)
  const { stdout } = await finished
  expect(stdout.trimEnd().split('\n')).toHaveLength(3000)
  expect(second).toBe('asked')
})

test('a reader that closes the pipe ends a list at once, silently and with 0', async () => {
  const server = await serve(personsList(200_000))
  const folder = emptyHome()
  const { stdout } = await bash(`analytics ${all.join(' ')} 2>err | head -1 >out${exitCode}`, server.env, folder)
  expect(stdout.trim()).toBe('0')
  expect(JSON.parse(readFileSync(join(folder, 'out'), 'utf8'))).toMatchObject({ id: 1 })
  expect(readFileSync(join(folder, 'err'), 'utf8')).toBe('')
  expect(server.asked.length).toBeLessThan(5)
})

test('an error is reported also if the reader closed the pipe', async () => {
  const { env } = await serve((_, response) => json(response, { detail: 'No.' }, 403))
  const { stdout, stderr } = await bash(`analytics api GET /api/projects/1/ | true${exitCode}`, env)
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
  const [small, large] = await Promise.all([peak(10_000), peak(70_000)])
  // The additional rows are 54 MB.
  expect(large - small).toBeLessThan(40)
})

/** All rows of a page but one are the same on every page, so that making them takes little time. */
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

test('only the query of next is used: short, empty, relative, foreign and repeated pages give every row once', async () => {
  const other = await serve((_, response) => json(response, { results: [personRow(666)], next: null }))
  const pages: Record<string, [number[], string | null]> = {
    '': [[1, 2, 3], `${other.url}api/projects/1/persons/?cursor=a`],
    a: [[4], '?cursor=b'],
    b: [[], 'api/projects/1/persons/?cursor=c'],
    c: [[5, 6], 'https://internal.example:9000/elsewhere/?cursor=d'],
    d: [[7], '/api/projects/1/persons/?cursor=b'],
  }
  const server = await serve(({ query }, response) => {
    const [ids, next] = pages[query.get('cursor') ?? ''] ?? [[], null]
    json(response, { next, results: ids.map(personRow) })
  })
  const { stdout, stderr, code } = await analytics(['persons', 'list', '--all', '-o', 'ids'], server.env)
  expect(stdout).toBe('1\n2\n3\n4\n5\n6\n7\n')
  expect([code, stderr]).toEqual([0, 'The server repeated a page, so the list ends here\n'])
  expect(other.asked).toEqual([])
  expect(server.asked.map(({ path }) => path)).toEqual(Array.from({ length: 5 }, () => '/api/projects/1/persons/'))
})

test('rows keep their bytes: large integers, 1.0, escapes, duplicate and unknown members', async () => {
  const row = String.raw`{"id":9007199254740993,"n":1.0,"big":1e400,"s":"\u0041\n","s":"twice","zz":{"b":1,"a":-0}}`
  const { env } = await serve((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(`{"next":null,"results":[${row}]}`)
  })
  expect((await analytics(all, env)).stdout).toBe(`${row}\n`)
  expect((await analytics(['persons', 'list', '-o', 'json'], env)).stdout).toBe(`[\n${row}\n]\n`)
})
