import { expect, test } from 'vitest'
import { emptyPage, isList, json } from '../server.ts'
import { startService } from '../service.ts'

test('a dry run that a refused key stops in the middle fails, whatever was read before', async () => {
  const { run } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    const [, id = '1'] = /\/persons\/(\d+)\//.exec(asked.path) ?? []
    if (id === '5') return json(response, { type: 'authentication_error', detail: 'Invalid key' }, 401)
    json(response, { id: Number(id), properties: { plan: 'free', orders: 3 } })
  })
  const line = 'persons delete-property 1 2 3 4 5 6 --all-but plan --dry-run'
  expect(await run(line)).toMatchObject({ code: 4, stderr: expect.stringContaining('The key was not accepted') })
})
