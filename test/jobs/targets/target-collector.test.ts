import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TargetCollector } from '../../../src/jobs/targets/target-collector.ts'

function collect(ids: Iterable<string>): TargetCollector {
  const collector = new TargetCollector()
  for (const id of ids) collector.add(id)
  return collector
}

test('each id is kept once, in order, and found at its place', () => {
  const ids = Array.from({ length: 5_000 }, (_, i) => String(i * 7))
  const collector = collect([...ids, ...ids.toReversed()])
  expect(collector.size).toBe(ids.length)
  const list = collector.list()
  expect([...list]).toEqual(ids)
  expect(list.at(4_999)).toBe('34993')
  expect([list.at(-1), list.at(5_000)]).toEqual([undefined, undefined])
})

test('a UUID in capitals is the same, and stays as it came first', () => {
  const id = 'ABCDEF01-0000-0000-0000-000000000000'
  expect([...collect([id, id.toLowerCase(), '7']).list()]).toEqual([id, '7'])
})

test('keeps what a set keeps', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.nat(50).map(String))), texts => {
      const ids = texts.map(text => text.toLowerCase())
      expect([...collect(ids).list()]).toEqual([...new Set(ids)])
    }),
  )
})
