/** When a 404 says that a person is gone. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, notFound } from '../../server.ts'
import { accepting, outcomesOf, startService } from '../../service.ts'

test('under a project that is not there nobody is gone', async () => {
  const service = await startService((_, response) => notFound(response))
  expect((await service.run('persons delete 1 2 3 --yes --receipt r.json')).code).toBe(3)
  expect(outcomesOf(service).every(({ status }: { status: string }) => status === 'left')).toBe(true)
  writeFileSync(join(service.world.folder, 'list'), '1\n')
  expect((await service.run('persons delete --from list --yes')).code).toBe(3)
})

test('a 404 after a 500 is a deletion that is inferred', async () => {
  let tries = 0
  const service = await startService((asked, response) => {
    if (asked.method !== 'DELETE') return accepting(asked, response)
    if (++tries === 1) json(response, { detail: 'A server error occurred.' }, 500)
    else notFound(response)
  })
  expect((await service.run('persons delete 1 --yes --receipt r.json')).code).toBe(0)
  expect(outcomesOf(service)).toMatchObject([{ id: '1', status: 'deleted', evidence: 'inferred' }])
})

test('a 503 that asks to wait is unanswered like any other 5xx', async () => {
  let tries = 0
  const service = await startService((asked, response) => {
    if (asked.method !== 'DELETE') return accepting(asked, response)
    if (++tries > 1) return notFound(response)
    response.writeHead(503, { 'retry-after': '0', 'content-type': 'application/json' }).end('{"detail":"Busy."}')
  })
  expect((await service.run('persons delete 1 --delete-events --yes --receipt r.json')).code).toBe(0)
  expect(outcomesOf(service)).toMatchObject([{ id: '1', status: 'deleted', evidence: 'inferred' }])
})
