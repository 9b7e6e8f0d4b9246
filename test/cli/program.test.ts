/** The order of options and words, the values of options, and what is refused before any request. */
import { expect, test } from 'vitest'
import { allCommands } from '../../scripts/all-commands.ts'
import { readCommandLine } from '../../src/cli/program.ts'
import { tree } from '../../src/commands/tree.ts'
import { type Asked, dispatcherOf } from '../in-memory.ts'
import { modelService } from '../model-service.ts'
import { newWorld } from '../world.ts'

const { program, commands } = await allCommands()

const env = { ANALYTICS_BASE_URL: 'https://a.example.com', ANALYTICS_API_KEY: 'a-key', ANALYTICS_PROJECT: '1' }

async function typed(argv: readonly string[]) {
  const answer = modelService().answer
  const asked: string[] = []
  const dispatcher = dispatcherOf((request: Asked) => {
    asked.push(`${request.method} ${request.url.pathname}${request.url.search}`)
    return answer(request)
  })
  return { ...(await newWorld().run(argv, { env, dispatcher })), asked }
}

const nothing = { code: 2, asked: [], stdout: '' }

test.each([
  [['--project', '2', '-o', 'json', 'persons', 'get', '7']],
  [['persons', '--project=2', '-ojson', 'get', '7']],
  [['persons', 'get', '--project', '2', '7', '--output=json']],
  [['persons', 'get', '7', '-q', '--project', '2', '-o=json']],
  [['-qo', 'json', 'persons', 'show', '--project', '2', '--', '7']],
])('common options can be before, between or after the words: %j', async argv => {
  const { asked, stdout } = await typed(argv)
  expect(asked).toEqual(['GET /api/projects/2/persons/7/'])
  expect(JSON.parse(stdout).id).toBe(7)
})

test.each([
  ['-x', ['--search', '-x']],
  ['--all', ['--search=--all']],
  ['a=b', ['--search=a=b']],
  ['-90', ['--search', '-90']],
])('a text may be %j', async (text, options) => {
  const { asked } = await typed(['persons', 'list', ...options])
  expect(asked[0]).toBe(`GET /api/projects/1/persons/?${new URLSearchParams({ search: text })}`)
})

test('arguments after -- are ids, not options', async () => {
  expect((await typed(['persons', 'get', '--', '7'])).asked).toEqual(['GET /api/projects/1/persons/7/'])
  expect(await typed(['persons', 'get', '--', '--all'])).toMatchObject(nothing)
})

/** Of each command its own options, and the common ones. */
const takers = commands.flatMap(({ words, parser }) =>
  [...parser.options, ...program.options].filter(({ required }) => required).map(option => ({ words, option, parser })),
)

test('an option followed by another option instead of its value exits with 2', async () => {
  for (const [i, { words, option, parser }] of takers.entries()) {
    const others = [...parser.options, ...program.options]
    const { long = '', short } = others[i % others.length] ?? {}
    for (const next of [long, `${long}=x`, ...(short ? [short, `${short}x`] : [])]) {
      const { problem } = await readCommandLine([...words.split(' '), option.long ?? '', next, '2'], tree)
      const says = /needs a value, but the next argument is |^--[\w-]+: .* is not /
      expect([words, next, problem?.message]).toEqual([words, next, expect.stringMatching(says)])
    }
  }
})

test.each([
  'persons delete 3 --yes --reason --expect 2',
  'persons update-property 12 --key plan --value --dry-run',
  'persons list --search -ojson',
  '--profile --dry-run persons delete 5 --yes',
  'api PATCH /api/projects/1/ --body --dry-run',
])('%s sends nothing', async line => {
  const ran = await typed(line.split(' '))
  expect(ran).toMatchObject(nothing)
  expect(ran.stderr).toContain('Is a shell variable empty?')
})

test.each([
  ['persons list --no-all', 'Unknown option --no-all'],
  ['--proflie x persons list', 'Did you mean --profile?'],
  ['persons list --retries -5', 'less than 0'],
  ['projects update 1 --name a --name b', '--name is given twice'],
  ['persons list ada --search lovelace', '--search cannot be combined with another text'],
  ['persons update plan=pro', 'No targets given'],
  ['jobs receipt --last --fields job', 'A receipt is printed whole, and cannot be combined with --fields'],
])('%s is refused', async (line, says) => {
  const ran = await typed(line.split(' '))
  expect(ran).toMatchObject(nothing)
  expect(ran.stderr).toContain(says)
})

test.each([
  ['persons lsit -o json'],
  ['persons list --limt 3 -o ndjson'],
  ['--bogus persons -o json'],
  ['persons list --limit many -o json'],
  ['persons list --timeout many -o json'],
  ['plugins get 1 2 --output=json'],
  ['-ojson nonsense'],
])('an error is JSON with -o json at any position: %s', async line => {
  const { code, stderr } = await typed(line.split(' '))
  expect([code, JSON.parse(stderr).error.exit]).toEqual([2, 2])
})

test('an argument that is not an id exits with 2', async () => {
  const short = '.. . %2e%2e %252e a/b ../2 2,3 +30 007 0 1.0 1e3'.split(' ')
  for (const id of [...short, "'11'", '', '9'.repeat(200_000)]) {
    for (const argv of [
      ['persons', 'get', id],
      ['persons', 'delete', id, '--yes'],
      ['plugins', 'get', id, '--organization', '@current'],
      ['event-definitions', 'update', id, '--set', 'name=a'],
      ['projects', 'delete', id, '--yes'],
      ['persons', 'list', '--project', id],
    ]) {
      expect([argv, await typed(argv)]).toEqual([argv, expect.objectContaining(nothing)])
    }
  }
})

const uuid = '534f1026-b04c-4d79-8bd3-3544c4652cec'

test.each([
  ['persons list ada', 'persons list --search ada'],
  ['persons ls ada', 'persons list ada'],
  ['persons rm 7 --yes', 'persons delete 7 --yes'],
  ['persons get person-1@example.com', 'persons get --email person-1@example.com'],
  ['persons update plan=pro 7 --set a=b --yes', 'persons update 7 --set a=b --set plan=pro --yes'],
  [`event-definitions update ${uuid} name=paid --yes`, `event-definitions update ${uuid} --set name=paid --yes`],
  ['help persons list', 'persons list --help'],
])('%s is %s', async (line, same) => {
  const [one, other] = [await typed(line.split(' ')), await typed(same.split(' '))]
  expect(one).toEqual(other)
  expect(one.code).toBe(0)
})
