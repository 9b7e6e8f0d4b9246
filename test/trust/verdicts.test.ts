/** What each response to a DELETE, or to a read of verify, counts as. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Answer, emptyPage, isList, json } from '../server.ts'
import { startService } from '../service.ts'

type Verdict = 'deleted' | 'gone' | 'failed' | 'stop'

interface Row {
  readonly status: number
  readonly type?: string
  readonly body?: string
  /** The connection ends before the length that was announced. */
  readonly isCut?: boolean
  /** The exit code of one DELETE. */
  readonly single: number
  readonly bulk: Verdict
  /** `stop`: no person can be looked up. */
  readonly verify: 'gone' | 'there' | 'unknown' | 'stop'
}

const html = '<!doctype html><title>Sign in</title>'
const detail = '{"type":"invalid_request","code":"not_found","detail":"Not found.","attr":null}'
const data = 'application/json'

const cut = { single: 7, bulk: 'failed', verify: 'unknown' } as const
const stopping = { single: 5, bulk: 'stop', verify: 'unknown' } as const

const rows: readonly Row[] = [
  { status: 204, single: 0, bulk: 'deleted', verify: 'unknown' },
  { status: 202, single: 0, bulk: 'deleted', verify: 'unknown' },
  { status: 200, single: 0, bulk: 'deleted', verify: 'unknown' },
  { status: 200, type: data, body: '{"id":1}', single: 5, bulk: 'stop', verify: 'there' },
  { status: 200, type: data, body: 'null', ...stopping },
  { status: 200, type: 'text/html', body: html, ...stopping },
  { status: 200, type: data, body: html, ...stopping },
  { status: 202, type: 'text/plain', body: 'queued', ...stopping },
  { status: 200, type: data, body: '"ok"', ...stopping },
  { status: 200, type: data, body: '{"detail":"Nothing was done."}', ...stopping },
  { status: 200, type: data, body: '{"error":"forbidden"}', ...stopping },
  { status: 200, type: data, body: '{"id":"req-8f3","error":"upstream failed"}', ...stopping },
  { status: 200, type: data, body: '{"success":false}', ...stopping },
  { status: 200, type: data, body: '{"id":1', ...stopping },
  { status: 404, type: data, body: detail, single: 3, bulk: 'gone', verify: 'gone' },
  { status: 404, type: data, body: '{"detail":"Not found."}', single: 3, bulk: 'gone', verify: 'gone' },
  { status: 404, ...stopping },
  { status: 404, type: 'text/plain', body: 'default backend - 404', ...stopping },
  { status: 404, type: 'text/html', body: html, ...stopping },
  { status: 404, type: data, body: '{"message":"Not Found"}', ...stopping },
  { status: 404, type: data, body: '{"detail":""}', ...stopping },
  { status: 404, type: data, body: '["Not found."]', ...stopping },
  { status: 400, type: data, body: '{"detail":"No."}', single: 5, bulk: 'failed', verify: 'unknown' },
  { status: 401, type: data, body: '{"detail":"No."}', single: 4, bulk: 'stop', verify: 'stop' },
  { status: 403, type: data, body: '{"detail":"No."}', single: 4, bulk: 'stop', verify: 'stop' },
  { status: 302, type: 'text/html', body: html, ...stopping },
  { status: 500, type: data, body: '{"detail":"No."}', single: 7, bulk: 'failed', verify: 'unknown' },
  { status: 401, type: data, body: '{"detail":"N', isCut: true, ...cut },
  { status: 400, type: data, body: '{"detail":"N', isCut: true, ...cut },
  { status: 404, type: data, body: '{"detail":"N', isCut: true, ...cut },
  { status: 302, isCut: true, ...cut },
  { status: 500, type: data, body: '{"detail":"N', isCut: true, ...cut },
  { status: 502, type: 'text/html', body: html, single: 7, bulk: 'failed', verify: 'unknown' },
]

/** The row is the response to this method for any person. Other requests get the usual responses. */
function answering(row: Row, method: string): Answer {
  return (asked, response) => {
    const isTarget = /\/persons\/\d+\/$/.test(asked.path)
    if (isTarget && asked.method === method) {
      const headers = {
        ...(row.type ? { 'content-type': row.type } : {}),
        ...(row.status === 302 ? { location: '/' } : {}),
        ...(row.isCut ? { 'content-length': '100', connection: 'close' } : {}),
      }
      return void response.writeHead(row.status, headers).end(row.body)
    }
    if (isTarget) return json(response, { detail: 'Not found.' }, 404)
    if (isList(asked)) return emptyPage(response)
    json(response, { id: 1, name: 'Project', organization: null })
  }
}

const named = (row: Row) => `${row.status} ${row.type ?? 'no type'} ${row.body ?? 'empty'}${row.isCut ? ' cut' : ''}`

test.each(rows.map(row => [named(row), row] as const))('%s', async (_, row) => {
  const { world, env } = await startService(answering(row, 'DELETE'))
  const run = (...words: string[]) => world.run(['persons', 'delete', ...words, '--yes', '-o', 'ndjson'], { env })
  const single = await run('1')
  const bulk = await run('1', '2', '3', '--receipt', 'bulk.json', '--concurrency', '1')
  const read = (file: string) => JSON.parse(readFileSync(join(world.folder, file), 'utf8'))
  const counts = (file: string) => read(file).counts

  expect(single.code).toBe(row.single)
  expect(single.stdout.includes('"deleted"')).toBe(row.single === 0)
  const all = { deleted: 0, updated: 0, gone: 0, failed: 0, left: 0 }
  if (row.bulk === 'stop') {
    const { deleted, gone, left } = counts('bulk.json')
    expect([bulk.code === 0 || bulk.code === 8, deleted, gone, left >= 2]).toEqual([false, 0, 0, true])
  } else {
    expect(counts('bulk.json')).toEqual({ ...all, [row.bulk]: 3 })
    expect(bulk.code).toBe({ deleted: 0, gone: 3, failed: 8 }[row.bulk])
  }
})

test.each(rows.map(row => [named(row), row] as const))('verify reads %s', async (_, row) => {
  const { world, env } = await startService(answering(row, 'GET'))
  const receipt = {
    receipt: 3,
    command: 'persons delete',
    base_url: env.ANALYTICS_BASE_URL,
    project: '1',
    complete: true,
    events: { deleted: false },
    targets_sha256: createHash('sha256').update('1\n').digest('hex'),
  }
  const outcomes = [{ id: '1', status: 'deleted', error: null, evidence: 'answered', at: null }]
  const path = { project_id: '1' }
  writeFileSync(join(world.folder, 'r.json'), JSON.stringify({ ...receipt, path, counts: { left: 0 }, outcomes }))
  const { stdout, code } = await world.run(['persons', 'verify', '--receipt', 'r.json', '-o', 'json'], { env })
  expect(code).toBe({ gone: 0, there: 8, unknown: 8, stop: 4 }[row.verify])
  if (row.verify !== 'stop') expect(JSON.parse(stdout)).toEqual([{ id: '1', status: row.verify }])
})
