import { expect, test } from 'vitest'
import { TargetCollector } from '../../src/targets/target-collector.ts'

function collect(ids: Iterable<string>): TargetCollector {
  const collector = new TargetCollector()
  for (const id of ids) collector.add(id)
  return collector
}

test('each id is kept once, in order', () => {
  const ids = Array.from({ length: 5_000 }, (_, i) => String(i * 7))
  const collector = collect([...ids, ...ids.toReversed()])
  expect(collector.size).toBe(ids.length)
  expect(collector.list()).toEqual(ids)
})

test('a UUID in capitals is the same, and stays as it came first', () => {
  const id = 'ABCDEF01-0000-0000-0000-000000000000'
  expect(collect([id, id.toLowerCase(), '7']).list()).toEqual([id, '7'])
})
