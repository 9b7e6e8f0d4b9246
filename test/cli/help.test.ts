/** Help is made for terminals of 60 to 200 columns, and what it says of options is true. */
import { describe, expect, test } from 'vitest'
import { describeTree } from '../../src/cli/describe.ts'
import { commandHelp, groupHelp, rootHelp, startHelp } from '../../src/cli/help.ts'
import { page } from '../../src/cli/help-layout.ts'
import { type Topic, topics } from '../../src/cli/topics.ts'
import { tree } from '../../src/commands/tree.ts'
import { newWorld } from '../world.ts'

/** Every page of help there is, by what is typed for it. */
async function pages(width: number): Promise<ReadonlyMap<string, string>> {
  const found = new Map([['', await rootHelp(tree, width)]])
  for (const [word, node] of Object.entries(tree)) {
    if (typeof node === 'function') {
      found.set(word, commandHelp([word], await node(), width))
      continue
    }
    found.set(word, await groupHelp(word, node, width))
    for (const [verb, load] of Object.entries(node.commands)) {
      found.set(`${word} ${verb}`, commandHelp([word, verb], await load(), width))
    }
  }
  found.set('help', await startHelp(tree, width))
  for (const [name, { parts }] of Object.entries<Topic>(topics)) found.set(`help ${name}`, page(width, parts))
  return found
}

/** What cannot be broken: a value within quotes, a path of the service. */
const unbreakable = /^ {2}(\$ | {4}-|[A-Z]+ +\/api\/)/

describe.each([60, 80, 100, 200])('at %d columns', width => {
  test('every line fits, and none ends in a blank', async () => {
    for (const [typed, text] of await pages(width)) {
      const long = text.split('\n').filter(line => (line.length > width && !unbreakable.test(line)) || / $/.test(line))
      expect([typed, long]).toEqual([typed, []])
    }
  })
})

test('analytics by itself says where to start, and all of it is seen at once on a small terminal', async () => {
  const { stdout } = await newWorld().run([], { columns: 80 })
  const { stdout: whole } = await newWorld().run(['--help'], { columns: 80 })
  expect(stdout.split('\n').length).toBeLessThanOrEqual(24)
  expect(stdout).toContain('  analytics --sandbox persons list')
  expect([stdout.includes('--max-wait'), whole.includes('--max-wait')]).toEqual([false, true])
})

test('examples come before everything but the summary and the usage', async () => {
  for (const [typed, text] of await pages(100)) {
    if (typed.startsWith('help')) continue
    const [, usage = '', examples = ''] = text.split('\n\n')
    expect([typed, usage, examples]).toEqual([
      typed,
      expect.stringMatching(/^Usage: /),
      expect.stringMatching(/^Examples:/),
    ])
  }
})

test('a long example goes on behind a backslash, as it would in a shell', async () => {
  const { stdout } = await newWorld().run(['persons', 'delete', '--help'], { columns: 60 })
  const joined = stdout.replace(/ \\\n +/g, ' ')
  const [, example] = /^ {2}\$ (analytics persons delete --property .*)$/m.exec(joined) ?? []
  expect(stdout).toContain(' \\\n')
  expect(example).toBe((await examplesOfTree()).find(line => line.startsWith('analytics persons delete --property')))
})

async function examplesOfTree(): Promise<readonly string[]> {
  return (await describeTree(tree)).flatMap(({ examples }) => examples)
}

test('a terminal of any width gets one of 60 to 200', async () => {
  const world = newWorld()
  const widest = async (columns: number) => {
    const { stdout } = await world.run(['help', 'bulk'], { columns })
    return Math.max(...stdout.split('\n').map(line => line.length))
  }
  expect(await widest(20)).toBeLessThanOrEqual(60)
  expect(await widest(500)).toBeLessThanOrEqual(200)
  expect(await widest(500)).toBeGreaterThan(150)
})

test('every option that a topic names is one', async () => {
  const known = new Set((await describeTree(tree)).flatMap(({ options }) => options.map(({ name }) => name)))
  for (const [typed, text] of await pages(200)) {
    if (!typed.startsWith('help ')) continue
    const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([name]) => name)
    expect([typed, named.filter(name => !known.has(name))]).toEqual([typed, []])
  }
})

test('help takes the options of every command, and helps with itself', async () => {
  const world = newWorld()
  const whole = (await world.run(['--help'])).stdout
  for (const argv of ['help', 'help -o json', 'help -q', '-o json help']) {
    expect(await world.run(argv.split(' '))).toMatchObject({ code: 0, stdout: whole })
  }
  const own = (await world.run(['help', '--help'])).stdout
  expect(await world.run(['help', 'help'])).toMatchObject({ code: 0, stdout: own })
})
