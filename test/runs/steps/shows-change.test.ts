/** Whether the answer to a change of a person shows it. */
import { describe, expect, test } from 'vitest'
import { emptyPage, isList, json } from '../../server.ts'
import { startService } from '../../service.ts'

describe('a person that comes back as before', () => {
  const before = { email: 'ada@example.com', plan: 'free' }
  /** Answers each write to a person with the person, with these properties. */
  const answeredWith = (properties: unknown) =>
    startService((asked, response) => {
      if (isList(asked)) return emptyPage(response)
      const [, id] = /\/persons\/(\d+)\//.exec(asked.path) ?? []
      json(response, id === undefined ? { id: 1 } : { id: Number(id), properties })
    })
  const warning = expect.stringMatching(
    /The answers? for \d persons? do(es)? not show the change yet; read (it|them) again later/,
  )

  test.each([
    'persons update 1 --set plan=pro --yes',
    'persons update-property 1 --key plan --value pro --yes',
    'persons delete-property 1 --key plan --yes',
    'persons delete-property 1 2 --key plan --yes',
  ])('is not passed over in silence: %s', async line => {
    const { run } = await answeredWith(before)
    expect(await run(line)).toMatchObject({ code: 0, stderr: warning })
  })

  test.each([
    ['persons update 1 --set plan=pro --yes', undefined],
    ['persons update-property 1 2 --key plan --value pro --yes', null],
    ['persons delete-property 1 2 --key plan --yes', 'encoded'],
  ])('a person without properties does not show it either: %s', async (line, properties) => {
    const { run } = await answeredWith(properties)
    expect(await run(line)).toMatchObject({ code: 0, stderr: warning })
  })

  test.each([
    ['persons update 1 --set plan=pro --yes', { ...before, plan: 'pro' }],
    ['persons update 1 --set-json n=1.0 --yes', { ...before, n: 1 }],
    ['persons update 1 2 --set-json plan=null --yes', { email: before.email }],
    ['persons update-property 1 2 --key properties.plan --value pro --yes', { 'properties.plan': 'pro' }],
    ['persons delete-property 1 2 --key plan --yes', { email: before.email }],
  ])('%s: nothing is said where the answer shows the change', async (line, properties) => {
    const { run } = await answeredWith(properties)
    const { code, stderr } = await run(line)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('show the change')])
  })
})
