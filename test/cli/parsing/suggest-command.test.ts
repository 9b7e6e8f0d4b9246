/** After a success the next useful command is said: in one line, to somebody who reads along, and to nobody else. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wordsOf } from '../../../src/text/shell-words.ts'
import { newWorld, type Options, type World } from '../../world.ts'

/** What is said to be next, at a terminal or in a pipe. */
async function nextAfter(world: World, line: string, where = { columns: 100 } as Options): Promise<readonly string[]> {
  const { code, stderr } = await world.run(wordsOf(line), where)
  expect([line, code]).toEqual([line, 0])
  return [...stderr.matchAll(/^Next: (.*)$/gm)].map(([, command = '']) => command)
}

const person = '{"distinct_ids":["someone"],"properties":{"email":"someone@example.com"}}\n'

test.each([
  ['persons delete 3 --yes --receipt one.json --sandbox', ['persons verify --receipt one.json --sandbox']],
  ['persons delete 3 4 --yes --receipt two.json --sandbox', ['persons verify --receipt two.json --sandbox']],
  [
    'persons delete 3 --yes --receipt "ticket 12.json" --sandbox --project 1',
    ['persons verify --receipt "ticket 12.json" --project 1 --sandbox'],
  ],
  ['persons delete 3 4 --yes --sandbox', []],
  ['persons delete 3 4 --dry-run --receipt two.json --sandbox', []],
  ['persons update 3 4 --set plan=pro --yes --receipt two.json --sandbox', []],
  ['sandbox load someone.ndjson', ['persons list --sandbox']],
])('after %s', async (line, next) => {
  const world = newWorld()
  writeFileSync(join(world.folder, 'someone.ndjson'), person)
  expect(await nextAfter(world, line)).toEqual(next.map(words => `analytics ${words}`))
})

test('what is said to be next can be typed', async () => {
  const world = newWorld()
  const [next = ''] = await nextAfter(world, 'persons delete 3 4 --yes --receipt "a b.json" --sandbox')
  const { code } = await world.run(wordsOf(next).slice(1))
  expect([next, code]).toEqual([next, 0])
})

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
  const { stderr } = await newWorld().run(['persons', 'delete', '3', '--yes', '--sandbox', '--receipt', name], {
    columns: 100,
  })
  expect(stderr).toContain(`Next: analytics persons verify --receipt ${spelt} --sandbox\n`)
  expect(execFileSync('sh', ['-c', `printf %s ${spelt}`], { encoding: 'utf8' })).toBe(name)
})

test('a script and those who want quiet are spared', async () => {
  expect(await nextAfter(newWorld(), 'persons delete 3 --yes --receipt r.json -q --sandbox')).toEqual([])
  expect(await nextAfter(newWorld(), 'persons delete 3 --yes --receipt r.json --sandbox', {})).toEqual([])
})
