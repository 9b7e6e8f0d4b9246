/** The guards hold for every endpoint, and for random command lines of the whole program: a service counts what gets through. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { allCommands, type Declared } from '../../scripts/all-commands.ts'
import { documentedRequest } from '../../src/api/endpoints.ts'
import { type OptionSpec, optionName } from '../../src/cli/command.ts'
import { isLocal } from '../../src/commands/tree.ts'
import { wordsOf } from '../../src/text/shell-words.ts'
import { calls } from '../calls.ts'
import * as fc from '../fast-check.ts'
import { type Asked, dispatcherOf } from '../in-memory.ts'
import { modelService } from '../model-service.ts'
import { World } from '../world.ts'

const { commands: all } = await allCommands()
const commands = all.filter(({ words }) => !isLocal(words.split(' ')))
const writing = commands.filter(({ words }) => /update|delete|create|split|apply|upgrade|api|resume|undo/.test(words))

const world = new World()
writeFileSync(join(world.folder, 'ids.txt'), '1\n2\n')
writeFileSync(join(world.folder, 'settings.yaml'), 'name: Another name\n')

let asked: Asked[]
beforeEach(() => {
  asked = []
})
const service = modelService().answer
const dispatcher = dispatcherOf(request => {
  asked.push(request)
  return service(request)
})

const env = { ANALYTICS_BASE_URL: 'https://a.example.com', ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }

/** Values that the parser accepts, by the name of the option, else by its kind. */
const suited: Readonly<Record<string, readonly string[]>> = {
  from: ['ids.txt'],
  distinctIdsFrom: ['ids.txt'],
  file: ['settings.yaml'],
  body: ['{"a.ts":null}', '{"name":"x"}', '{"deleted":true}', '{}'],
  properties: ['{"plan":"pro"}'],
  expect: ['1', '2', '3'],
  backup: ['backup.ndjson'],
  receipt: ['receipt.json'],
  setJson: ['index.ts=null', 'name="x"', 'plan=1'],
  integer: ['1', '2'],
  JSON: ['null', '{}'],
  assignment: ['index.ts=x', 'name=x', 'delete_events=true', 'main_distinct_id=a'],
  'property filter': ['plan=pro', 'plan'],
  'date-time': ['2026-01-31T12:00:00Z'],
}

function optionLine(name: string, { form, kind }: OptionSpec): fc.Arbitrary<readonly string[]> {
  const long = optionName(name)
  if (form === 'switch') return fc.constant([long])
  if (form === 'toggle') return fc.constantFrom([long], [`--no-${long.slice(2)}`])
  const values = suited[name] ?? kind.choices ?? suited[kind.name] ?? ['x', 'Europe/Berlin']
  return fc.constantFrom(...values).map(value => [`${long}=${value}`])
}

const person = '/api/projects/1/persons/1'
const paths = [
  `${person}/`,
  ...['split/', 'spl%69t/', 'delete_property/', 'split/?x=/persons/funnel/', 'anything/'].map(
    end => `${person}/${end}`,
  ),
  ...['%2Fsplit/', '\\split\\#/persons/funnel/', '/../funnel/', '//split/', '/split;x/'].map(end => person + end),
  '/api/projects/1/persons/funnel/',
  '/api/organizations/1/plugins/1/update%5fsource/',
  '/api/projects/1/feature_flags/7/',
  '/api/projects/1/',
]

const argumentLine: Readonly<Record<string, fc.Arbitrary<string>>> = {
  METHOD: fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'delete', 'HEAD'),
  PATH: fc.constantFrom(...paths),
}

function lineOf({ words, command }: Declared): fc.Arbitrary<readonly string[]> {
  const some = Object.entries(command.options ?? {}).map(([name, spec]) => optionLine(name, spec))
  const options = some.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...some), { maxLength: 3 })
  const id = fc.constantFrom('1', '2', 'a b', '00000000-0000-4000-8000-000000000001')
  const args = Object.values(command.args ?? {}).map(({ flags }) =>
    fc.array(argumentLine[flags.replace(/\W/g, '')] ?? id, {
      minLength: flags.startsWith('<') ? 1 : 0,
      maxLength: flags.endsWith('...]') ? 2 : 1,
    }),
  )
  return fc
    .tuple(fc.tuple(...args), options)
    .map(([args, chosen]) => [...words.split(' '), ...args.flat(), ...chosen.flat()])
}

const anyLine = fc
  .oneof({ weight: 3, arbitrary: fc.constantFrom(...writing) }, fc.constantFrom(...commands))
  .chain(lineOf)

const isWrite = ({ method, url }: Asked) =>
  method !== 'GET' && !/\/persons\/(funnel|funnel\/correlation|path)\/$/.test(url.pathname)
const takesFiles = ({ url, body }: Asked) =>
  url.pathname.endsWith('/update_source/') && Object.values(JSON.parse(body || '{}')).includes(null)
/** Undocumented requests too. Only an update of one object named by its id needs no confirmation. */
const isAskedAbout = (request: Asked) =>
  isWrite(request) &&
  (request.method === 'DELETE' ||
    /\/(delete_property|split|bulk_delete)\/$/.test(decodeURIComponent(request.url.pathname)) ||
    documentedRequest(request.method, request.url.pathname) === undefined)
const deletes = (request: Asked) =>
  isAskedAbout(request) ||
  takesFiles(request) ||
  (isWrite(request) && ![false, 'false', undefined].includes(JSON.parse(request.body || '{}').deleted))

test.each([
  ['--dry-run', ['--dry-run'], {}, isWrite],
  ['--dry-run --yes', ['-ny'], {}, isWrite],
  ['read-only', ['--yes'], { ANALYTICS_SAFETY: 'read-only' }, isWrite],
  ['no-delete', ['--yes'], { ANALYTICS_SAFETY: 'no-delete' }, deletes],
  ['no --yes where nobody can answer', [], {}, isAskedAbout],
])('%s blocks every request that it forbids', async (_, more, given, stops) => {
  const passed = async (argv: readonly string[]) => {
    const before = asked.length
    const { code, stderr } = await world.run([...argv, ...more], { env: { ...env, ...given }, dispatcher })
    expect([argv, code, stderr]).not.toEqual([argv, 1, expect.anything()])
    return asked.slice(before).filter(stops)
  }
  for (const [name, typed] of calls) {
    expect([name, await passed(wordsOf(typed).filter(word => word !== '--yes'))]).toEqual([name, []])
  }
  await fc.assert(
    fc.asyncProperty(anyLine, async argv => {
      expect(await passed(argv)).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test.each([
  ['persons funnel --body {}', 'read-only', 'POST'],
  ['projects update 1 --name x', 'no-delete', 'PATCH'],
  ['plugins update-source 1 --set a.ts=x --organization @current', 'no-delete', 'PATCH'],
])('%s passes %s: a guard blocks only what it forbids', async (line, safety, method) => {
  await world.run(line.split(' '), { env: { ...env, ANALYTICS_SAFETY: safety }, dispatcher })
  expect(asked.at(-1)?.method).toBe(method)
})
