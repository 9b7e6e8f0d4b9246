/** Which project and organization a run acts in. */
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { accepting, startService } from '../service.ts'

test('the organization is asked once: targets and deletions are of the same one', async () => {
  const { run, server } = await startService((asked, response) => {
    if (asked.method === 'GET' && asked.path.endsWith('/plugins/')) {
      return json(response, { count: 1, next: null, results: [{ id: 5, name: 'geo' }] })
    }
    accepting(asked, response)
  })
  expect((await run('plugins delete --where name=geo --expect 1 --yes')).code).toBe(0)
  expect(server.asked.filter(({ path }) => path === '/api/projects/1/')).toHaveLength(1)
})
