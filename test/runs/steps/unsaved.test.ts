/** A record that cannot be saved is not changed: the backup comes before the write. */
import { expect, test } from 'vitest'
import { notFound, personId } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

test.each([
  ['persons update 1 2 3 --set plan=pro', 8, ['1', '3'], 'failed'],
  ['persons delete 1 2 3', 0, ['1', '3'], 'gone'],
  ['persons update 2 --set plan=pro', 3, [], 'failed'],
])('%s: whoever cannot be read for the backup is not changed', async (line, exit, changed, status) => {
  const service = await startService((asked, response) =>
    asked.method === 'GET' && asked.path.endsWith('/persons/2/') ? notFound(response) : accepting(asked, response),
  )
  const { code } = await service.run(`${line} --yes --backup b.ndjson --receipt r.json`)
  expect([code, service.sent().map(({ path }) => String(personId(path)))]).toEqual([exit, changed])
  expect(service.receipt().outcomes.find(({ id }) => id === '2')).toMatchObject({ status })
})
