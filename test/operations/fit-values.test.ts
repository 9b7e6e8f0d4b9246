import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitKeys, fitTags } from '../../src/operations/fit-values.ts'
import { json, personRow } from '../server.ts'
import { startService, writesOf } from '../service.ts'

const item = (value: unknown) => Buffer.from(JSON.stringify(value))
const name: fc.Arbitrary<string> = fc.constantFrom('plan', 'age', 'a.b', 'email', '')

test('what stays and what is deleted are together all properties of the person', () => {
  fc.assert(
    fc.property(fc.dictionary(name, fc.integer()), fc.array(name), (properties, allBut) => {
      const { keys } = fitKeys({ keys: [] as string[], allBut }, item({ properties }))
      expect(keys.filter(key => allBut.includes(key))).toEqual([])
      const left = Object.keys(properties).filter(key => !keys.includes(key))
      expect(left.every(key => allBut.includes(key))).toBe(true)
    }),
  )
})

test.each([
  [['a'], ['B', 'a'], [], ['a', 'B']],
  [['a', 'b'], ['c'], ['A'], ['b', 'c']],
  [null, ['x'], [], ['x']],
  [['a'], [], ['a'], []],
])('tags %j with %j and without %j are %j', (tags, addTags, removeTags, wanted) => {
  const { body } = fitTags({ body: { name: 'n' }, addTags, removeTags }, item({ tags }))
  expect((body as { name: string; tags: string[] }).tags.map(tag => tag.toLowerCase())).toEqual(
    wanted.map(tag => tag.toLowerCase()),
  )
  expect(body).toMatchObject({ name: 'n' })
})

test('--key twice sends a request for each, in order', async () => {
  const { world, server, env } = await startService()
  const argv = ['persons', 'delete-property', '7', '--key', 'plan', '--key', 'country', '--yes']
  expect((await world.run(argv, { env })).code).toBe(0)
  expect(writesOf(server.asked).map(({ query }) => query.get('$unset'))).toEqual(['plan', 'country'])
})

test('--all-but reads each person: another record than the one asked for stops it', async () => {
  const { world, server, env } = await startService((_, response) => json(response, personRow(4711)))
  const argv = ['persons', 'delete-property', '7', '--all-but', 'plan', '--yes']
  expect((await world.run(argv, { env })).code).toBe(5)
  expect(writesOf(server.asked)).toEqual([])
})
