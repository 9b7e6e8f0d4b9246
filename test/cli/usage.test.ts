/** For a word of another tool, the message names the equivalent. */
import { expect, test } from 'vitest'
import { allCommands } from '../../scripts/all-commands.ts'
import { foreignAliases } from '../../src/cli/usage.ts'
import { tree } from '../../src/commands/tree.ts'
import { wordsOf } from '../../src/text/shell-words.ts'
import { newWorld } from '../world.ts'

const { program, commands } = await allCommands()

async function hintFor(line: string): Promise<string> {
  const { code, stdout, stderr } = await newWorld().run(wordsOf(line))
  expect([line, code, stdout]).toEqual([line, 2, ''])
  return stderr.trimEnd().split('\n')[1] ?? ''
}

test('each row names an existing command or option, and no row hides one', () => {
  expect(foreignAliases.size).toBeLessThanOrEqual(90)
  const options = [program, ...commands.map(({ parser }) => parser)].flatMap(one => one.options)
  const isOption = (word: string) => options.some(({ long, short }) => word === long || word === short)
  for (const [key, ours] of foreignAliases) {
    const [first = '', second = ''] = ours.split(/[ ,]/)
    const [noun = ''] = key.split(' ')
    const isCommand = commands.some(({ words }) => [`${first} ${second}`, `${noun} ${first}`].includes(words))
    const isVerb = !key.includes(' ') && commands.some(({ words }) => words.endsWith(` ${first}`))
    const exists = isOption(first) || isCommand || isVerb || Object.hasOwn(tree, first)
    expect([key, ours, exists, Object.hasOwn(tree, key)]).toEqual([key, ours, true, false])
  }
})

test.each([
  ['whoami', 'Use analytics profiles show'],
  ['version', 'Use --version.'],
  ['users', 'Use analytics persons'],
  ['auth login', 'Use analytics profiles add NAME'],
  ['list projects', 'Use analytics projects list'],
  ['delete --yes projects 2', 'Use analytics projects delete'],
  ['persons search ada', 'Use analytics persons list TEXT'],
  ['persons describe 3', 'Use analytics persons get ID'],
  ['profiles create x', 'Use analytics profiles add NAME'],
  ['jobs delete x', 'Use analytics jobs remove JOB'],
  ['jobs get x', 'Use analytics jobs show'],
  ['persons delete -f ids.txt', 'Use --from FILE.'],
  ['projects use 2', 'Use --project ID.'],
  ['persons lsit', 'Did you mean list?'],
  ['--json persons list', 'Use -o json.'],
  ['persons delete --force', 'Use --yes.'],
  ['persons delete 1 --auto-approve', 'Use --yes.'],
  ['persons delete --file ids.txt', 'Use --from FILE.'],
  ['persons list --url https://example.com', 'Use --base-url URL.'],
  ['persons list --filter plan=pro', 'Use --where FILTER.'],
  ['plugins create --url https://example.com', 'Use --set url=URL.'],
  ['persons values --key email', 'Use --param key=NAME.'],
  ['persons list --web', 'See analytics persons list --help'],
])('%s', async (line, hint) => {
  expect(await hintFor(line)).toBe(hint)
})

test.each([
  ['persons delete --canary 5', 'head -5 ids.txt'],
  ['persons delete --max-duration=5h', 'timeout'],
  ['persons list --query a', 'jq'],
  ['projects diff --against 2', 'projects pull'],
])('%s exits with 2, and the message names what to use instead', async (line, instead) => {
  const { code, stderr } = await newWorld().run(line.split(' '))
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^(Unknown command|Unknown option) /)])
  expect(stderr).toContain(instead)
})

test.each([
  'persons list --api-key abc123',
  'persons list --apikey=abc123',
  '--token=abc123 persons list',
  'persons list -kabc123',
  'persons list --filter email=abc123',
  'profiles add prod --key abc123',
])('the value of an unknown option is not repeated: %s', async line => {
  const { code, stderr } = await newWorld().run(wordsOf(line))
  expect([code, stderr.includes('abc123')]).toEqual([2, false])
})
