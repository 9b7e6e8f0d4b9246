/** What `projects diff` and `apply` send, over real HTTP: to a service that does as it is told, and to others. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Asked, json, startServer } from '../../server.ts'
import { type Options, World } from '../../world.ts'

type Project = Record<string, unknown>

const project: Project = {
  primary_dashboard: null,
  extra_settings: null,
  id: 1,
  name: 'Books',
  slack_incoming_webhook: 'https://hooks.example.com/made-up-old',
  is_demo: false,
  timezone: 'Europe/London',
  session_recording_sample_rate: '0.50',
  app_urls: ['https://a.example.com'],
}

interface Service {
  /** What becomes of a PATCH; by default all of it is kept. */
  readonly patch?: (before: Project, body: Project) => Project
  /** The project as each GET finds it, before it is answered. */
  readonly get?: (now: Project, reads: number) => Project
  readonly answer?: Parameters<typeof startServer>[0]
}

/** A world with a settings file and a service to apply it to; `run` says what was asked of the service. */
async function given(settings: string, { patch, get, answer }: Service = {}) {
  let now = project
  let reads = 0
  const service = await startServer(
    answer ??
      (({ method, body }, response) => {
        if (method === 'PATCH') now = (patch ?? ((before, change) => ({ ...before, ...change })))(now, JSON.parse(body))
        else now = get?.(now, ++reads) ?? now
        json(response, now)
      }),
  )
  const world = new World()
  onTestFinished(async () => {
    world.remove()
    await service.close()
  })
  writeFileSync(join(world.folder, 'settings.yaml'), settings)
  const env = { ANALYTICS_BASE_URL: service.url, ANALYTICS_API_KEY: 'test-key', ANALYTICS_PROJECT: '1' }
  return {
    world,
    async run(line: string, options: Options = {}) {
      const before = service.asked.length
      const ran = await world.run(['projects', ...line.split(' ')], { ...options, env: { ...env, ...options.env } })
      return { ...ran, asked: service.asked.slice(before).map(sent) }
    },
  }
}

const sent = ({ method, path, body }: Asked) => `${method} ${path} ${body}`.trimEnd()
const get = 'GET /api/projects/1/'
const patch = 'PATCH /api/projects/1/'

test('one PATCH with just what differs', async () => {
  const { run } = await given('timezone: Europe/Berlin\nname: Books\nprimary_dashboard: 7\n')
  const first = await run('apply -f settings.yaml --yes')
  expect(first.code).toBe(0)
  expect(first.asked).toEqual([get, `${patch} {"timezone":"Europe/Berlin","primary_dashboard":7}`])
  expect(first.stdout).toBe(
    '- timezone: Europe/London\n+ timezone: Europe/Berlin\n- primary_dashboard: null\n+ primary_dashboard: 7\n',
  )
})

test('numbers and the order of keys go out as they stand in the file', async () => {
  const answer = ({ method, body }: Asked, response: Parameters<typeof json>[0]) =>
    method === 'PATCH' ? void response.writeHead(200).end(`{"id":1,${body.slice(1)}`) : json(response, project)
  const { run } = await given('extra_settings: {"z": 9007199254740993, "b": 1.0, "a": -0}\n', { answer })
  const { code, asked } = await run('apply -f settings.yaml --yes')
  expect([code, asked[1]]).toEqual([0, `${patch} {"extra_settings":{"z":9007199254740993,"b":1.0,"a":-0}}`])
})

test('a second apply says that there are no changes, and sends nothing but the GET', async () => {
  const { run } = await given('timezone: Europe/Berlin\nsession_recording_sample_rate: "0.5"\n')
  await run('apply -f settings.yaml --yes')
  const { code, stdout, stderr, asked } = await run('apply -f settings.yaml --yes')
  expect([code, stdout, asked]).toEqual([0, '', [get]])
  expect(stderr).toMatch(/^Compared project 1 \(Books, 127\.0\.0\.1:\d+\) with settings\.yaml: no changes\n$/)
})

test.each([
  ['refuses', 400, 5],
  ['fails at', 500, 7],
])('the difference is printed before a PATCH that the service %s', async (_, status, code) => {
  const answer = ({ method }: Asked, response: Parameters<typeof json>[0]) =>
    method === 'PATCH' ? json(response, { detail: 'No.' }, status) : json(response, project)
  const { run } = await given('timezone: Europe/Berlin\n', { answer })
  const table = await run('apply -f settings.yaml --yes --retries 0')
  expect([table.code, table.stdout]).toEqual([code, '- timezone: Europe/London\n+ timezone: Europe/Berlin\n'])
  // Data says only what was sent.
  const data = await run('apply -f settings.yaml --yes --retries 0 -o json')
  expect([data.code, data.stdout]).toEqual([code, ''])
})

test('the summary of a PATCH without an answer does not say that it failed', async () => {
  const answer = ({ method }: Asked, response: Parameters<typeof json>[0]) =>
    method === 'PATCH' ? void response.destroy() : json(response, project)
  const { run, world } = await given('timezone: Europe/Berlin\n', { answer })
  const { code, stderr } = await run('apply -f settings.yaml --yes --retries 0 --markdown summary.md')
  expect([code, stderr]).toEqual([7, expect.stringContaining('The change may have been made')])
  const summary = readFileSync(join(world.folder, 'summary.md'), 'utf8')
  expect(summary).toContain('Not known whether applied: 1 setting')
})

test('a project that somebody changed while it asked leaves nothing on stdout', async () => {
  const get = (now: Project, reads: number) => (reads === 2 ? { ...now, timezone: 'UTC' } : now)
  const { run } = await given('timezone: Europe/Berlin\n', { get })
  const { code, stdout } = await run('apply -f settings.yaml -o json', { answers: ['y'] })
  expect([code, stdout]).toEqual([10, ''])
})

test('a field that the service accepts and ignores is named, with what it was, should be and is', async () => {
  const { run, world } = await given('is_demo: true\ntimezone: UTC\n', {
    patch: (before, { timezone }) => ({ ...before, timezone }),
  })
  const { code, stderr } = await run('apply -f settings.yaml --yes --markdown summary.md')
  expect([code, stderr]).toEqual([
    5,
    'is_demo was false, true was asked for, and it is false\n' +
      'The service accepted and did not apply is_demo.\nThe other changes were made.\n',
  ])
  expect(readFileSync(join(world.folder, 'summary.md'), 'utf8')).toContain('`is_demo was false, true was asked for')
})

test.each([
  ['extra_settings: {}', '{"a":1,"b":{"c":2,"d":3}}'],
  ['extra_settings: {b: {c: 2}}', '{"a":1,"b":{"c":2,"d":3}}'],
])('%s: members that are there still are no success, although a service may keep more', async (settings, kept) => {
  const extra = { extra_settings: JSON.parse(kept) }
  const { run } = await given(`${settings}\n`, {
    get: now => ({ ...now, ...extra }),
    patch: before => ({ ...before, ...extra }),
  })
  const { code, stderr } = await run('apply -f settings.yaml --yes')
  expect([code, stderr]).toEqual([5, expect.stringContaining('The service accepted and did not apply extra_settings')])
})

test.each([
  ['every member that is left out', { x: 1 }, 'set extra_settings to another value'],
  ['a member within another one', { a: { c: 2 }, x: 1 }, 'set extra_settings to another value'],
])('a service that merges objects keeps %s: that is said at once, and not only by the next run', async (_, wanted, said) => {
  const { run } = await given(`extra_settings: ${JSON.stringify(wanted)}\n`, {
    get: (now, reads) => (reads === 1 ? { ...now, extra_settings: { a: { b: 1, c: 2 }, x: 0 } } : now),
    patch: (before, body) => ({
      ...before,
      extra_settings: { ...(before.extra_settings as object), x: (body.extra_settings as { x: number }).x },
    }),
  })
  const { code, stderr } = await run('apply 1 -f settings.yaml --yes')
  expect([code, stderr]).toEqual([5, expect.stringContaining(said)])
})

test('a member that the service adds is no failure', async () => {
  const { run } = await given('extra_settings: {"x": 1}\n', {
    patch: (before, body) => ({ ...before, extra_settings: { ...(body.extra_settings as object), version: 2 } }),
  })
  expect((await run('apply 1 -f settings.yaml --yes')).code).toBe(0)
})

test('a value that is nested too deeply to be shown as YAML is changed and summed up; with --previous, which cannot save it, nothing is sent', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`)
  const { run, world } = await given('extra_settings: {}\n', {
    get: now => (now.extra_settings === null ? { ...now, extra_settings: deep } : now),
  })
  const refused = await run('apply -f settings.yaml --yes --previous before.yaml')
  expect([refused.code, refused.stderr, existsSync(join(world.folder, 'before.yaml'))]).toEqual([
    10,
    expect.stringMatching(
      /--previous cannot hold the values of .* for extra_settings \(nested too deeply\)\.\n.* with --except extra_settings\.\n$/,
    ),
    false,
  ])
  expect((await run('apply -f settings.yaml --dry-run --previous before.yaml')).code).toBe(10)
  const { code, stdout } = await run('apply -f settings.yaml --yes --markdown summary.md')
  expect([code, stdout]).toEqual([0, '- extra_settings: … # nested too deeply to show\n+ extra_settings: {}\n'])
  expect(readFileSync(join(world.folder, 'summary.md'), 'utf8')).toContain('nested too deeply to show')
})

test('a value that the service stores in another form is no failure to change, and is told as what it is', async () => {
  const { run, world } = await given('app_urls: [https://b.example.com/]\n', {
    patch: before => ({ ...before, app_urls: ['https://b.example.com'] }),
  })
  const { code, stderr } = await run('apply -f settings.yaml --yes --markdown summary.md')
  expect([code, stderr]).toEqual([
    5,
    'app_urls was ["https://a.example.com"], ["https://b.example.com/"] was asked for, and it is ["https://b.example.com"]\n' +
      'The service set app_urls to another value.\n' +
      'Write the value into the file as the service keeps it, or every run sends it again.\n',
  ])
  const summary = readFileSync(join(world.folder, 'summary.md'), 'utf8')
  expect(summary).toContain('### Changed 1 setting, 1 to another value: ')
})

test.each([
  ['{"success":true}', 200, true],
  ['', 202, true],
  ['{"success":true}', 200, false],
  ['', 202, false],
])('the answer %s with %i shows no value: the project is read again', async (body, status, isDone) => {
  let now = project
  const answer = ({ method }: Asked, response: Parameters<typeof json>[0]) => {
    if (method !== 'PATCH') return json(response, now)
    if (isDone) now = { ...now, is_demo: true }
    response.writeHead(status).end(body)
  }
  const { run } = await given('is_demo: true\n', { answer })
  const { code, stderr } = await run('apply -f settings.yaml --yes')
  expect(code).toBe(isDone ? 0 : 5)
  if (isDone) return
  expect(stderr).toContain('is_demo was false, true was asked for, and it is false\n')
  expect(stderr).toContain(
    status === 202
      ? 'did not yet apply is_demo.\nThe change may still come'
      : 'did not apply is_demo.\nNothing was changed',
  )
})

test.each([
  [503, 7],
  [403, 4],
  [404, 3],
])('a change that was accepted and cannot be read afterwards is told as that: %i', async (status, code) => {
  let isChanged = false
  const { world, run } = await given('timezone: Europe/Berlin\nis_demo: true\n', {
    answer({ method }, response) {
      if (method === 'PATCH') response.writeHead(202).end()
      else if (isChanged) json(response, { detail: 'No' }, status)
      else json(response, project)
      isChanged ||= method === 'PATCH'
    },
  })
  const ran = await run('apply -f settings.yaml --yes -o json --retries 0 --markdown m.md')
  expect(ran.code).toBe(code)
  expect(JSON.parse(ran.stdout)).toHaveLength(2)
  expect(JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
    status,
    message: expect.stringMatching(/^The service accepted the change, and the project could not be read afterwards: /),
    hint: 'See with analytics projects diff whether it was applied',
  })
  expect(readFileSync(join(world.folder, 'm.md'), 'utf8')).toMatch(
    /^### Accepted, and not read afterwards: 2 settings: /,
  )
})

test.each([
  ['a list instead of one record', [project]],
  ['null instead of one record', null],
  ['an object that does not say that it was done', { id: 'a-task', status: 'queued' }],
])('an answer that is no project is not taken for one: %s', async (what, body) => {
  const answer = ({ method }: Asked, response: Parameters<typeof json>[0]) =>
    method === 'PATCH' ? json(response, body, 202) : json(response, project)
  const { run } = await given('is_demo: true\n', { answer })
  const { code, stderr } = await run('apply -f settings.yaml --yes')
  expect([code, stderr]).toEqual([5, `Unexpected response: ${what}.\nCheck the base URL.\n`])
})

test('at a terminal it shows, asks, reads again and then sends', async () => {
  const { run } = await given('is_demo: true\n')
  const declined = await run('apply -f settings.yaml', { answers: ['n'] })
  expect([declined.code, declined.asked]).toEqual([10, [get]])
  const agreed = await run('apply -f settings.yaml', { answers: ['y'] })
  expect([agreed.code, agreed.asked]).toEqual([0, [get, get, `${patch} {"is_demo":true}`]])
  expect(agreed.stderr).toMatch(
    /^- is_demo: false\n\+ is_demo: true\nChanging 1 setting of project 1 .*Go on\? \[y\/N\] y\nChanged 1 setting/,
  )
  expect(agreed.stdout).toBe('- is_demo: false\n+ is_demo: true\n')
})

test('what stands above the question is not printed once more below it on the same terminal', async () => {
  const { run } = await given('is_demo: true\n')
  const { stdout } = await run('apply -f settings.yaml', { answers: ['y'], columns: 80 })
  expect(stdout).toBe('')
  const again = await (await given('is_demo: true\n')).run('apply -f settings.yaml -o json', {
    answers: ['y'],
    columns: 80,
  })
  expect(JSON.parse(again.stdout)).toEqual([{ field: 'is_demo', from: false, to: true }])
})

test('a managed field that changes while it asks stops it; another one does not', async () => {
  const changing = (field: string) => (now: Project, reads: number) => (reads === 2 ? { ...now, [field]: 'x' } : now)
  const settings = 'name: Books\nis_demo: true\n'
  const managed = await (await given(settings, { get: changing('name') })).run('apply -f settings.yaml', {
    answers: ['y'],
  })
  expect([managed.code, managed.asked]).toEqual([10, [get, get]])
  expect(managed.stderr).toContain('Somebody changed name of project 1')
  const other = await (await given(settings, { get: changing('timezone') })).run('apply -f settings.yaml', {
    answers: ['y'],
  })
  expect([other.code, other.asked.length]).toEqual([0, 3])
})

test('nobody to ask and no --yes: refused before any request', async () => {
  const { run } = await given('is_demo: true\n')
  for (const options of [{}, { answers: ['y'], env: { ANALYTICS_NO_INPUT: '1' } }]) {
    const { code, asked } = await run('apply -f settings.yaml', options)
    expect([code, asked]).toEqual([10, []])
  }
})

test('a file that cannot be taken is refused before any request', async () => {
  const { run } = await given('name: Books\ntime_zone: UTC\n')
  for (const command of ['diff', 'apply --yes', 'apply --check', 'create']) {
    const { code, asked, stderr } = await run(`${command} -f settings.yaml`)
    expect([code, asked, stderr]).toEqual([
      2,
      [],
      'settings.yaml:2: a project has no field "time_zone".\nDid you mean timezone?\n',
    ])
  }
})

test('the differences are 9, in any format; an error comes first', async () => {
  const { run } = await given('is_demo: true\n')
  for (const command of ['diff', 'apply --check']) {
    const { code, stdout, stderr, asked } = await run(`${command} -f settings.yaml -o json`)
    expect([code, stdout, asked]).toEqual([9, '[\n{"field":"is_demo","from":false,"to":true}\n]\n', [get]])
    expect(JSON.parse(stderr)).toMatchObject({ error: { name: 'drift', exit: 9 } })
  }
  const gone = await given('is_demo: true\n', { answer: (_, response) => json(response, { code: 'not_found' }, 404) })
  expect((await gone.run('diff -f settings.yaml')).code).toBe(3)
  expect((await gone.run('apply --check -f settings.yaml')).code).toBe(3)
  const list = await given('is_demo: true\n', { answer: (_, response) => json(response, []) })
  expect((await list.run('diff -f settings.yaml')).code).toBe(5)
})

test('no format and no message shows a secret, unless it is asked for', async () => {
  const { run, world } = await given(`slack_incoming_webhook: \${HOOK}\n`, { patch: before => before })
  const env = { HOOK: 'https://hooks.example.com/made-up-new' }
  for (const format of ['table', 'json', 'ndjson', 'csv', 'ids']) {
    const { stdout, stderr } = await run(`apply -f settings.yaml --env HOOK --yes --markdown m.md -o ${format}`, {
      env,
    })
    expect(stdout + stderr + readFileSync(join(world.folder, 'm.md'), 'utf8')).not.toContain('hooks.example.com')
  }
  const { stdout } = await run('diff -f settings.yaml --env HOOK --reveal -o json', { env })
  expect(JSON.parse(stdout)).toEqual([
    { field: 'slack_incoming_webhook', from: project.slack_incoming_webhook, to: env.HOOK },
  ])
  const asked = await run('apply -f settings.yaml --env HOOK --reveal', { env, answers: ['y'] })
  expect(asked.stderr).toContain('The service accepted and did not apply slack_incoming_webhook')
  expect(asked.stderr).not.toContain('hooks.example.com')
  expect((await run('pull --reveal')).stdout).not.toContain('hooks.example.com')
  expect((await run('pull -o json')).stdout).not.toContain('hooks.example.com')
})

test('a dry run and the safety level stop the PATCH, and nothing else', async () => {
  const { run } = await given('is_demo: true\n')
  const dry = await run('apply -f settings.yaml --dry-run -o json')
  expect([dry.code, dry.asked]).toEqual([0, [get]])
  expect(JSON.parse(dry.stdout)).toMatchObject([{ method: 'PATCH', body: { is_demo: true } }])
  expect(dry.stderr).toBe('- is_demo: false\n+ is_demo: true\nDry run: nothing was changed\n')
  const safe = await run('apply -f settings.yaml --yes', { env: { ANALYTICS_SAFETY: 'read-only' } })
  expect([safe.code, safe.asked]).toEqual([10, []])
})

test('the summary is written whole or not at all', async () => {
  const { run, world } = await given('is_demo: true\n')
  const summary = join(world.folder, 'summary.md')
  const unwritable = await run('diff -f settings.yaml --markdown no/such/folder.md')
  expect([unwritable.code, unwritable.asked]).toEqual([2, []])
  expect(unwritable.stderr).toMatch(/there is no such file or folder\.\nGive another file\.\n$/)
  writeFileSync(summary, 'before')
  await run('apply -f settings.yaml --markdown summary.md', { answers: ['n'] })
  expect(readFileSync(summary, 'utf8')).toBe('before')
  await run('apply -f settings.yaml --markdown summary.md --dry-run')
  expect(readFileSync(summary, 'utf8')).toMatch(
    /^### Would change 1 setting: `project 1 \([^,]*\)`\n\n[\s\S]*\| `Books` \|/,
  )
  await run('apply -f settings.yaml --markdown summary.md --check')
  expect(readFileSync(summary, 'utf8')).toMatch(
    /^### 1 setting to change: `project 1 .*`\n\n\| Project \| Field \| Old \| New \|\n/,
  )
  expect(existsSync(join(world.folder, 'no'))).toBe(false)
})

test('pull prints YAML unless -o or a choice of fields says otherwise', async () => {
  const { run } = await given('')
  const yaml = (await run('pull', { env: { ANALYTICS_OUTPUT: 'json' } })).stdout
  expect(yaml).toMatch(/^# Settings of project 1\./)
  expect(yaml).toContain('\ntimezone: Europe/London\n')
  const json = await run('pull -o json')
  expect(JSON.parse(json.stdout)).toMatchObject({ name: 'Books', is_demo: false })
  expect(json.stderr).toBe('Left out: slack_incoming_webhook. Without -o they are comments, with the reason\n')
  expect((await run('pull --fields name -o json')).stderr).toBe('')
  expect((await run('pull --fields name,timezone')).stdout).toMatch(/\nname: Books\ntimezone: Europe\/London\n$/)
})

test('two projects are compared by every writable field', async () => {
  const { run } = await given('', {
    answer: ({ path }, response) =>
      json(response, path.endsWith('/2/') ? { ...project, id: 2, name: 'Lending' } : project),
  })
  const { code, stdout, asked } = await run('diff 1 --against 2')
  expect([code, stdout, asked]).toEqual([9, '- name: Books\n+ name: Lending\n', ['GET /api/projects/2/', get]])
  expect((await run('diff 1 --against 1')).code).toBe(0)
  for (const wrong of ['diff 1', 'diff 1 --against 2 -f settings.yaml', 'diff 1 --against 2 --env X', 'apply 1']) {
    const { code, asked } = await run(wrong)
    expect([code, asked]).toEqual([2, []])
  }
})

test('a project is created from a file; options beside it win', async () => {
  const { run } = await given('name: Books\ntimezone: UTC\n', {
    answer: ({ body }, response) => json(response, { id: 3, ...JSON.parse(body) }, 201),
  })
  const { code, asked } = await run('create -f settings.yaml --name Films')
  expect([code, asked]).toEqual([0, ['POST /api/projects/ {"name":"Films","timezone":"UTC"}']])
  expect((await run('create -f settings.yaml --body {}')).code).toBe(2)
})
