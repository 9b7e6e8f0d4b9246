/** Every command and option of the contract exists, and no other. */
import { expect, test } from 'vitest'
import { allCommands } from '../../scripts/all-commands.ts'
import { eventDefinitions, type Kinds, plugins, projects } from '../../src/api/endpoints.ts'
import { optionName } from '../../src/cli/command.ts'
import { commandWords, readCommandLine } from '../../src/cli/program.ts'
import { tree } from '../../src/commands/tree.ts'
import { inputFile, newFile } from '../../src/values/kinds.ts'
import { newWorld } from '../world.ts'

const { program, commands } = await allCommands()

const verbs: Readonly<Record<string, string>> = {
  persons:
    'list get update delete delete-property update-property split activity properties-timeline cohorts funnel funnel-correlation lifecycle path retention stickiness trends values verify report',
  plugins:
    'list create get update delete check-for-updates source update-source upgrade activity exports-unsubscribe-configs repository unused',
  'event-definitions': 'list get update delete',
  projects: 'list create get update delete pull diff apply',
  jobs: 'list show resume undo receipt remove',
  profiles: 'add set list show use rename remove',
  sandbox: 'serve load reset',
}

const alone = ['api', 'doctor', 'completion', 'help']

test('the commands are those of the contract', () => {
  const named = Object.entries(verbs).flatMap(([noun, words]) => words.split(' ').map(verb => `${noun} ${verb}`))
  expect(commands.map(({ words }) => words).sort()).toEqual([...named, ...alone].sort())
})

test('the common options are those of the contract', () => {
  const options =
    '--profile --base-url --project --organization --output --fields --no-header --reveal --timeout --retries --max-wait --rate --dry-run --yes --no-input --quiet --debug --no-color --sandbox --help --version --escape-formulas --bom'
  expect(program.options.map(({ long }) => long).sort()).toEqual(options.split(' ').sort())
  const short = program.options.flatMap(({ short }) => short ?? [])
  expect(short.sort()).toEqual(['-V', '-h', '-n', '-o', '-q', '-y'])
})

const paging = '--limit --page-size --offset --all --where'
const view = `--param ${paging}`
const activity = '--param --limit --page-size --all --where'
const posted = `${view} --properties --body`
const names = '--emails-from --distinct-ids-from --column --unmatched --require-all'
const filters = '--search --email --distinct-id --property'
const limits = '--concurrency --max-failures'
const free = '--set --set-json --body'
const targets = `--from --column --unmatched --where --all --expect --max ${limits} --backup --receipt --reason`
const persons = `${targets} ${filters} --emails-from --distinct-ids-from --require-all --on-several`
const finders = '--email --distinct-id'
const plugin = `${free} ${fieldsOf(plugins.create.body)}`
const project = `${free} ${fieldsOf(projects.create.body)}`
const profile =
  '--api-key-stdin --api-key-command --safety --max-deletes --ca-file --headers-file --allow-http --no-allow-http'

/** The fields that the service's document has for it. */
function fieldsOf(body: Kinds): string {
  const optionsOf = ([name, { name: kind }]: [string, Kinds[string]]) =>
    kind === 'boolean' ? [optionName(name), optionName(`no_${name}`)] : [optionName(name)]
  return Object.entries(body).flatMap(optionsOf).join(' ')
}

const options: Readonly<Record<string, string>> = {
  'persons list': `${paging} ${filters} ${names} --properties`,
  'persons get': finders,
  'persons update': `${persons} ${free} --rows --types --properties`,
  'persons delete': `${persons} --delete-events --batch`,
  'persons delete-property': `${persons} --key --properties`,
  'persons update-property': `${persons} --key --value --value-json --properties`,
  'persons split': '--main-distinct-id --wipe-properties --properties',
  'persons activity': activity,
  'persons properties-timeline': '--param',
  'persons cohorts': view,
  'persons funnel': posted,
  'persons funnel-correlation': posted,
  'persons lifecycle': view,
  'persons path': posted,
  'persons retention': view,
  'persons stickiness': view,
  'persons trends': view,
  'persons values': view,
  'persons verify': '--receipt --last',
  'persons report': finders,
  'plugins list': paging,
  'plugins create': plugin,
  'plugins update': plugin,
  'plugins delete': targets,
  'plugins upgrade': plugin,
  'plugins check-for-updates': '--param',
  'plugins source': '--param',
  'plugins update-source': plugin,
  'plugins activity': activity,
  'plugins unused': view,
  'plugins repository': view,
  'plugins exports-unsubscribe-configs': view,
  'event-definitions list': paging,
  'event-definitions get': '--by-name',
  'event-definitions update': `${targets} ${free} ${fieldsOf(eventDefinitions.update.body)} --rows --types --by-name --add-tag --remove-tag`,
  'event-definitions delete': `${targets} --by-name`,
  'projects list': paging,
  'projects create': `${project} --file`,
  'projects update': project,
  'projects delete': '--receipt --reason',
  'projects diff': '--file',
  'projects apply': '--file',
  'jobs list': '--limit',
  'jobs show': '--last',
  'jobs resume': `--last --receipt --backup ${limits}`,
  'jobs undo': `--last --backup --force --new-backup --expect --max --receipt --reason ${limits}`,
  'jobs receipt': '--last --html',
  'jobs remove': '--older-than',
  'profiles add': profile,
  'profiles set': profile,
  'sandbox serve': '--port --dialect --faults --seed',
  api: '--param --field --body --paginate',
}

test.each(commands)('the options of $words are those of the contract', ({ words, parser }) => {
  const own = parser.options.flatMap(({ long }) => long ?? [])
  expect(own.sort()).toEqual((options[words] ?? '').split(' ').filter(Boolean).sort())
})

test('options that take a file call their value FILE or JSON', () => {
  const taking = commands.flatMap(({ command }) =>
    Object.entries(command.options ?? {}).filter(
      ([name, { kind, summary }]) =>
        kind === inputFile || kind === newFile || (summary.includes('@file') && name !== 'set'),
    ),
  )
  expect([...new Set(taking.map(([, { value }]) => value))].sort()).toEqual(['FILE', 'FILE|none', 'JSON', 'KEY=JSON'])
})

test.each([
  'persons get 1 2',
  'plugins update 1 name=x',
  'projects update 1 2',
  'projects diff 1 2',
])('%s is refused: too many arguments', async line => {
  expect((await newWorld().run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1' } })).code).toBe(2)
})

test.each([
  '--limit 2 persons list',
  'persons --limit 2 list',
  '--search plugins --limit=2 persons ls',
  '--fields id -q --all persons list --limit 2',
])('options can come before the words of the command: %s', async line => {
  const words = line.split(' ')
  const { parser, problem } = await readCommandLine(words, tree)
  expect([problem, commandWords(parser)]).toEqual([undefined, ['persons', 'list']])
  const { code } = await newWorld().run(words, { env: { ANALYTICS_SANDBOX: '1' } })
  expect(code).toBe(0)
})

test('the value of an option before the words is never taken for a word', async () => {
  const { parser } = await readCommandLine('--reason plugins --max persons persons delete 3'.split(' '), tree)
  expect([commandWords(parser), parser.opts().reason]).toEqual([['persons', 'delete'], 'plugins'])
})

test('an option takes a value in all commands or in none', () => {
  const taking = new Map<string, boolean>()
  const all = commands.flatMap(({ parser }) => parser.options)
  const unlike = all.filter(({ long = '', required }) => {
    const before = taking.get(long) ?? required
    taking.set(long, before)
    return before !== required
  })
  expect(unlike).toEqual([])
})

test.each(['--limit', '--retries', '--timeout'])('blanks around the value of %s are ignored', async name => {
  const { code } = await newWorld().run(['persons', 'list', name, ' 3\n'], { env: { ANALYTICS_SANDBOX: '1' } })
  expect(code).toBe(0)
})
