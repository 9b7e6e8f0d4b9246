/** Lines to paste that a command says: they repeat its options for server and project, and a shell takes them for what they are. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../src/text/shell-words.ts'
import { newWorld } from '../../world.ts'

test.each([
  ['projects diff 1 -f settings.yaml --sandbox', 'projects apply 1 -f settings.yaml --sandbox'],
  [
    'projects diff -f settings.yaml -f b.yaml --sandbox --project 1',
    'projects apply -f settings.yaml -f b.yaml --project 1 --sandbox',
  ],
])('%s names the command that makes the changes', async (line, apply) => {
  const world = newWorld()
  for (const file of ['settings.yaml', 'b.yaml']) writeFileSync(join(world.folder, file), 'timezone: UTC\n')
  const { code, stderr } = await world.run(wordsOf(line))
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([9, `Make the changes with: analytics ${apply}`])
  expect((await world.run([...wordsOf(apply), '--yes'])).code).toBe(0)
})

test.each([
  ["it's.json", `"it's.json"`],
  ["it's $1.json", `'it'\\''s $1.json'`],
  ['$(id).json', `'$(id).json'`],
  ['`id`.json', "'`id`.json'"],
  ['"a".json', `'"a".json'`],
  ['a#b & c.json', '"a#b & c.json"'],
  ['ü.json', 'ü.json'],
])('a shell takes the name %s for what it is', async (name, spelt) => {
  const world = newWorld()
  writeFileSync(join(world.folder, name), 'timezone: UTC\n')
  const { stderr } = await world.run(['projects', 'diff', '1', '--sandbox', '-f', name])
  expect(stderr).toContain(`analytics projects apply 1 -f ${spelt} --sandbox\n`)
  expect(execFileSync('sh', ['-c', `printf %s ${spelt}`], { encoding: 'utf8' })).toBe(name)
})
