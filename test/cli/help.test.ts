import { expect, test } from 'vitest'
import { allCommands } from '../../scripts/all-commands.ts'
import { splitExample, topicNames } from '../../src/cli/help.ts'
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

test('every line fits in 80 columns, every page in 50 lines, and no line ends in a blank', async () => {
  const words = [[], ...Object.keys(tree).map(word => [word]), ...commands.map(({ words }) => words.split(' '))]
  const pages = [...words.map(words => page(...words, '--help')), ...topicNames.map(topic => page('help', topic))]
  for (const text of await Promise.all(pages)) {
    expect(text.split('\n').filter(line => line.length > 80 || / $/.test(line))).toEqual([])
    expect([text, text.trimEnd().split('\n').length <= 50]).toEqual([text, true])
  }
})

test.each(commands)('$words: usage, examples, then each of its own options once', async ({ words, parser }) => {
  const text = await page(...words.split(' '), '--help')
  expect(text).toMatch(new RegExp(`^Usage: analytics ${words}(\\|\\w+)? .*\\[options\\]\n\n.*\nExamples:\n`, 's'))
  const [own = '', end = ''] = text.split('\nMore options')
  for (const { long = '', hidden } of parser.options) {
    const pattern = `^  (-., )?(--\\S+, )*${long.replace('--', '--(\\[no-\\])?')}(?=[ ,]|$)`
    const named = own.match(new RegExp(pattern, 'gm')) ?? []
    expect([long, named.length]).toEqual([long, hidden ? 0 : 1])
  }
  expect(end).toContain('analytics help options')
})

test('analytics without arguments shows where to start', async () => {
  const text = await page()
  expect(text).toContain('  analytics --sandbox persons list')
  expect([await page('--help'), await page('help'), await page('-h')]).toEqual([text, text, text])
})

test('topics name every exit code, variable and common option, and no unknown option', async () => {
  const known = [program, ...commands.map(({ parser }) => parser)].flatMap(({ options }) =>
    options.map(one => one.long),
  )
  for (const topic of topicNames) {
    const named = [...(await page('help', topic)).matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([name]) => name)
    expect([topic, named.filter(name => !known.includes(name))]).toEqual([topic, []])
  }
  for (const { code, name } of exits) expect(await page('help', 'exit-codes')).toContain(`  ${code} ${name} `)
  for (const { long = '' } of program.options) expect(await page('help', 'options')).toContain(long)
})

test('help shows a valid filter of each kind', async () => {
  const [, rows = ''] = /FILTER:\n(.*?)\n\n/s.exec(await page('help', 'filters')) ?? []
  const shown = [...rows.matchAll(/^ {2}(\S.*?) {2,}/gm)].flatMap(([, terms = '']) => terms.split(', ').map(unquoted))
  const found = shown.map(text => pathFilter.parse(text)).flatMap(one => ('value' in one ? one.value.operator : []))
  expect(found).toHaveLength(shown.length)
  const plain = ['exact', 'is_not', 'icontains', 'not_icontains', 'gt', 'lte', 'is_date_before', 'is_set', 'is_not_set']
  expect(found).toEqual(plain)
})

test('examples and descriptions quote every filter that a shell would change', async () => {
  const texts = commands.flatMap(({ command, parser }) => [
    ...command.examples.map(example => splitExample(example).line),
    ...parser.options.map(({ description }) => description),
    command.details ?? '',
  ])
  const pages = await Promise.all(topicNames.map(topic => page('help', topic)))
  const bare = [...texts, ...pages].flatMap(
    text => text.match(/(?<!['"\w.-])(?:![a-z]\w*|[a-z][\w.]*(?:!=|!~|[<>]=?)[\w-]+)/g) ?? [],
  )
  expect(bare).toEqual(['age>30'])
})

test.each([
  ['help login', 'Use analytics profiles add NAME'],
  ['help auth login', 'Use analytics profiles add NAME'],
  ['help json', 'Use -o json.'],
  ['help persons search', 'Use analytics persons list TEXT'],
  ['help person', 'Did you mean persons?'],
  ['help filtres', 'Did you mean analytics help filters?'],
])('%s points to the command', async (line, hint) => {
  const { code, stdout, stderr } = await newWorld().run(line.split(' '))
  expect([code, stdout, stderr.split('\n')[1]]).toEqual([2, '', hint])
})

function unquoted(term: string): string {
  return term.replace(/^'(.*)'$/, '$1')
}
