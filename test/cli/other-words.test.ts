/** Who types what other tools call a thing is told how it is called here: and what is named exists. */
import { expect, test } from 'vitest'
import { otherWords } from '../../src/cli/other-words.ts'
import { describeProgram } from '../../src/commands/commands/describe.ts'
import { tree } from '../../src/commands/tree.ts'
import { wordsOf } from '../../src/text/shell-words.ts'
import { newWorld } from '../world.ts'

const commands = await describeProgram(tree)
const groups = Object.entries(tree).flatMap(([word, node]) => (typeof node === 'function' ? [] : [{ word, ...node }]))

async function hintFor(line: string): Promise<string> {
  const { code, stdout, stderr } = await newWorld().run(wordsOf(line))
  expect([line, code, stdout]).toEqual([line, 2, ''])
  return stderr.split('\n')[1] ?? ''
}

/** The command line that a hint names. */
const named = (hint: string) => /^Did you mean analytics (.*)\?$/.exec(hint)?.[1] ?? ''

const isOurs = (line: string) =>
  Object.hasOwn(tree, line) ||
  ['--version', ...commands.flatMap(({ words }) => words || [])].some(words => line.startsWith(words))

test('a word of other tools names a command of ours, by itself or behind a group', async () => {
  const words = Object.keys(otherWords).filter(key => !/^-| /.test(key))
  for (const word of words) {
    const lines = [
      word,
      ...groups.flatMap(({ word: group, commands, absent = {} }) =>
        Object.hasOwn(commands, word) || Object.hasOwn(absent, word) ? [] : [`${group} ${word}`],
      ),
    ]
    const hints = await Promise.all(lines.filter(line => !Object.hasOwn(tree, line)).map(hintFor))
    const ours = hints.map(named).filter(line => line !== '')
    expect([word, ours.length > 0, ours.filter(line => !isOurs(line))]).toEqual([word, true, []])
  }
})

test.each([
  ['list projects', 'projects list'],
  ['get projects', 'projects list'],
  ['get persons --all', 'persons list'],
  ['get project 2', 'projects get'],
  ['describe event 3', 'event-definitions get'],
  ['delete project 2', 'projects delete'],
  ['rm job 2026', 'jobs remove'],
  ['create plugin', 'plugins create'],
])('%s: a verb before its noun', async (line, ours) => {
  expect(named(await hintFor(line))).toBe(ours)
})

test('an option of other tools: each of ours is one of some command', () => {
  const known = new Set(commands.flatMap(({ options }) => options.flatMap(({ name, short }) => [name, short])))
  const ours = Object.entries(otherWords).flatMap(([key, ours]) => (/(^| )-/.test(key) ? ours : []))
  expect(ours.filter(one => !known.has(one.split(' ')[0] ?? ''))).toEqual([])
})

test.each([
  ['persons list --json', '-o json'],
  ['--json persons list', '-o json'],
  ['persons list --format=csv', '-o FORMAT'],
  ['persons list --format', '-o FORMAT'],
  ['plugins list --name Geo', '--where name=NAME'],
  ['persons list --filter name=Ada', '--where FILTER'],
  ['persons list -l 5', '--limit N'],
  ['persons list --page 2', '--offset N (a number of rows)'],
  ['persons delete -f ids.txt', '--from FILE'],
  ['persons delete --file ids.txt', '--from FILE'],
  ['persons delete --input-file ids.txt', '--from FILE'],
  ['plugins create --file p.json', '--body @FILE'],
  ['plugins create -f p.json', '--body @FILE'],
  ['api POST /api/projects/ -f p.json', '--body @FILE'],
  ['persons delete --emails list.txt', '--emails-from FILE'],
  ['persons list --count', '--all -o ids | wc -l'],
  ['event-definitions list --search order', '--where name~TEXT'],
  ['event-definitions update --tag a', '--add-tag TAG'],
  ['api /api/projects/', 'analytics api GET /api/projects/'],
  ['persons list --filter "a b"', '--where FILTER'],
  ['persons cohorts --person-id 55', '--param person_id=VALUE'],
  ['persons values --key plan', '--param key=VALUE'],
  ['persons trends --limt 3', '--limit'],
  ['persons delete --force', '--yes'],
  ['persons delete 1 --verbose', '--debug'],
  ['persons list --url https://example.com', '--base-url URL'],
  ['plugins list --url https://example.com', '--base-url URL'],
  ['plugins create --url https://example.com/geo', '--set url=URL'],
])('%s', async (line, ours) => {
  expect(await hintFor(line)).toBe(`Did you mean ${ours}?`)
})

test.each([
  'persons list --file x',
  'persons list -f x',
  'persons get 1 --input-file x',
  'persons trends -f body.json',
  'projects pull -f settings.yaml',
  'jobs resume -f b.ndjson',
  'completion bash -f x',
])('%s: a file that may be meant to be read is led to no option that writes one', async line =>
  expect(await hintFor(line)).toMatch(/^(See analytics|Did you mean --(body|properties))/))

test.each([
  ['persons delete --ids 5,6', 'analytics persons delete [ID...]'],
  ['persons update --ids=5 --set a=1', 'analytics persons update [ID...]'],
  ['jobs remove --jobs 2026,2027', 'analytics jobs remove [JOB...]'],
])('%s: what is an argument here', async (line, ours) => {
  expect(await hintFor(line)).toContain(`Leave ${line.split(/[ =]/)[2]} out: ${ours}`)
})

test.each([
  'persons delete --count',
  'persons update --paginate',
  'event-definitions delete -A',
])('%s: what chooses targets is never led to --all', async line => expect(await hintFor(line)).not.toContain('--all'))

test('an export of a list has all of its pages', async () => {
  expect(await hintFor('persons export')).toBe('Did you mean analytics persons list --all -o csv?')
  expect(await hintFor('plugins export')).toBe('Did you mean analytics plugins list --all -o csv?')
  expect(await hintFor('event-definitions export')).toBe('Did you mean analytics event-definitions list --all -o csv?')
})

test.each([
  'persons delete 3 --matched f',
  'plugins used',
  'persons delete 3 --no-all',
])('%s: never the opposite', async line => expect(await hintFor(line)).toMatch(/^See analytics/))

test.each([
  ['sandbox load -7.ndjson', 'before it: analytics sandbox load -- -7.ndjson'],
])('%s: what belongs behind --', async (line, ours) => {
  expect(await hintFor(line)).toBe(`Put -- ${ours}`)
})

test.each([
  ['persons get -5', 'For a distinct id use --distinct-id. The id of a person is a whole number or a UUID.'],
])('%s: what would be refused behind -- too', async (line, hint) => {
  expect(await hintFor(line)).toBe(hint)
})

test.each([
  ['persons update 20 --name x', '--set name=NAME'],
  ['persons update-property 20 --name plan --value x', '--key NAME'],
  ['persons delete-property 20 --name plan', '--key NAME'],
  ['persons delete --name ada', '--where properties.name=NAME'],
])('%s: never a text that would choose persons by a part of it', async (line, ours) => {
  expect(await hintFor(line)).toBe(`Did you mean ${ours}?`)
})

test.each([
  ['persons get --id 42', '--id', 'persons get [ID...]'],
  ['persons delete --id=42 --yes', '--id', 'persons delete [ID...]'],
  ['jobs resume --job 2026', '--job', 'jobs resume [JOB]'],
  ['profiles use --name prod', '--name', 'profiles use NAME'],
  ['api --method GET /api/projects/', '--method', 'api METHOD PATH'],
  ['jobs run -f plan.json', '-f', 'jobs run PLAN'],
  ['jobs run --file plan.json', '--file', 'jobs run PLAN'],
  ['sandbox load --input-file x.json', '--input-file', 'sandbox load FILE'],
])('%s: what is an argument here is no option', async (line, option, ours) => {
  expect(await hintFor(line)).toBe(`Leave ${option} out: analytics ${ours}`)
})

test.each([
  ['persons list --search Ada Lovelace', 'a value with blanks needs quotes around it'],
  [
    'plugins create --name My plugin',
    'A value with blanks needs quotes around it; see analytics plugins create --help',
  ],
  ['persons list ada --search lovelace', 'a value with blanks needs quotes around it'],
  ['persons list 5', 'Did you mean --limit 5? Else give it as --search 5'],
  ['persons list Ada Lovelace', 'See analytics persons list --help'],
  ['projects create Shop', 'See analytics projects create --help'],
  ['projects get 1 2', 'See analytics projects get --help'],
])('%s: a word too many', async (line, hint) => {
  const { code, stderr } = await newWorld().run(wordsOf(line))
  expect([code, stderr.includes(hint)]).toEqual([2, true])
})

test.each([
  ['Berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Etc/UTZ', 'Etc/UTC'],
])('the time zone %s is probably %s', async (typed, meant) => {
  const { code, stderr } = await newWorld().run(['projects', 'update', '1', '--timezone', typed])
  expect([code, stderr.includes(`did you mean ${meant}?\n`)]).toEqual([2, true])
})

test.each([
  ['persons delete 3,4 --yes', 'It looks like several ids: give them one by one.'],
  ['persons delete 3, 4 --yes', 'It looks like several ids: give them one by one.'],
  ['persons delete ids.txt --yes', 'For a list use --from FILE, or --from - for stdin. The id of a person is'],
  ['persons update - --set plan=pro', 'For a list use --from FILE, or --from - for stdin. The id of a person is'],
  ['plugins delete @plugins.csv --yes', 'For a list use --from FILE, or --from - for stdin. The id of a plugin is'],
  ['persons get ids.txt', 'For a distinct id use --distinct-id. The id of a person is'],
  ['projects diff settings.yaml', 'For a settings file use -f. The id of a project is'],
  ['projects apply settings.yaml --yes', 'For a settings file use -f. The id of a project is'],
  ['projects get Shop', 'The id of a project is a whole number or @current: see analytics projects list'],
])('%s: what is no id', async (line, hint) => {
  expect(await hintFor(line)).toContain(hint)
})

test('an option that is like none of ours gets no guess', async () => {
  expect(await hintFor('persons list --web')).toBe('See analytics persons list --help')
})

test.each([
  ['profiles unset', 'profiles'],
  ['profiles recover', 'profiles'],
  ['sandbox unload', 'sandbox'],
  ['persons update 3 --unset plan', 'persons update'],
  ['persons delete 3 --no-dry-run', 'persons delete'],
  ['persons list --no-quiet', 'persons list'],
])('%s: the opposite is no guess', async (line, path) => {
  expect(await hintFor(line)).toBe(`See analytics ${path} --help`)
})

test.each([['plugins unusd', 'plugins unused']])('%s: what begins alike may be meant', async (line, ours) => {
  expect(named(await hintFor(line))).toBe(ours)
})

test.each([
  ['persons add', 'analytics sandbox load'],
  ['create person', 'analytics sandbox load'],
  ['projects use 2', 'analytics profiles set NAME --project ID'],
  ['jobs cancel x', 'analytics jobs resume'],
  ['persons undelete 3', 'analytics jobs undo JOB --backup FILE'],
  ['persons restore 3', 'analytics jobs undo JOB --backup FILE'],
  ['restore person 3', 'analytics jobs undo JOB --backup FILE'],
  ['projects undo 3', 'analytics projects apply -f FILE'],
  ['projects undelete 3', 'analytics jobs undo JOB --backup FILE'],
  ['sandbox stop', 'analytics sandbox reset'],
  ['persons list -o jsonl', ''],
])('%s cannot be, and there is a reason', async (line, instead) => {
  const { code, stderr } = await newWorld().run(wordsOf(line))
  expect([code, stderr.split('\n')[1]?.includes(instead)]).toEqual([2, true])
  expect(stderr).toMatch(/^There is no |did you mean ndjson\?/)
})

test('a key is never an option, and is not repeated', async () => {
  for (const line of [
    'persons list --api-key abc123',
    'persons list --apikey=abc123',
    '--token=abc123 persons list',
    'profiles add prod --key abc123',
  ]) {
    const { code, stderr } = await newWorld().run(wordsOf(line))
    expect([code, stderr.includes('abc123')]).toEqual([2, false])
    expect(stderr).toContain('ANALYTICS_API_KEY')
  }
})

test.each([
  ['persons lsit -o json'],
  ['persons list --limt 3 -o ndjson'],
  ['--bogus persons -o json'],
  ['plugins get 1 2 --output=json'],
  ['-ojson nonsense'],
])('an error is JSON where JSON was asked for, wherever: %s', async line => {
  const { code, stderr } = await newWorld().run(wordsOf(line))
  expect([code, JSON.parse(stderr).error.exit]).toEqual([2, 2])
})

test('what was typed behind an option is not repeated: it may be a secret, or somebody', async () => {
  for (const line of [
    'persons list --filter email=ada@example.com',
    'persons get --id=ada@example.com',
    'plugins list -x ada@example.com',
  ]) {
    const { code, stderr } = await newWorld().run(wordsOf(line))
    expect([line, code, stderr.includes('ada@')]).toEqual([line, 2, false])
  }
})
