/** Every command and option of the contract exists, and no other. */
import { expect, test } from 'vitest'
import { allCommands } from '../../scripts/all-commands.ts'
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
  profiles: 'add set list show use remove',
  sandbox: 'serve load reset',
}

const alone = ['api', 'doctor', 'completion', 'help']

test('the commands', () => {
  const named = Object.entries(verbs).flatMap(([noun, words]) => words.split(' ').map(verb => `${noun} ${verb}`))
  expect(commands.map(({ words }) => words).sort()).toEqual([...named, ...alone].sort())
})

test('the options of every command', () => {
  const options =
    '--profile --base-url --project --organization --output --fields --no-header --reveal --timeout --retries --max-wait --rate --dry-run --yes --no-input --quiet --debug --no-color --sandbox --help --version --escape-formulas --bom'
  expect(program.options.map(({ long }) => long).sort()).toEqual(options.split(' ').sort())
  const short = program.options.flatMap(({ short }) => short ?? [])
  expect(short.sort()).toEqual(['-V', '-h', '-n', '-o', '-q', '-y'])
})

const paging = '--limit --page-size --offset --all --where'
const names = '--emails-from --distinct-ids-from --unmatched --require-all'
const filters = '--search --email --distinct-id --property'
const run = '--concurrency --max-failures --backup --receipt --reason'
const free = '--set --set-json --body'
const targets = `--from --column --where --all --expect --max ${run}`
const persons = `${targets} ${filters} ${names} --on-several`
const plugin =
  '--plugin-type --name --description --icon --config-schema --tag --is-global --no-is-global --capabilities --metrics --public-jobs'

test.each([
  ['persons list', `${paging} ${filters} ${names} --column --properties`],
  ['persons get', '--email --distinct-id'],
  ['persons update', `${persons} ${free} --rows --types --properties`],
  ['persons delete', `${persons} --delete-events --batch`],
  ['persons delete-property', `${persons} --key --properties`],
  ['persons update-property', `${persons} --key --value --value-json --properties`],
  ['persons split', '--main-distinct-id --wipe-properties --properties'],
  ['persons activity', `--param ${paging.replace('--offset ', '')}`],
  ['persons trends', `--param ${paging}`],
  ['persons funnel', `--param ${paging} --properties --body`],
  ['persons verify', '--receipt --last'],
  ['persons report', '--email --distinct-id'],
  ['plugins list', paging],
  ['plugins create', `${plugin} ${free}`],
  ['plugins update', `${plugin} ${free}`],
  ['plugins delete', targets],
  ['event-definitions get', '--by-name'],
  [
    'event-definitions update',
    `${targets} ${free} --rows --types --by-name --add-tag --remove-tag --name --created-at --last-seen-at --tags --post-to-slack --no-post-to-slack`,
  ],
  ['event-definitions delete', `${targets} --by-name`],
  ['projects get', ''],
  ['projects delete', ''],
  ['projects pull', ''],
  ['projects diff', '--file'],
  ['projects apply', '--file'],
  ['jobs list', ''],
  ['jobs show', '--last'],
  ['jobs resume', '--last --receipt --backup --concurrency --max-failures'],
  ['jobs undo', '--last --backup --force --new-backup'],
  ['jobs receipt', '--last --html'],
  ['jobs remove', '--older-than'],
  ['profiles list', ''],
  ['sandbox serve', '--port --dialect --faults --seed'],
  ['sandbox load', ''],
  ['sandbox reset', ''],
  ['api', '--param --field --body --paginate'],
  ['doctor', ''],
])('the options of %s', (words, options) => {
  const { parser } = commands.find(one => one.words === words) ?? {}
  const missing = options.split(' ').filter(name => name !== '' && !parser?.options.some(({ long }) => long === name))
  expect(missing).toEqual([])
})

test.each(
  [
    'persons delete 1 --plan x,persons delete 1 --canary 2,persons delete 1 --max-duration 5h',
    'persons delete 1 --requested-by x,persons delete 1 --received 2026-01-01,persons delete-property 1 --all-but a',
    'persons list --query x,persons list --envelope,persons list --flatten,persons list --output-file x',
    'persons list --server-format csv,persons list -o tsv,persons list -o yaml,persons list --fields,commands',
    'projects apply --manifest x,projects apply --only-project 1,projects apply --keep-going,projects apply --check',
    'projects apply --only name,projects apply --except name,projects diff --against 2,projects apply --previous x',
    'projects diff --markdown x,projects pull --undocumented,projects apply --env A,profiles add x --require reason',
    'profiles add x --client-cert x,api GET /x -i,api POST /x --max 1,jobs run x,jobs list --everywhere',
    'sandbox exec x,sandbox clock,persons list --faults 429@5%,persons list --seed 1,persons list --dialect observed',
    'completion powershell,help fields,help bulk,persons get 1 2,projects update 1 2,persons update 1 --set n=3',
    'persons delete --emails-from x --on-several skip,profiles add x --safety confirm,jobs remove --everywhere',
    'persons list --batch 9,projects pull --only name,projects diff 1 --previous x,sandbox serve --faults 429-bare',
  ].flatMap(lines => lines.split(',').map(line => [line])),
)('%s is unknown', async line => {
  expect((await newWorld().run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1' } })).code).toBe(2)
})
