/** Help is made for terminals of 60 to 200 columns, and what it says of options is true. */
import { describe, expect, test } from 'vitest'
import { describeProgram } from '../../src/commands/commands/describe.ts'
import { topics } from '../../src/commands/help/topics.ts'
import { tree } from '../../src/commands/tree.ts'
import { newWorld } from '../world.ts'

/** Every page of help there is, by what is typed for it. */
async function pages(columns: number): Promise<ReadonlyMap<string, string>> {
  const lines = Object.entries(tree).flatMap(([word, node]) =>
    typeof node === 'function' ? [word] : [word, ...Object.keys(node.commands).map(verb => `${word} ${verb}`)],
  )
  const typed = [
    '',
    '--help',
    ...lines.map(line => `${line} --help`),
    ...Object.keys(topics).map(name => `help ${name}`),
  ]
  const world = newWorld()
  const shown = typed.map(async line => {
    const { stdout } = await world.run([...line.split(' ').filter(Boolean), '--no-color'], { columns })
    return [line.replace(/ ?--help$/, ''), stdout] as const
  })
  return new Map(await Promise.all(shown))
}

/** What cannot be broken: a value within quotes, and on a small terminal a path of the service. */
const unbreakable = (width: number) => (width < 80 ? /^ {2}(\$ | {4}-|[A-Z]+ +\/api\/)/ : /^ {2}(\$ | {4}-)/)

describe.each([60, 80, 100, 200])('at %d columns', width => {
  test('every line fits, and none ends in a blank', async () => {
    for (const [typed, text] of await pages(width)) {
      const long = text
        .split('\n')
        .filter(line => (line.length > width && !unbreakable(width).test(line)) || / $/.test(line))
      expect([typed, long]).toEqual([typed, []])
    }
  })
})

test('analytics by itself says where to start, and all of it is seen at once on a small terminal', async () => {
  const { stdout } = await newWorld().run([], { columns: 80 })
  const { stdout: whole } = await newWorld().run(['--help'], { columns: 80 })
  expect(stdout.split('\n').length).toBeLessThanOrEqual(24)
  expect(stdout).toContain('  analytics --sandbox persons list')
  expect([stdout.includes('Topics'), whole.includes('Topics')]).toEqual([false, true])
})

test("a command's own options come right behind its usage, and those of every command are one line", async () => {
  const order = [
    'Usage',
    'Arguments',
    'Options',
    'Fields',
    'Targets',
    'Lists',
    'Guards',
    'Run',
    'Records',
    'Fields (',
    'More',
    'Options everywhere',
  ]
  for (const [typed, text] of await pages(100)) {
    const [, verb] = typed.split(' ')
    if (!verb || typed.startsWith('help')) continue
    const titles = text.split('\n\n').map(block => /^Options everywhere|^Fields \(|^\w+/.exec(block)?.[0] ?? '')
    const found = titles.slice(2, titles.indexOf('Examples'))
    expect([typed, found]).toEqual([typed, order.filter(title => found.includes(title))])
    expect([typed, text.match(/analytics help options/g)?.length, text.includes('--max-wait')]).toEqual([
      typed,
      1,
      false,
    ])
  }
})

test('help names every option of a command once, and those that it only names are explained in a topic', async () => {
  const all = await pages(100)
  const bulk = all.get('help bulk') ?? ''
  for (const { words, options } of (await describeProgram(tree)).slice(1)) {
    const page = all.get(words) ?? ''
    const [body = ''] = page.slice(page.indexOf('\n\n')).split('\n\nOptions everywhere')
    const [, more = ''] = /^More options .*?:\n(.*)/ms.exec(body) ?? []
    for (const { name, negatable } of options) {
      const term = negatable ? `--[no-]${name.slice(2)}` : name
      const named = (text: string) =>
        text.match(new RegExp(`(?<=^  (?:-., )?|, |^  \\w+ +|^ +)${pattern(term)}(?![\\w-])`, 'gm'))
      expect([words, term, named(body)?.length]).toEqual([words, term, 1])
      if (named(more)) expect([term, named(bulk)?.length]).toEqual([term, 1])
    }
  }
})

function pattern(text: string): string {
  return text.replace(/[[\]]/g, '\\$&')
}

test('all options of a command are seen at once on a terminal of 45 lines', async () => {
  const long = [...(await pages(80))].filter(([, text]) => {
    const [options, rest] = text.split('\n\nOptions everywhere')
    return rest !== undefined && (options?.split('\n').length ?? 0) > 45
  })
  expect(long.map(([typed]) => typed)).toEqual([])
})

test('headings are bold at a terminal, and only there', async () => {
  const bold = '\u001b[1mOptions:\u001b[22m'
  const world = newWorld()
  for (const line of ['persons list --help', 'help persons list']) {
    expect((await world.run(line.split(' '), { columns: 100 })).stdout).toContain(bold)
    expect((await world.run(line.split(' '))).stdout).not.toContain('\u001b')
    expect((await world.run([...line.split(' '), '--no-color'], { columns: 100 })).stdout).not.toContain('\u001b')
  }
})

test('a long example goes on behind a backslash, as it would in a shell', async () => {
  const { stdout } = await newWorld().run(['persons', 'delete', '--help'], { columns: 60 })
  const joined = stdout.replace(/ \\\n +/g, ' ')
  const [, example] = /^ {2}\$ (analytics persons delete --property .*)$/m.exec(joined) ?? []
  expect(stdout).toContain(' \\\n')
  expect(example).toBe(
    (await examplesOfTree()).find(line => line.startsWith('analytics persons delete --property'))?.split(' # ')[0],
  )
})

async function examplesOfTree(): Promise<readonly string[]> {
  return (await describeProgram(tree)).slice(1).flatMap(({ examples }) => examples)
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
  const own = (await describeProgram(tree)).flatMap(({ options }) => options.map(({ name }) => name))
  const known = new Set([...own, '--help', '--version'])
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
