/** The guards hold for every endpoint, and for random command lines of the whole tree: a service counts what gets through. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Command } from '../../src/cli/command.ts'
import { type OptionSpec, optionName } from '../../src/cli/options.ts'
import { tree } from '../../src/commands/tree.ts'
import { wordsOf } from '../../src/text/shell-words.ts'
import { calls } from '../calls.ts'
import * as fc from '../fast-check.ts'
import { type Asked, startServer, type TestServer } from '../server.ts'
import { accepting, writesOf } from '../service.ts'
import { World } from '../world.ts'

interface Named {
  readonly words: readonly string[]
  readonly command: Command
}

const nodes = Object.entries(tree).flatMap(([word, node]) =>
  typeof node === 'function'
    ? [{ words: [word], load: node }]
    : Object.entries(node.commands).map(([verb, load]) => ({ words: [word, verb], load })),
)

let server: TestServer
let world: World
let commands: readonly Named[]
let writing: readonly Named[]
beforeAll(async () => {
  server = await startServer(accepting)
  world = new World()
  writeFileSync(join(world.folder, 'ids.txt'), '1\n2\n')
  writeFileSync(join(world.folder, 'settings.yaml'), 'name: Another name\n')
  const all = await Promise.all(nodes.map(async ({ words, load }) => ({ words, command: await load() })))
  commands = all.filter(({ command }) => command.calls.length > 0)
  writing = commands.filter(({ command }) => command.calls.some(({ method }) => method !== 'GET'))
})
afterAll(async () => {
  await server.close()
  world.remove()
})

/** Values that get past the parser, by what the option is called, and else by its kind. */
const byName: Readonly<Record<string, readonly string[]>> = {
  from: ['ids.txt'],
  distinctIdsFrom: ['ids.txt'],
  file: ['settings.yaml'],
  body: ['{"a.ts":null}', '{"name":"x"}', '{}'],
  properties: ['{"plan":"pro"}'],
  expect: ['1', '2', '3'],
  against: ['2'],
  backup: ['backup.ndjson'],
  receipt: ['receipt.json'],
  markdown: ['summary.md'],
}
const byKind: Readonly<Record<string, readonly string[]>> = {
  integer: ['1', '2'],
  JSON: ['null', '{}'],
  assignment: ['index.ts=x', 'name=x', 'delete_events=true', 'main_distinct_id=a'],
  'property filter': ['plan=pro', 'plan'],
  'date-time': ['2026-01-31T12:00:00Z'],
}

function values(name: string, { kind }: OptionSpec): readonly string[] {
  if (name === 'setJson') return ['index.ts=null', 'name="x"', 'plan=1']
  return byName[name] ?? kind.choices ?? byKind[kind.name] ?? ['x', 'Europe/Berlin']
}

function optionLine(name: string, spec: OptionSpec): fc.Arbitrary<readonly string[]> {
  const long = optionName(name)
  if (spec.form === 'switch') return fc.constant([long])
  if (spec.form === 'toggle') return fc.constantFrom([long], [`--no-${long.slice(2)}`])
  return fc.constantFrom(...values(name, spec)).map(value => [`${long}=${value}`])
}

const paths = [
  '/api/projects/1/persons/1/',
  '/api/projects/1/persons/1/split/',
  '/api/projects/1/persons/1/spl%69t/',
  '/api/projects/1/persons/1%2Fsplit/',
  '/api/projects/1//persons/1/split/',
  '/api/projects/1/persons/funnel/../1/delete_property/',
  '/api/projects/1\\persons\\1\\split\\#/persons/funnel/',
  '/api/projects/1/persons/1/split/?x=/persons/funnel/',
  '/api/projects/1/persons/1/split/#/persons/funnel/',
  '/api/projects/1/persons/1/delete_property\t/',
  '/api/projects/1/persons/funnel/',
  '/api/organizations/1/plugins/1/update_source/',
  '/api/organizations/1/plugins/1/update%5fsource/',
  '/api/organizations/1/plugins/1/update_source.json/',
  '/api/projects/1/',
]
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'delete', 'HEAD']

/** A whole command line, of a command and some of its options. */
function lines(): fc.Arbitrary<readonly string[]> {
  const chosen = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...writing) }, fc.constantFrom(...commands))
  return chosen.chain(({ words, command }) => {
    const some = Object.entries(command.options).map(([name, spec]) => optionLine(name, spec))
    const options = some.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...some), { maxLength: 3 })
    const id = fc.constantFrom('1', '2', 'a b', '018f0000-0000-4000-8000-000000000001')
    const args = Object.values(command.args).map(({ value, form }) =>
      value === 'METHOD'
        ? fc.constantFrom(...methods)
        : value === 'PATH'
          ? fc.constantFrom(...paths)
          : form === 'required'
            ? id
            : form === 'optional'
              ? fc.option(id, { nil: undefined })
              : fc.array(id, { maxLength: 2 }),
    )
    return fc
      .tuple(fc.tuple(...args), options, fc.constantFrom([], ['-o', 'json'], ['-o', 'ndjson']))
      .map(([given, chosen, output]) => [
        ...words,
        ...given.flat().filter(arg => arg !== undefined),
        ...chosen.flat(),
        ...output,
      ])
  })
}

/** What of the requests that a command line sent a guard should have stopped. */
async function passed(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  stops: (asked: Asked) => boolean,
) {
  const before = server.asked.length
  const { code, stderr } = await world.run(argv, {
    env: { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1', ...env },
  })
  expect([code, stderr]).not.toEqual([1, expect.anything()])
  return writesOf(server.asked.slice(before)).filter(stops)
}

const anything = () => true
/** What the command of the endpoint would ask about. */
const isAskedAbout = ({ method, path }: Asked) =>
  method === 'DELETE' ||
  (method !== 'GET' && /\/((\w+_)?delete(_\w+)?|split)(\.\w+)?\/$/.test(decodeURIComponent(path)))
const takesAway = (asked: Asked) =>
  isAskedAbout(asked) ||
  (/^P/.test(asked.method) &&
    /\/update_source(\.json)?\/$/.test(decodeURIComponent(asked.path)) &&
    Object.values(JSON.parse(asked.body || '{}') as object).includes(null))

test.each([
  ['--dry-run', ['--dry-run'], {}, anything],
  ['--dry-run --yes', ['-ny'], {}, anything],
  ['read-only', ['--yes'], { ANALYTICS_SAFETY: 'read-only' }, anything],
  ['no-delete', ['--yes'], { ANALYTICS_SAFETY: 'no-delete' }, takesAway],
  ['no --yes where nobody can answer', [], {}, isAskedAbout],
])('%s lets nothing through that it forbids', async (_, more, env, stops) => {
  for (const [name, typed] of calls) {
    const argv = wordsOf(typed).filter(word => word !== '--yes')
    expect([name, await passed([...argv, ...more], env, stops)]).toEqual([name, []])
  }
  await fc.assert(
    fc.asyncProperty(lines(), async argv => {
      expect(await passed([...argv, ...more], env, stops)).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('what the profile and the environment forbid is both forbidden', async () => {
  const add = ['profiles', 'add', 'p', '--base-url', server.url, '--api-key-stdin', '--safety', 'read-only']
  expect((await world.run(add, { stdin: 'key' })).code).toBe(0)
  const env = { ANALYTICS_SAFETY: 'no-delete' }
  const update = ['projects', 'update', '1', '--name', 'x']
  expect(await passed(update, env, anything)).toEqual([])
  const { code, stderr } = await world.run(update, { env })
  expect([code, stderr]).toEqual([10, expect.stringContaining('read-only')])
})

test('what is allowed does get through: the guards are not a wall', async () => {
  const plain = new World()
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
  const sent = async (argv: readonly string[], safety: string) => {
    const before = server.asked.length
    await plain.run(argv, { env: { ...env, ANALYTICS_SAFETY: safety } })
    return server.asked.slice(before).map(({ method }) => method)
  }
  expect(await sent(['persons', 'funnel', '--body', '{}'], 'read-only')).toEqual(['POST'])
  expect(await sent(['projects', 'update', '1', '--name', 'x'], 'no-delete')).toEqual(['PATCH'])
  expect(
    await sent(
      ['plugins', 'update-source', '1', '--set', 'a.ts=x', '--organization', '018f0000-0000-4000-8000-000000000001'],
      'no-delete',
    ),
  ).toEqual(['PATCH'])
  expect(await sent(['persons', 'delete', '1', '--yes'], '')).toEqual(['DELETE'])
  plain.remove()
})
