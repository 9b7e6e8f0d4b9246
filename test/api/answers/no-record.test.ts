/** What a change counts as that is answered with something else than the record. */
import { describe, expect, test } from 'vitest'
import { json } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

describe('an answer to an update that is no record', () => {
  const answeredWith = (body: unknown, status: number) =>
    startService((asked, response) => {
      if (asked.method === 'GET') return accepting(asked, response)
      json(response, body, status)
    })

  test.each([
    ['persons update 1 --set plan=pro --yes', []],
    ['persons update 1 2 --set plan=pro --yes', null],
    ['projects update 1 --name New --yes', []],
    ['projects update 1 --name New --yes', [{ id: 1, name: 'New' }]],
    ['api PATCH /api/projects/1/ --field name=New --yes', []],
  ])('is refused: %s, %j', async (line, body) => {
    const { run } = await answeredWith(body, 200)
    const { code, stderr } = await run(line)
    expect([code, stderr]).toEqual([5, expect.stringMatching(/: (a list|null) instead of one record/)])
  })

  const accepted = /^The service accepted the change of person 1 of project 1 \(.*\); it may apply it later$/m
  test.each([
    ['persons update 1 --set plan=pro', undefined, 200, accepted],
    ['persons update 1 --set plan=pro', undefined, 202, accepted],
    ['persons split 1 --main-distinct-id person-1 --yes', undefined, 201, accepted],
  ])('but is empty says what was done: %s, %j, %i', async (line, body, status, said) => {
    const { run } = await answeredWith(body, status)
    expect(await run(line)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(said) })
  })

  test.each(['ids', 'json', 'table'])('and lacks what was asked for is a failure in every format: %s', async format => {
    const { run } = await answeredWith({ id: 1, timezone: 'UTC' }, 200)
    const { code, stderr } = await run(`projects update 1 --name New -o ${format}`)
    expect([code, stderr]).toEqual([5, expect.stringContaining('The service accepted name and did not apply it')])
  })

  test('is a row in the data formats', async () => {
    const { run } = await answeredWith(undefined, 200)
    expect((await run('persons update 1 --set plan=pro -o ndjson')).stdout).toBe('{"id":"1","status":"accepted"}\n')
  })
})
