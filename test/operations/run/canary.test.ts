/** The first targets of a run have to be gone before the others are sent. */
import { expect, test } from 'vitest'
import { emptyPage, isList, json, notFound, personRow } from '../../server.ts'
import { accepting, outcomesOf, startService } from '../../service.ts'

const idOf = (path: string) => Number(path.split('/').at(-2))

test('a canary that is still there is not deleted, and is sent again', async () => {
  let stays = true
  const service = await startService((asked, response) => {
    if (asked.method === 'DELETE') return void response.writeHead(202).end()
    if (isList(asked)) return emptyPage(response)
    if (!/\/persons\/\d+\/$/.test(asked.path)) return json(response, { id: 1, name: 'P' })
    if (stays) json(response, personRow(idOf(asked.path)))
    else notFound(response)
  })
  const { code, stdout } = await service.run('persons delete 1 2 3 --yes --canary 1 --receipt r.json -o ndjson')
  expect([code, stdout.includes('"deleted"'), service.sent().length]).toEqual([5, false, 1])
  expect(outcomesOf(service)[0]).toMatchObject({ status: 'failed', error: { code: 'still-there' } })
  stays = false
  expect((await service.run('jobs resume --last')).code).toBe(0)
  expect(service.sent().map(({ path }) => idOf(path))).toEqual([1, 1, 2, 3])
})

test('the canary counts with one target, too', async () => {
  const service = await startService((asked, response) => {
    if (asked.method === 'GET' && /\/persons\/1\/$/.test(asked.path)) return json(response, personRow(1))
    return accepting(asked, response)
  })
  expect((await service.run('persons delete 1 --canary 1 --yes')).code).toBe(5)
})
