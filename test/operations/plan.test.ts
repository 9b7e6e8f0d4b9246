import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { hasKeygen } from '../keygen.ts'
import { json, startServer } from '../server.ts'
import { accepting } from '../service.ts'
import { World } from '../world.ts'

let world = new World()
afterEach(() => {
  world.remove()
  world = new World()
})

const env = { ANALYTICS_SANDBOX: '1' }
const run = (line: string) => world.run(line.split(' '), { env: { PATH: process.env.PATH ?? '', ...env } })
const file = (name: string) => join(world.folder, name)
const later = (ms: number) => {
  world.now += ms
}
const exists = async (id: number) => (await run(`persons get ${id}`)).code === 0

test('a plan names what would be done, where, by whom and why, for its owner alone, and changes nothing', async () => {
  const { code, stdout } = await run('persons delete 3 4 --delete-events --canary 1 --reason T-12 --plan p.json')
  expect([code, stdout]).toEqual([0, ''])
  expect(JSON.parse(readFileSync(file('p.json'), 'utf8'))).toMatchObject({
    plan: 1,
    base_url: 'http://sandbox.invalid/',
    created_at: '2026-05-15T12:00:00.000Z',
    operation: { command: 'persons delete', path: { project_id: '1' }, values: { deleteEvents: true } },
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
  expect([code, stderr]).toEqual([10, expect.stringMatching(/run already, as job plan-[0-9a-f]{16}\./)])
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ counts: { deleted: 1 } })
})

test.each([
  '--receipt p.json',
  '--backup ./p.json',
  '--receipt x --backup x',
  '--output-file p.json',
  '--receipt p.json.sig',
  '--signers signers --backup ./p.json.sig',
  '--signers signers --output-file p.json.sig',
])('%s: what the run writes is not written over the plan, its signature or another file', async options => {
  await run('persons delete 3 4 --plan p.json')
  writeFileSync(file('p.json.sig'), 'signature')
  const { code, stderr } = await run(`jobs run p.json --yes ${options}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining('name the same file')])
  expect(readFileSync(file('p.json.sig'), 'utf8')).toBe('signature')
  expect((await run('jobs run p.json --yes')).code).toBe(0)
})

test('a plan has the digest of targets that its receipt has; one of an earlier version is taken', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const own = sha256('3\n4\n')
  await run('persons delete 3 4 --plan p.json')
  expect(JSON.parse(readFileSync(file('p.json'), 'utf8'))).toMatchObject({ targets_sha256: own })
  writeFileSync(file('p.json'), digested(readFileSync(file('p.json'), 'utf8').replace(own, sha256('"3"\n"4"\n'))))
  expect((await run('jobs run p.json --yes --receipt r.json')).code).toBe(0)
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ targets_sha256: own })
})

test('targets that do not fit their digest are refused, though that of the plan is right', async () => {
  await run('persons delete 3 4 --plan p.json')
  writeFileSync(file('p.json'), digested(readFileSync(file('p.json'), 'utf8').replace('"4"', '"5"')))
  expect((await run('jobs run p.json --yes')).code).toBe(10)
})

test('the job of a plan writes the same receipt again, with the events', async () => {
  await run('persons delete 3 4 --delete-events --reason T-12 --plan p.json')
  await run('jobs run p.json --receipt r.json --yes')
  await run('jobs receipt plan- --output-file again.json')
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8')).events).toMatchObject({ queued: true })
  expect(readFileSync(file('again.json'), 'utf8')).toBe(readFileSync(file('r.json'), 'utf8'))
})

test('a plan whose job cannot be read does not run again either', async () => {
  await run('persons delete 3 4 --plan p.json')
  expect((await run('jobs run p.json --max-duration 0s --yes')).code).toBe(8)
  const [job = ''] = readdirSync(file('state/jobs'))
  writeFileSync(file(`state/jobs/${job}/job.json`), '{')
  expect((await run('jobs run p.json --yes')).code).toBe(10)
  expect(await exists(3)).toBe(true)
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
  const { code } = await world.run(['jobs', 'run', 'p.json'], { env, answers: ['2'] })
  expect(code).toBe(0)
  expect(await exists(3)).toBe(false)
})

describe('a plan is refused', () => {
  test.each([
    ['that was changed', 10, () => writeFileSync(file('p.json'), text().replace('"4"', '"5"')), ''],
    ['with something behind it', 10, () => appendFileSync(file('p.json'), '\n'), ''],
    ['that is older than a week', 10, () => later(7 * 86_400_000 + 1), ''],
    ['that is older than --max-age', 10, () => later(3_600_001), ' --max-age 1h'],
    ['that is older than the smallest --max-age', 10, () => later(3_600_001), ' --max-age 1h --max-age 2h'],
    ['of a time to come', 10, () => later(-300_001), ''],
    ['of another project', 10, () => {}, ' --project 2'],
    ['that is not there', 2, () => {}, ' --max-age'],
  ])('%s', async (name, code, change, options) => {
    await run('persons delete 3 4 --plan p.json')
    change()
    const line = name === 'that is not there' ? 'jobs run q.json --yes' : `jobs run p.json --yes${options}`
    expect((await run(line)).code).toBe(code)
    expect(await exists(3)).toBe(true)
  })
  const text = () => readFileSync(file('p.json'), 'utf8')
})

test.each([
  ['without an operation', (text: string) => text.replace(/"operation": .*\n/, '')],
  ['whose operation is null', (text: string) => text.replace(/"operation": .*/, '"operation": null,')],
  ['with an operation of no known name', (text: string) => text.replace('persons delete', 'constructor')],
  ['of no time', (text: string) => text.replace(/"created_at": .*\n/, '')],
  ['whose targets are no texts', (text: string) => text.replace('"3"', '3')],
  ['whose reason is a number', (text: string) => text.replace('"reason": null', '"reason": 4711')],
  ['for whom is a list', (text: string) => text.replace('"requested_by": null', '"requested_by": ["x"]')],
  ['whose guard is a text', (text: string) => text.replace('"max_failures":null', '"max_failures":"x"')],
  ['whose canary is an object', (text: string) => text.replace('"canary":null', '"canary":{}')],
  ['of a later form', (text: string) => text.replace('"plan": 1', '"plan": 2')],
  ['that is no JSON', (text: string) => text.replace('"plan": 1', '"plan"')],
])('a plan %s is refused, though its digest is right', async (_, change) => {
  await run('persons delete 3 4 --plan p.json')
  writeFileSync(file('p.json'), digested(change(readFileSync(file('p.json'), 'utf8'))))
  const { code, stderr } = await run('jobs run p.json --yes')
  expect([code, stderr]).toEqual([2, expect.stringContaining('was written by another version of analytics')])
})

test('whatever type a member of a plan has, its run is no fault of the program', async () => {
  const server = await startServer(accepting)
  onTestFinished(() => server.close())
  const on = (line: string) =>
    world.run(line.split(' '), {
      env: { ANALYTICS_API_KEY: 'made-up-key', ANALYTICS_BASE_URL: server.url, ANALYTICS_PROJECT: '1' },
    })
  writeFileSync(file('rows.csv'), 'id,name\n1,Shop\n2,Other\n')
  writeFileSync(file('people.csv'), 'id,properties.plan\n1,pro\n2,free\n')
  await on('persons update 1 2 --set plan=pro --backup before.ndjson --yes')
  const [job = ''] = readdirSync(file('state/jobs'))
  const plans: string[] = []
  for (const line of [
    'persons delete 1 2 --delete-events --canary 1 --reason T-12 --requested-by ada --received 2026-05-01',
    'persons update 1 2 --set plan=pro',
    'persons update --rows people.csv',
    'persons update-property 1 2 --key plan --value pro',
    'persons delete-property 1 2 --key plan',
    'persons delete-property 1 2 --all-but email,note',
    'event-definitions update 1 2 --add-tag a --remove-tag b',
    'plugins delete 1 2',
    'projects update --rows rows.csv',
    'projects delete 1',
    `jobs undo ${job} --backup before.ndjson`,
  ]) {
    expect([line, (await on(`${line} --plan p.json`)).code]).toEqual([line, 0])
    plans.push(readFileSync(file('p.json'), 'utf8'))
  }
  const others = [null, 4711, 'x', '', true, [], ['x'], [4711], {}, { x: 'y' }, undefined]
  const changed = fc
    .constantFrom(...plans)
    .chain(text =>
      fc.tuple(fc.constant(text), fc.constantFrom(...placesIn(JSON.parse(text) as object)), fc.constantFrom(...others)),
    )
  await fc.assert(
    fc.asyncProperty(changed, async ([text, place, other]) => {
      const plan = JSON.parse(text) as Record<string, unknown>
      replace(plan, place, other)
      writeFileSync(file('p.json'), digested(printed(plan)))
      const { code, stderr } = await on('jobs run p.json --yes --receipt r.json')
      expect([code, stderr]).not.toEqual([1, expect.anything()])
    }),
    { numRuns: 150 },
  )
})

/** As `--plan` writes it. */
function printed({ targets, sha256, ...facts }: Record<string, unknown>): string {
  const lines = Object.entries(facts).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
  return `{\n${lines.join('')}"targets": ${JSON.stringify(targets ?? null)},\n"sha256": "`
}

/** With the digest of what is there now. */
function digested(text: string): string {
  const [content = ''] = text.split('"sha256": "')
  return `${content}"sha256": "${createHash('sha256').update(content).digest('hex')}"\n}\n`
}

type Place = readonly string[]

/** The paths to all members. */
function placesIn(value: unknown, before: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [[...before, name], ...placesIn(member, [...before, name])])
}

function replace(value: Record<string, unknown>, [name = '', ...rest]: Place, other: unknown): void {
  if (rest.length === 0) value[name] = other
  else replace(value[name] as Record<string, unknown>, rest, other)
}

test('a plan names the profile that may go to its server', async () => {
  const server = await startServer(accepting)
  onTestFinished(() => server.close())
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

  later(1000)
  await failures('persons delete 1 2 3 4 5 6 7 8 --plan free.json')
  expect(await failures('jobs run free.json --max-failures 1')).toEqual([8, '1', undefined])
  expect(await failures('jobs resume --last --max-failures 5')).toEqual([8, '5', undefined])
})

async function failing() {
  const server = await startServer((asked, response) =>
    asked.method === 'DELETE' ? json(response, { detail: 'No.' }, 400) : accepting(asked, response),
  )
  onTestFinished(() => server.close())
  const on = (line: string) =>
    world.run(line.split(' '), {
      env: { ANALYTICS_API_KEY: 'made-up-key', ANALYTICS_BASE_URL: server.url, ANALYTICS_PROJECT: '1' },
    })
  return async (line: string) => {
    const { code, stderr } = await on(`${line} --concurrency 1 --yes`)
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

describe.skipIf(!hasKeygen)('signatures (skipped where there is no ssh-keygen)', () => {
  const sign = (key: string, namespace = 'analytics') =>
    execFileSync('ssh-keygen', ['-Y', 'sign', '-n', namespace, '-f', file(key), file('p.json')], { stdio: 'ignore' })
  const prepare = async () => {
    for (const key of ['ada', 'eve']) {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', key, '-f', file(key)])
    }
    writeFileSync(file('signers'), `ada@example.com ${readFileSync(file('ada.pub'), 'utf8')}`)
    await run('persons delete 3 4 --plan p.json')
  }
  const signed = () => run('jobs run p.json --signers signers --yes')

  test('a plan signed by a listed key runs', async () => {
    await prepare()
    sign('ada')
    const { code, stderr } = await signed()
    expect([code, stderr]).toEqual([0, expect.stringContaining('Signed by ada@example.com')])
  })

  test.each([
    ['for another purpose', 'release@example.com namespaces="file" KEY\nada@example.com namespaces="analytics" KEY\n'],
    ['of another time', 'old@example.com valid-before="20200101" KEY\n"lin@example.com,ada@example.com" KEY\n'],
    ['under two names', '# Ours\n\n  release@example.com namespaces="file" KEY\r\n"a b,ada@example.com" KEY'],
  ])('a plan signed by a key that is listed twice runs, where one line allows it: %s', async (_, lines) => {
    await prepare()
    sign('ada')
    const key = readFileSync(file('ada.pub'), 'utf8').split(' ').slice(0, 2).join(' ')
    writeFileSync(file('signers'), lines.replaceAll('KEY', key))
    const { code, stderr } = await signed()
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Signed by (ada@example.com|lin@example.com|a b)/)])
  })

  test.each([
    ['!m@corp,*@corp', 'Signed by somebody listed as *@corp'],
    ['?d*@corp', 'Signed by somebody listed as ?d*@corp'],
    ['*@corp,ada@corp', 'Signed by ada@corp'],
    ['!*@corp,*@corp', undefined],
    ['!ada@corp', undefined],
    ['eve@corp EVE\n*@corp', 'Signed by somebody listed as *@corp'],
    ['ada@corp namespaces="file" ADA\n?d*@corp', 'Signed by ada@corp'],
    ['eve@corp cert-authority EVE\n*@corp', 'Signed by somebody listed as *@corp'],
    ['eve@corp cert-authority ADA\n*@corp', 'Signed by somebody listed as *@corp'],
  ])('neither a pattern nor an excluded name is that of who signed: %s', async (listed, told) => {
    await prepare()
    sign('ada')
    const [ada = '', eve = ''] = ['ada', 'eve'].map(name => readFileSync(file(`${name}.pub`), 'utf8').trim())
    writeFileSync(file('signers'), `${listed.replace('ADA', ada).replace('EVE', eve)} ${ada}\n`)
    const { code, stderr } = await signed()
    expect([code, /Signed by .*/.exec(stderr)?.[0]]).toEqual([told === undefined ? 10 : 0, told])
  })

  test('a plan signed with a certificate of a listed authority runs, also where its first line is for another purpose', async () => {
    await prepare()
    execFileSync('ssh-keygen', ['-q', '-s', file('eve'), '-I', 'ada', '-n', 'ada@corp', file('ada.pub')])
    sign('ada-cert.pub')
    const authority = readFileSync(file('eve.pub'), 'utf8')
    const listed = `ada@corp cert-authority,namespaces="file" ${authority}ada@corp cert-authority ${authority}`
    writeFileSync(file('signers'), listed)
    const { code, stderr } = await signed()
    expect([code, stderr]).toEqual([0, expect.stringContaining('Signed by ada@corp')])
  })

  test('a plan signed by a key that no line allows for it does not run, whoever else is listed', async () => {
    await prepare()
    sign('eve')
    const [ada, eve] = ['ada', 'eve'].map(name => readFileSync(file(`${name}.pub`), 'utf8'))
    writeFileSync(file('signers'), `eve@example.com namespaces="file" ${eve}ada@example.com ${ada}`)
    expect((await signed()).code).toBe(10)
    expect(await exists(3)).toBe(true)
  })

  test.each([
    ['not signed', () => {}],
    ['signed by another', () => sign('eve')],
    ['signed for another purpose', () => sign('ada', 'file')],
    [
      'another than was signed',
      async () => {
        sign('ada')
        await run('persons delete 3 5 --plan p.json')
      },
    ],
  ])('a plan that is %s does not', async (_, act) => {
    await prepare()
    await act()
    expect((await signed()).code).toBe(10)
    expect(await exists(3)).toBe(true)
  })
})

test.skipIf(process.platform === 'win32').each([
  ['signers', 'p.json.sig'],
  ['p.json.sig', 'signers'],
])('%s is no pipe, which nobody may write to', async (pipe, other) => {
  await run('persons delete 3 4 --plan p.json')
  execFileSync('mkfifo', [file(pipe)])
  writeFileSync(file(other), '')
  const { code, stderr } = await run('jobs run p.json --signers signers --yes')
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${pipe} cannot be read: that is no regular file.`)])
})

test('--signers without ssh-keygen is a mistake of usage', async () => {
  await run('persons delete 3 4 --plan p.json')
  for (const name of ['signers', 'p.json.sig']) writeFileSync(file(name), '')
  const { code } = await world.run('jobs run p.json --signers signers --yes'.split(' '), {
    env: { ...env, PATH: world.folder },
  })
  expect(code).toBe(2)
})

describe('a profile that requires a plan', () => {
  const strict = async (required: string) => {
    const server = await startServer(accepting)
    onTestFinished(() => server.close())
    const on = (line: string) => world.run(line.split(' '), { env: { ANALYTICS_API_KEY: 'made-up-key' } })
    const add = `profiles add prod --base-url ${server.url} --project 1 --api-key-command pwd`
    expect((await on(add)).code).toBe(0)
    const require = async () => expect((await on(`profiles set prod --require ${required}`)).code).toBe(0)
    return { server, on, require, deletes: () => server.asked.filter(({ method }) => method === 'DELETE') }
  }

  test('lets deletes happen in no other way, and demands its receipt at the run', async () => {
    const { server, on, require } = await strict('plan,receipt')
    await require()
    expect((await on('persons delete 3 4 --yes --receipt r.json')).code).toBe(10)
    expect((await on('persons delete 3 --yes --receipt r.json')).code).toBe(10)
    expect((await on('api DELETE /api/projects/1/persons/3/ --yes --receipt r.json')).code).toBe(10)
    expect((await on('persons delete 3 4 --plan p.json')).code).toBe(0)
    const bare = await on('jobs run p.json --yes')
    expect([bare.code, bare.stderr]).toEqual([10, expect.stringContaining('requires a receipt')])
    expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([])
    expect((await on('jobs run p.json --yes --receipt r.json')).code).toBe(0)
  })

  test('lets the job of a plan be resumed, and no other deletion', async () => {
    const { on, require, deletes } = await strict('plan')
    expect((await on('persons delete 5 6 --max-duration 0s --yes')).code).toBe(8)
    await require()
    const other = await on('jobs resume 20260515')
    expect([other.code, other.stderr]).toEqual([10, expect.stringContaining('requires a plan')])
    expect((await on('persons delete 3 4 --plan p.json')).code).toBe(0)
    expect((await on('jobs run p.json --max-duration 0s --yes')).code).toBe(8)
    expect(deletes()).toEqual([])
    expect((await on('jobs resume plan-')).code).toBe(0)
    expect(deletes()).toHaveLength(2)
  })
})

test('a plan and a receipt name the project that was the current one', async () => {
  await run('persons delete 3 --project @current --plan p.json')
  await run('projects update @current --name Shop --plan q.json')
  expect(JSON.parse(readFileSync(file('p.json'), 'utf8'))).toMatchObject({ operation: { path: { project_id: '1' } } })
  expect(JSON.parse(readFileSync(file('q.json'), 'utf8'))).toMatchObject({ targets: ['1'] })
  expect((await run('jobs run p.json --yes')).code).toBe(0)
  await run('persons delete 4 --project @current --receipt r.json --yes')
  await run('projects update @current --name Shop --receipt s.json')
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ project: '1' })
  expect(JSON.parse(readFileSync(file('s.json'), 'utf8'))).toMatchObject({ outcomes: [{ id: '1' }] })
})
