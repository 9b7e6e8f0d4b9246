import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { json } from '../../server.ts'
import { accepting, startService } from '../../service.ts'
import { planningWorld } from './planning.ts'

const { run, file, later, exists } = planningWorld()

test('a plan names what would be done, where, by whom and why, for its owner alone, and changes nothing', async () => {
  const { code, stdout } = await run('persons delete 3 4 --delete-events --canary 1 --reason T-12 --plan p.json')
  expect([code, stdout]).toEqual([0, ''])
  expect(JSON.parse(readFileSync(file('p.json'), 'utf8'))).toMatchObject({
    command: 'persons delete',
    base_url: 'http://sandbox.invalid/',
    path: { project_id: '1' },
    count: 2,
    plan: 2,
    created_at: '2026-05-15T12:00:00.000Z',
    values: { deleteEvents: true },
    guards: { canary: 1, max_failures: null },
    reason: 'T-12',
    targets: ['3', '4'],
  })
  expect(statSync(file('p.json')).mode & 0o777).toBe(0o600)
  expect(await exists(3)).toBe(true)
})

test('an unknown number of targets needs no limit in a plan, and --yes may be given', async () => {
  expect((await run('persons delete --search ada --yes --plan p.json')).code).toBe(0)
})

test('a plan whose population changed deletes exactly what was reviewed', async () => {
  await run('persons delete --where properties.plan=free --plan p.json')
  const { targets } = JSON.parse(readFileSync(file('p.json'), 'utf8')) as { targets: string[] }
  const [gone, ...rest] = targets
  const other = [3, 4, 5, 6, 7, 8, 9].find(id => !targets.includes(String(id))) ?? 0
  await run(`persons delete ${gone} --yes`)
  await run(`persons update ${other} --set plan=free`)
  const { code, stdout } = await run('jobs run p.json --yes -o ndjson')
  expect(code).toBe(0)
  const outcomes = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(new Map(outcomes.map(({ id, status }) => [id, status]))).toEqual(
    new Map([[gone, 'gone'], ...rest.map(id => [id, 'deleted'] as const)]),
  )
  expect(await exists(other)).toBe(true)
})

test('the values of an update arrive as they were planned, digit by digit', async () => {
  await run('persons update 3 --set-json big=1234567890123456789 --plan p.json')
  expect((await run('jobs run p.json --yes')).code).toBe(0)
  expect((await run('persons get 3 -o json')).stdout).toContain('1234567890123456789')
})

test('a plan runs once, and its job is named; also a plan for one', async () => {
  await run('persons delete 3 --plan p.json')
  expect((await run('jobs run p.json --yes --receipt r.json')).code).toBe(0)
  const { code, stderr } = await run('jobs run p.json --yes')
  expect([code, stderr]).toEqual([10, expect.stringMatching(/run already: job plan-[0-9a-f]{16} has ended/)])
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ counts: { deleted: 1 } })
})

test.each([
  '--receipt p.json',
  '--backup ./p.json',
  '--receipt x --backup x',
  '--receipt p.json.sig',
  '--signers signers --backup ./p.json.sig',
])('%s: what the run writes is not written over the plan, its signature or another file', async options => {
  await run('persons delete 3 4 --plan p.json')
  writeFileSync(file('p.json.sig'), 'signature')
  const { code, stderr } = await run(`jobs run p.json --yes ${options}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining('name the same file')])
  expect(readFileSync(file('p.json.sig'), 'utf8')).toBe('signature')
  expect((await run('jobs run p.json --yes')).code).toBe(0)
})

test('the job of a plan writes the same receipt again, with the events', async () => {
  await run('persons delete 3 4 --delete-events --reason T-12 --plan p.json')
  await run('jobs run p.json --receipt r.json --yes')
  const again = await run('jobs receipt plan-')
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8')).events).toMatchObject({ queued: true })
  expect(again.stdout).toBe(readFileSync(file('r.json'), 'utf8'))
})

test('a plan whose job cannot be read does not run again either', async () => {
  await run('persons delete 3 4 --plan p.json')
  expect((await run('jobs run p.json --max-duration 0s --yes')).code).toBe(8)
  const [job = ''] = readdirSync(file('state/jobs'))
  writeFileSync(file(`state/jobs/${job}/job.json`), '{')
  expect((await run('jobs run p.json --yes')).code).toBe(10)
  expect(await exists(3)).toBe(true)
})

test('a plan that was run already says how to see and to finish its job, with the server of this command line', async () => {
  await run('persons delete 3 4 --plan p.json --project 1')
  await run('jobs run p.json --max-duration 0s --yes --project 1')
  const { code, stderr } = await run('jobs run p.json --yes --project 1 --sandbox')
  expect([code, stderr]).toEqual([
    10,
    expect.stringMatching(/See analytics jobs show plan-\w+ --project 1 --sandbox, or finish it with: .*\n$/),
  ])
  const [, line = ''] = /finish it with: analytics (.*)\n$/.exec(stderr) ?? []
  expect((await run(line)).code).toBe(0)
})

test('a plan that takes the place of another file says so', async () => {
  await run('persons delete 3 4 --plan p.json')
  expect((await run('persons delete 5 6 --plan p.json')).stderr).toContain('Replaced p.json\n')
})

test('a dry run of a plan sends nothing, and does not count as its run', async () => {
  await run('persons delete 3 4 --plan p.json')
  const { stdout } = await run('jobs run p.json --dry-run -o ndjson')
  expect(stdout.match(/DELETE/g)).toHaveLength(2)
  expect((await run('jobs run p.json --yes')).code).toBe(0)
})

test('without an answer nothing is done', async () => {
  await run('persons delete 3 4 --plan p.json')
  expect((await run('jobs run p.json')).code).toBe(10)
  expect(await exists(3)).toBe(true)
})

test('the number of targets is asked for', async () => {
  await run('persons delete 3 4 --plan p.json')
  const { code } = await run('jobs run p.json', { answers: ['2'] })
  expect(code).toBe(0)
  expect(await exists(3)).toBe(false)
})

test('a plan names the profile that may go to its server', async () => {
  const { world, server } = await startService()
  const on = (line: string) => world.run(line.split(' '), { env: { ANALYTICS_API_KEY: 'made-up-key' } })
  for (const [name, url] of [
    ['prod', server.url],
    ['staging', 'http://localhost:9'],
  ]) {
    await on(`profiles add ${name} --base-url ${url} --project 1 --api-key-command pwd`)
  }
  await on('persons delete 3 4 --profile prod --plan p.json')
  const { code, stderr } = await on('jobs run p.json --profile staging --yes')
  expect([code, stderr]).toEqual([10, expect.stringContaining('Run it with --profile prod, or with --base-url')])
})

test('of --max-failures a resume may give as much as the plan says, whatever its run was given', async () => {
  const failures = await failing()
  const unheard = (given: number) => `--max-failures ${given} has no effect: the plan says 3`
  await failures('persons delete 1 2 3 4 5 6 7 8 9 --max-failures 3 --plan p.json')
  expect(await failures('jobs run p.json --max-failures 1')).toEqual([8, '1', undefined])
  expect(await failures('jobs resume --last')).toEqual([8, '1', undefined])
  expect(await failures('jobs resume --last --max-failures 3')).toEqual([8, '3', undefined])
  expect(await failures('jobs resume --last --max-failures 4')).toEqual([8, '3', unheard(4)])

  await failures('persons delete 1 2 3 4 5 6 7 8 --plan free.json')
  expect(await failures('jobs run free.json --max-failures 1')).toEqual([8, '1', undefined])
  expect(await failures('jobs resume --last --max-failures 5')).toEqual([8, '5', undefined])
})

async function failing() {
  const { world, run } = await startService((asked, response) =>
    asked.method === 'DELETE' ? json(response, { detail: 'No.' }, 400) : accepting(asked, response),
  )
  return async (line: string) => {
    // Jobs of different times, so that --last means the later one.
    world.now += 1000
    const { code, stderr } = await run(`${line} --concurrency 1 --yes`)
    return [code, /Stopped after (\d) failure/.exec(stderr)?.[1], /.* has no effect: .*/.exec(stderr)?.[0]]
  }
}

test('of --max-failures of the plan, its run and its resume the smallest counts', async () => {
  const failures = await failing()
  await failures('persons delete 1 2 3 4 5 6 7 8 9 --max-failures 3 --plan p.json')
  const unheard = '--max-failures 100 has no effect: the plan says 3'
  expect(await failures('jobs run p.json --max-failures 100')).toEqual([8, '3', unheard])
  expect(await failures('jobs resume --last --max-failures 100')).toEqual([8, '3', unheard])
  expect(await failures('jobs resume --last --max-failures 2')).toEqual([8, '2', undefined])
})

test('a plan of a machine whose clock is a little ahead is run', async () => {
  await run('persons delete 3 4 --plan p.json')
  later(-300_000)
  expect((await run('jobs run p.json --yes')).code).toBe(0)
})

test.each([
  '--receipt r.json',
  '--backup b.ndjson',
  '--max-duration 5h',
  '--dry-run',
])('--plan does not go with %s', async option => {
  expect((await run(`persons delete 3 4 --plan p.json ${option}`)).code).toBe(2)
})

test('projects delete takes a plan too', async () => {
  expect((await run('projects delete 2 --plan p.json')).code).toBe(0)
  expect((await run('projects get 2')).code).toBe(0)
  expect((await run('jobs run p.json --yes')).code).toBe(0)
  expect((await run('projects get 2')).code).toBe(3)
})

test('a plan and a receipt name the project that was the current one', async () => {
  await run('persons delete 3 --project @current --plan p.json')
  await run('projects update @current --name Shop --plan q.json')
  expect(JSON.parse(readFileSync(file('p.json'), 'utf8'))).toMatchObject({ path: { project_id: '1' } })
  expect(JSON.parse(readFileSync(file('q.json'), 'utf8'))).toMatchObject({ targets: ['1'] })
  expect((await run('jobs run p.json --yes')).code).toBe(0)
  await run('persons delete 4 --project @current --receipt r.json --yes')
  await run('projects update @current --name Shop --receipt s.json')
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ project: '1' })
  expect(JSON.parse(readFileSync(file('s.json'), 'utf8'))).toMatchObject({ outcomes: [{ id: '1' }] })
})
