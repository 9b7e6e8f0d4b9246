/** Another user changes a record between a 404 for its write and the second attempt. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

const definition = '01900000-0000-4000-8000-000000000001'
const notFound = { type: 'invalid_request', code: 'not_found', detail: 'Not found.' }

/** A service with one record. Write number `lost` gets a 404, and then another user sets `change`. */
async function startChanging(path: string, record: Record<string, unknown>, change: Record<string, unknown>, lost = 1) {
  let writes = 0
  const service = await startService((asked, response) => {
    if (!asked.path.startsWith(path)) return accepting(asked, response)
    if (asked.method === 'GET') return json(response, record)
    writes++
    if (writes === lost) {
      Object.assign(record, change)
      return json(response, notFound, 404)
    }
    const { properties, $unset, ...fields } = JSON.parse(asked.body)
    const kept = { ...(record.properties as object), ...properties }
    delete kept[$unset]
    Object.assign(record, fields, 'properties' in record ? { properties: kept } : {})
    return json(response, record)
  })
  return { ...service, record }
}

test('a tag that another user adds after a 404 for an update stays', async () => {
  const path = `/api/projects/1/event_definitions/${definition}/`
  const record = { id: definition, name: 'paid', tags: ['old'] }
  const { run, sent } = await startChanging(path, record, { tags: ['old', 'theirs'] })
  const { code, stderr } = await run(`event-definitions update ${definition} --add-tag ours --backup b.ndjson --yes`)
  expect([code, record.tags]).toEqual([0, ['old', 'theirs', 'ours']])
  expect(sent()).toHaveLength(2)
  expect(stderr).toMatch(/\b1 event definition to b\.ndjson/)
})

test('undo after a 404 keeps a value that another user sets meanwhile', async () => {
  const path = '/api/projects/1/persons/7/'
  const record = { id: 7, uuid: definition, distinct_ids: ['d'], properties: { plan: 'free' } }
  const theirs = { properties: { plan: 'theirs' } }
  const { run } = await startChanging(path, record, theirs, 2)
  expect((await run('persons update 7 --set plan=pro --backup b.ndjson --yes')).code).toBe(0)
  const { code, stderr } = await run('jobs undo --last --yes')
  expect([code, record.properties]).toEqual([8, theirs.properties])
  expect(stderr).toContain('1 failed')
})

test('undo after a 404 is done where another user removed the property meanwhile', async () => {
  const path = '/api/projects/1/persons/7/'
  const record = { id: 7, uuid: definition, distinct_ids: ['d'], properties: {} }
  const { run, sent } = await startChanging(path, record, { properties: {} }, 2)
  expect((await run('persons update 7 --set seats=x --backup b.ndjson --yes')).code).toBe(0)
  expect((await run('jobs undo --last --yes')).code).toBe(0)
  expect([record.properties, sent().length]).toEqual([{}, 2])
})

test('after a 404 for one of two properties undo restores both, each with one success', async () => {
  const path = '/api/projects/1/persons/7/'
  const record = { id: 7, uuid: definition, distinct_ids: ['d'], properties: { plan: 'free' } as object }
  const { run, sent, world } = await startChanging(path, record, {}, 3)
  expect((await run('persons update 7 --set plan=pro --set seats=x --backup b.ndjson --yes')).code).toBe(0)
  expect((await run('jobs undo --last --new-backup c.ndjson --yes')).code).toBe(0)
  expect(record.properties).toEqual({ plan: 'free' })
  expect(sent().map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'POST', 'POST'])
  expect((await run('jobs undo --last --yes')).code).toBe(0)
  expect(record.properties).toEqual({ plan: 'pro', seats: 'x' })
  expect(readFileSync(join(world.folder, 'c.ndjson'), 'utf8')).toContain('"pro"')
})
