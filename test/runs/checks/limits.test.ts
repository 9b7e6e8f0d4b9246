/** What a profile allows and demands of deletions. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startService, writesOf } from '../../service.ts'

/** A profile with these limits is in use. */
async function withProfile(limits: string) {
  const { world, env, server } = await startService()
  const add = `profiles add prod --base-url ${env.ANALYTICS_BASE_URL} --project 1 --api-key-stdin ${limits}`
  await world.run(add.trim().split(' '), { stdin: 'key-of-the-profile\n' })
  const before = server.asked.length
  const run = (line: string) => world.run(line.split(' '))
  return {
    folder: world.folder,
    run,
    asked: () => server.asked.length - before,
    sent: () => writesOf(server.asked).length,
  }
}

const person = '/api/projects/1/persons/1/'

const words = ['bulk_delete', 'bulkDelete', 'bulk-deletion', 'deletes', 'batch', 'batch;x', '%62atch']
const unknownPosts = words.flatMap(word =>
  ['--max-deletes 5', '--max-deletes 0', '--require plan', '--safety no-delete'].map((limits): [string, string] => [
    limits,
    `api POST /api/projects/1/persons/${word}/ --field ids=1 --yes`,
  ]),
)

test.each([
  ['--max-deletes 0', 'persons delete 1 --yes'],
  ['--max-deletes 0', 'projects delete 1 --yes'],
  ['--max-deletes 0', `api DELETE ${person} --yes`],
  ['--max-deletes 2', 'persons delete 1 2 3 --yes'],
  ...unknownPosts,
  ['--max-deletes 5', 'api POST /api/projects/1/batch/ --max 6 --yes'],
  ['--max-deletes 0', 'api POST /api/projects/1/persons/bulk_delete/ --max 0 --yes'],
  ['--require receipt', 'api POST /api/projects/1/batch/ --max 1 --yes'],
  ['--require reason', `api POST ${person}delete_property/ --field key=plan --yes`],
  ['--max-deletes 0', 'api PATCH /api/projects/1/cohorts/5/ --body {"deleted":true} --yes'],
  ['--require reason', 'api PATCH /api/projects/1/cohorts/5/ --body {"deleted":true} --yes'],
  ['--safety no-delete', 'api PATCH /api/projects/1/cohorts/5/ --body {"deleted":true} --yes'],
  ['--safety no-delete', 'api PATCH /api/organizations/1/plugins/1/update_source;x/ --body {"a.ts":null} --yes'],
  ['--safety no-delete', 'api PATCH /api/organizations/1/plugins/1/UPDATE_SOURCE/ --body {"a.ts":null} --yes'],
  ['--max-deletes 5', 'api DELETE /api/projects/1/persons/?ids=1,2 --yes'],
  ['--safety no-delete', 'api PUT /api/projects/1/persons/bulk_delete/ --field ids=1 --yes'],
  ['--require reason', 'persons delete 1 --yes'],
  ['--require reason,receipt', 'plugins delete 1 --yes --reason x'],
  ['--require reason', `api DELETE ${person} --yes`],
  ['--require receipt', `api DELETE ${person} --yes`],
  ['--require plan', `api DELETE ${person} --yes`],
  ['--require receipt', 'projects delete 1 --yes'],
  ['--require backup', 'persons delete 1 --yes'],
  ['--require backup', 'persons update 1 --set a=b'],
  ['--require backup', 'persons update-property 1 --key a --value b'],
  ['--require backup', 'persons delete-property 1 --key a --yes'],
  ['--require backup', 'event-definitions update 019f0000-0000-4000-8000-000000000001 --add-tag a'],
  ['--require backup', 'plugins delete 1 --yes'],
  ['--require backup', `api DELETE ${person} --yes`],
  ['--require reason,backup', 'persons delete 1 --yes --backup b.ndjson'],
])('%s refuses %s before any request', async (limits, line) => {
  const { run, asked } = await withProfile(limits)
  expect([(await run(line)).code, asked()]).toEqual([10, 0])
})

test.each([
  ['1', 'at most 1 object, not 3.'],
  ['2', 'at most 2 objects, not 3.'],
])('the limit of %s object(s) is named', async (limit, said) => {
  const { run } = await withProfile(`--max-deletes ${limit}`)
  expect((await run('persons delete 1 2 3 --yes')).stderr).toContain(said)
})

test('what a filter finds is counted before anything is sent', async () => {
  const { run, asked, sent } = await withProfile('--max-deletes 2')
  expect((await run('persons delete --search person --yes --max 9')).code).toBe(10)
  expect([asked() > 0, sent()]).toEqual([true, 0])
})

test.each([
  ['--max-deletes 2', 'persons delete 1 2 --yes', 2],
  ['--max-deletes 0', 'persons update 1 --set a=b', 1],
  ['--max-deletes 0', 'api POST /api/projects/1/batch/ --max 0', 1],
  ['--max-deletes 5', 'api POST /api/projects/1/persons/bulkDelete/ --max 5 --yes', 1],
  ['--require plan', 'api POST /api/projects/1/batch/ --max 0', 1],
  ['--require plan --max-deletes 0', `api PATCH ${person} --body {"properties":{"deleted":true}}`, 1],
  ['--require plan --max-deletes 0', 'api POST /api/projects/1/persons/funnel/', 0],
  ['--safety no-delete', 'api PATCH /api/projects/1/cohorts/5/ --body {"deleted":false}', 1],
  ['--require reason,receipt', 'projects delete 1 --yes --reason ticket --receipt r.json', 1],
  ['--require backup', 'persons update 1 --set a=b --backup b.ndjson', 1],
  ['--require backup', 'persons delete 1 --yes --plan plan.json', 0],
  ['--require backup', 'projects delete 1 --yes', 1],
  ['--require backup', `api PATCH ${person} --body {"properties":{"a":"b"}}`, 1],
])('%s allows %s', async (limits, line, writes) => {
  const { run, sent } = await withProfile(limits)
  expect([(await run(line)).code, sent()]).toEqual([0, writes])
})

test('a plan without a reason, demanded since, is refused with advice that can be followed', async () => {
  const { run, sent } = await withProfile('')
  expect((await run('persons delete 1 2 --plan plan.json')).code).toBe(0)
  expect((await run('profiles set prod --require reason')).code).toBe(0)
  const { code, stderr } = await run('jobs run plan.json --yes')
  expect([code, sent()]).toEqual([10, 0])
  expect(stderr).toContain('to the delete command; a job or a plan that has none must be made again')
})

test('where a plan is required deletes happen in no other way, and its run demands the receipt', async () => {
  const { run, sent } = await withProfile('--require plan,receipt')
  expect((await run('persons delete 3 4 --yes --receipt r.json')).code).toBe(10)
  expect((await run('persons delete 3 --yes --receipt r.json')).code).toBe(10)
  expect((await run('persons delete 3 4 --plan p.json')).code).toBe(0)
  const bare = await run('jobs run p.json --yes')
  expect([bare.code, bare.stderr]).toEqual([10, expect.stringContaining('requires a receipt')])
  expect(sent()).toBe(0)
  expect((await run('jobs run p.json --yes --receipt r.json')).code).toBe(0)
})

test('where a plan is required the job of one is resumed, and no other deletion', async () => {
  const { run, sent } = await withProfile('')
  expect((await run('persons delete 5 6 --max-duration 0s --yes')).code).toBe(8)
  expect((await run('profiles set prod --require plan')).code).toBe(0)
  const other = await run('jobs resume 20260515')
  expect([other.code, other.stderr]).toEqual([10, expect.stringContaining('requires a plan')])
  expect((await run('persons delete 3 4 --plan p.json')).code).toBe(0)
  expect((await run('jobs run p.json --max-duration 0s --yes')).code).toBe(8)
  expect(sent()).toBe(0)
  expect((await run('jobs resume plan-')).code).toBe(0)
  expect(sent()).toBe(2)
})

test('where a backup is required, a resume, a plan, an undo and settings files are refused without one', async () => {
  const { run, asked, sent, folder } = await withProfile('')
  writeFileSync(join(folder, 'settings.yaml'), 'name: Other\n')
  expect((await run('persons update 5 6 --set a=b --max-duration 0s --yes')).code).toBe(8)
  expect((await run('persons update 7 --set a=b --backup b7.ndjson')).code).toBe(0)
  const { stdout } = await run('jobs list -o ids')
  const [updated = '', stopped = ''] = stdout.split('\n')
  expect((await run('persons delete 3 4 --plan p.json')).code).toBe(0)
  expect((await run('profiles set prod --require backup')).code).toBe(0)
  const before = [asked(), sent()]
  for (const [line, option] of [
    [`jobs resume ${stopped}`, '--backup'],
    ['jobs run p.json --yes', '--backup'],
    [`jobs undo ${updated} --yes`, '--new-backup'],
  ] as const) {
    const { code, stderr } = await run(line)
    expect([line, code, stderr]).toEqual([line, 10, `The profile prod requires a backup.\nGive ${option} FILE.\n`])
  }
  expect([asked(), sent()]).toEqual(before)
  expect((await run(`jobs resume ${stopped} --backup b.ndjson`)).code).toBe(0)
  expect((await run('jobs run p.json --yes --backup p.ndjson')).code).toBe(0)
})
