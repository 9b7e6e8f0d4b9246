/** How a command line is read: where options may stand, what they take, and what is refused before anything is sent. */
import { expect, test } from 'vitest'
import { describeProgram } from '../../src/commands/commands/describe.ts'
import { tree } from '../../src/commands/tree.ts'

import { startService } from '../service.ts'
import { newWorld } from '../world.ts'

async function typed(argv: readonly string[]) {
  const { server, world, env } = await startService()
  const { code, stderr, stdout } = await world.run(argv, { env })
  const asked = server.asked.map(({ method, path, query }) => `${method} ${path}${query.size > 0 ? `?${query}` : ''}`)
  return { code, stderr, stdout, asked }
}

const uuid = '534f1026-b04c-4d79-8bd3-3544c4652cec'

async function sandboxed(argv: readonly string[]) {
  return newWorld().run(argv, { env: { ANALYTICS_SANDBOX: '1' } })
}

const person = 'GET /api/projects/2/persons/7/'

test.each([
  [['--project', '2', '-o', 'json', 'persons', 'get', '7']],
  [['persons', '--project=2', '-ojson', 'get', '7']],
  [['persons', 'get', '--project', '2', '7', '--output=json']],
  [['persons', 'get', '7', '-q', '--project', '2', '-o', 'json']],
  [['-q', 'persons', 'get', '-o', 'json', '--project', '2', '--', '7']],
  [['-o=json', 'persons', 'get', '7', '--project', '2']],
  [['persons', 'get', '7', '--project', '2', '-o=json']],
])('options stand before, between or behind the words: %j', async argv => {
  const { asked, stdout } = await typed(argv)
  expect(asked).toEqual([person])
  expect(JSON.parse(stdout).id).toBe(7)
})

test.each([
  ['a value may start with a dash', ['--search', '-x'], 'search=-x'],
  ['behind = it may look like an option', ['--search=--all'], 'search=--all'],
  ['and hold =', ['--search=a=b'], 'search=a%3Db'],
])('%s', async (_, options, query) => {
  expect((await typed(['persons', 'list', ...options])).asked[0]).toBe(`GET /api/projects/1/persons/?${query}`)
})

test('seconds may have a fraction', async () => {
  expect(await typed(['persons', 'get', '7', '--timeout', '59.5', '--project', '2'])).toMatchObject({ asked: [person] })
})

test('-- ends options: what follows are ids', async () => {
  expect((await typed(['persons', 'get', '--', '7'])).asked).toEqual(['GET /api/projects/1/persons/7/'])
  expect(await typed(['persons', 'get', '--', '--all'])).toMatchObject({ code: 2, asked: [] })
  expect(await typed(['persons', 'get', '--', '7', '--debug'])).toMatchObject({ code: 2, asked: [] })
})

test.each([
  ['a switch that is given a value', ['persons', 'delete', '7', '--yes=false'], '--yes takes no value'],
  ['a word that would become an id', ['persons', 'delete', '--yes', 'false'], '--yes takes no value'],
  ['the same with a short option', ['persons', 'delete', '-y', 'true'], '-y takes no value'],
  ['a toggle that is given a value', ['projects', 'update', '--anonymize-ips', 'false'], '--no-anonymize-ips'],
  ['the opposite of a switch', ['persons', 'list', '--no-all'], 'There is no option --no-all'],
  ['an option of the command before it', ['--limit', '3', 'persons', 'list'], 'write it after the command'],
  ['an option that nothing has', ['persons', 'list', '--serch', 'ada'], 'Did you mean --search?'],
  ['a misspelt option before the words', ['--proflie', 'x', 'persons', 'list'], 'Did you mean --profile?'],
  ['an option without its value', ['persons', 'list', '--search'], '--search needs a value'],
  ['a number that is none', ['persons', 'list', '--timeout', '-5'], 'not a number of seconds'],
  ['a number that is too small', ['persons', 'list', '--retries', '-5'], 'less than 0'],
  ['a format that is none', ['persons', 'list', '-o', 'xml'], 'not one of table'],
  ['a duration that is none', ['persons', 'list', '--max-wait', 'soon'], 'not a duration'],
  ['a rate that is none', ['persons', 'list', '--rate', '0/s'], 'not a rate'],
  ['an argument too many', ['plugins', 'get', '1', '2'], 'takes 1 argument, and 2 were given'],
  ['an argument too few', ['plugins', 'get'], 'ID is missing'],
])('%s is refused', async (_, argv, says) => {
  const { code, stderr, asked } = await typed(argv)
  expect([code, asked]).toEqual([2, []])
  expect(stderr.toLowerCase()).toContain(says.toLowerCase())
})

const climbing = ['..', '.', '', '%2e%2e', '%2E%2e', '.%2e', '%252e%252e', '%25252e.', '%2e']

test.each(climbing)('the id %j addresses something else, and is refused', async id => {
  for (const argv of [
    ['persons', 'get', id],
    ['persons', 'delete', id, '--yes'],
    ['plugins', 'get', id, '--organization', '@current'],
    ['event-definitions', 'get', id],
    ['projects', 'get', id],
    ['projects', 'delete', id, '--yes'],
    ['persons', 'list', '--project', id],
    ['plugins', 'list', '--organization', id],
  ]) {
    expect([argv, await typed(argv)]).toEqual([argv, expect.objectContaining({ code: 2, asked: [], stdout: '' })])
  }
})

test('@current is written in small letters: what a server takes @CURRENT for is not known', async () => {
  for (const argv of [
    ['projects', 'get', '@CURRENT'],
    ['projects', 'delete', '@CURRENT', '--yes'],
    ['projects', 'update', '1', '@Current', '--name', 'x', '--yes'],
    ['persons', 'list', '--project', '@Current'],
    ['plugins', 'list', '--organization', '@CURRENT'],
  ]) {
    expect([argv, await typed(argv)]).toEqual([argv, expect.objectContaining({ code: 2, asked: [], stdout: '' })])
  }
})

test.each([
  'a/b',
  '../1',
  '../../2',
  'a?b#c',
  '100%',
  '2,3',
  '# note',
  "'11'",
  '+30',
  '[27]',
  '007',
  '0',
  '1.0',
  '1e3',
  ' 3',
  '9'.repeat(200_000),
])('the id %j is none, and is refused', async id => {
  expect(await typed(['persons', 'get', id])).toEqual(expect.objectContaining({ code: 2, asked: [], stdout: '' }))
})

test('where a text stands for an id, --distinct-id is what is meant', async () => {
  expect((await typed(['persons', 'get', 'ada'])).stderr).toContain('--distinct-id')
})

test.each([
  ['persons list ada', 'persons list --search ada'],
  ['persons list ada@ --limit 3 -o ids', 'persons list --search ada@ --limit 3 -o ids'],
  ['persons get ada@example.com', 'persons get --email ada@example.com'],
  ['persons report ada@example.com', 'persons report --email ada@example.com'],
  ['persons update 7 plan=pro note=a=b --yes', 'persons update 7 --set plan=pro --set note=a=b --yes'],
  ['persons update plan=pro 7 --set a=b --yes', 'persons update 7 --set a=b --set plan=pro --yes'],
  ['plugins update 1 name=Geo --yes', 'plugins update 1 --set name=Geo --yes'],
  [`event-definitions update ${uuid} name=paid --yes`, `event-definitions update ${uuid} --set name=paid --yes`],
  ['persons help', 'help persons'],
  ['persons help list', 'help persons list'],
  ['--quiet persons help', 'help persons'],
])('%s is %s', async (line, same) => {
  const both = await Promise.all([line, same].map(line => sandboxed(line.split(' '))))
  expect(both[0]).toEqual(both[1])
  expect(both[0]?.code).toBe(0)
})

test.each([
  ['persons list ada --search lovelace', '--search cannot be combined with another text'],
  ['persons list 5', 'Did you mean --limit 5?'],
  ['persons get ada@example.com --email ada@example.com', 'A person is named in one way only'],
  ['persons update plan=pro', 'No targets given'],
  ['persons update 7 =pro', 'is not of the form key=value'],
  ['persons delete 7 plan=pro --yes', 'is not the id of a person'],
  ['plugins update 1 2 name=Geo', 'One plugin is changed at a time'],
])('%s could mean more than one thing, and is refused', async (line, says) => {
  expect(await typed(line.split(' '))).toMatchObject({ code: 2, asked: [], stderr: expect.stringContaining(says) })
})

test.each([
  ['projects update 1 --anonymize-ips --no-anonymize-ips', '--anonymize-ips and --no-anonymize-ips cannot be combined'],
  ['projects update 1 --no-is-demo --is-demo', '--no-is-demo and --is-demo cannot be combined'],
  ['projects update 1 --name a --name b', '--name was given twice'],
])('%s contradicts itself', async (line, problem) => {
  expect(await typed(line.split(' '))).toMatchObject({ code: 2, asked: [], stderr: expect.stringContaining(problem) })
})

test('no option of a command hides one that every command has', async () => {
  const [{ options: everywhere }, ...described] = await describeProgram(tree)
  const doubled = described.flatMap(({ words, options }) => {
    const names = [...options, ...everywhere].flatMap(({ name, short }) => (short === null ? [name] : [name, short]))
    return names.filter((name, i) => names.indexOf(name) !== i).map(name => `${words} ${name}`)
  })
  expect(doubled).toEqual([])
})

test('the exit codes of a command hold those that do not follow from its requests', async () => {
  const described = (await describeProgram(tree)).slice(1)
  const exitsOf = (words: string) => described.find(one => one.words === words)?.exits
  expect(exitsOf('profiles show')).toContain(4)
  expect(exitsOf('persons report')).toContain(8)
  expect(exitsOf('projects diff')).toContain(9)
  expect(exitsOf('profiles list')).toEqual([0, 1, 2, 10, 130, 143])
})
