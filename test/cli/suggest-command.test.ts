/** Suggested command lines can be pasted. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { newWorld } from '../world.ts'

test('projects diff names the command that makes the changes', async () => {
  const world = newWorld()
  for (const file of ['settings.yaml', 'b.yaml']) writeFileSync(join(world.folder, file), 'timezone: UTC\n')
  const line = 'projects diff -f settings.yaml -f b.yaml --sandbox --project 1'
  const { code, stderr } = await world.run(wordsOf(line))
  const apply = 'projects apply -f settings.yaml -f b.yaml --project 1 --sandbox'
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([9, `To apply the changes: analytics ${apply}`])
  expect((await world.run([...wordsOf(apply), '--yes'])).code).toBe(0)
})
