import { expect, test } from 'vitest'
import { isList, json, notFound, personId, personRow } from '../../server.ts'
import { startService } from '../../service.ts'

/** Persons 1 to 20: the last one alone is a VIP, and 3 has no properties. Person 99 is not there. */
const service = () => {
  const row = (id: number) => ({
    ...personRow(id),
    properties:
      id === 3 ? {} : { email: 'x@example.com', 'Last, First': 'x', plan: 'pro', ...(id === 20 && { vip: 1 }) },
  })
  return startService((asked, response) => {
    if (asked.method !== 'GET') return json(response, { success: true }, 201)
    if (isList(asked)) return json(response, { next: null, results: Array.from({ length: 20 }, (_, i) => row(i + 1)) })
    const id = personId(asked.path)
    if (id === 99) return notFound(response)
    json(response, id ? row(id) : { id: 1, name: 'P' })
  })
}

const all = Array.from({ length: 20 }, (_, i) => String(i + 1))

test.each([
  [['1'], 'emial', 'email'],
  [['1'], 'Email', 'email'],
  [['3', '1', '2'], 'plan,emial', 'email'],
  [['3', '99', '2'], 'emails', 'email'],
  [['2'], 'Last, Frist', 'Last, First'],
  [['2'], 'Last First', 'Last, First'],
  [all, 'wip', 'vip'],
  [['--all', '--expect', '20'], 'pan', 'plan'],
  [['--where', 'properties.plan=pro', '--max', '30'], 'emial', 'email'],
])('delete-property %j --all-but %s is refused before the first write: nobody has the name, and somebody %s', async (targets, allBut, near) => {
  const { world, env, sent } = await service()
  for (const option of ['--yes', '--dry-run', '--plan=plan.json']) {
    const argv = ['persons', 'delete-property', ...targets, '--all-but', allBut, option]
    const { code, stderr } = await world.run(argv, { env })
    expect([code, sent()]).toEqual([2, []])
    expect(stderr).toContain(`did you mean "${near}"?`)
  }
})

test.each([
  [['1', '2'], 'email', ''],
  [['1', '2'], 'Last, First', ''],
  [['1', '2'], 'email,Email', '"Email"'],
  [['1', '2'], 'country', '"country"'],
  [all, 'vip', ''],
  [['3', '1'], 'email', ''],
])('delete-property %j --all-but %s is meant', async (targets, allBut, unheld) => {
  const { world, env, sent } = await service()
  const argv = ['persons', 'delete-property', ...targets, '--all-but', allBut, '--yes']
  const { code, stderr } = await world.run(argv, { env })
  expect([code, sent().length > 0]).toEqual([0, true])
  const says = `None of these persons has a property ${unheld}, which --all-but would keep`
  if (unheld === '') expect(stderr).not.toContain('would keep')
  else expect(stderr).toContain(says)
})

test('no more persons are read than it takes to find the names', async () => {
  const { world, env, server } = await service()
  const argv = ['persons', 'delete-property', ...all, '--all-but', 'email', '--yes', '--concurrency', '1']
  await world.run(argv, { env })
  expect(server.asked.filter(({ method }) => method === 'GET')).toHaveLength(1 + 20)
})
