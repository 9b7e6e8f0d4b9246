/** Help is 80 columns wide, says what is true, and has what to type first at its top. */
import { expect, test } from 'vitest'
import { allCommands } from '../../scripts/all-commands.ts'
import { topics } from '../../src/commands/help.ts'
import { tree } from '../../src/commands/tree.ts'
import { exits } from '../../src/errors.ts'
import { pathFilter } from '../../src/filters/filter.ts'
import { newWorld } from '../world.ts'

const { program, commands } = await allCommands()

async function page(...argv: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await newWorld().run(argv)
  expect([argv, code, stderr]).toEqual([argv, 0, ''])
  return stdout
}

test('every line fits, but what stands in quotes of an example, and none ends in a blank', async () => {
  const words = [[], ...Object.keys(tree).map(word => [word]), ...commands.map(({ words }) => words.split(' '))]
  const pages = [
    ...words.map(words => page(...words, '--help')),
    ...Object.keys(topics).map(topic => page('help', topic)),
  ]
  for (const text of await Promise.all(pages)) {
    expect(text.split('\n').filter(line => line.length > 80 || / $/.test(line))).toEqual([])
  }
})

test.each(commands)('$words: usage, examples, then each of its own options once', async ({ words, parser }) => {
  const text = await page(...words.split(' '), '--help')
  expect(text).toMatch(new RegExp(`^Usage: analytics ${words}(\\|\\w+)? .*\\[options\\]\n\n.*\nExamples:\n`, 's'))
  const [own = '', end = ''] = text.split('\nOptions of every command: ')
  for (const { long = '', hidden } of parser.options) {
    const named = own.match(new RegExp(`^  (-., )?${long.replace('--', '--(\\[no-\\])?')}( |$)`, 'gm')) ?? []
    expect([long, named.length]).toEqual([long, hidden ? 0 : 1])
  }
  for (const { short, long } of program.options) expect(end).toContain(short ?? long)
})

test('persons delete is two screens of 40 lines, and has at most 24 options of its own', async () => {
  const text = await page('persons', 'delete', '--help')
  expect(text.split('\n').length).toBeLessThanOrEqual(80)
  const { parser } = commands.find(({ words }) => words === 'persons delete') ?? {}
  expect(parser?.options.length).toBeLessThanOrEqual(24)
})

test('analytics by itself says where to start', async () => {
  const text = await page()
  expect(text).toContain('  analytics --sandbox persons list')
  expect([await page('--help'), await page('help'), await page('-h')]).toEqual([text, text, text])
})

test('topics name every exit code, every variable and option of everywhere, and no option that is none', async () => {
  const known = [program, ...commands.map(({ parser }) => parser)].flatMap(({ options }) =>
    options.map(one => one.long),
  )
  for (const topic of Object.keys(topics)) {
    const named = [...(await page('help', topic)).matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([name]) => name)
    expect([topic, named.filter(name => !known.includes(name))]).toEqual([topic, []])
  }
  for (const { code, name } of exits) expect(await page('help', 'exit-codes')).toContain(`  ${code} ${name} `)
  for (const { long = '' } of program.options) expect(await page('help', 'options')).toContain(long)
})

test('every filter that help shows is one, and of each kind one is shown', async () => {
  const [, rows = ''] = /FILTER:\n(.*?)\n\n/s.exec(await page('help', 'filters')) ?? []
  const shown = [...rows.matchAll(/^ {2}(\S.*?) {2,}/gm)].flatMap(([, terms = '']) => terms.split(', '))
  const found = shown
    .map(text => pathFilter.parse(text.replace(/^'(.*)'$/, '$1')))
    .flatMap(one => ('value' in one ? one.value.operator : []))
  expect(found).toHaveLength(shown.length)
  const plain = ['exact', 'is_not', 'icontains', 'not_icontains', 'gt', 'lte', 'is_date_before', 'is_set', 'is_not_set']
  expect(found).toEqual(plain)
})
