/** What `projects diff`, `apply` and `pull` send and print, over real HTTP, with servers that apply changes and others. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Asked, json, notFound, serve } from '../../server.ts'
import { newWorld, type Options } from '../../world.ts'

type Project = Record<string, unknown>

interface Script {
  /** What a PATCH changes; by default all of it is applied. */
  readonly patch?: (before: Project, body: Project) => Project
  /** The changes that a GET shows, and from which GET on. */
  readonly changed?: readonly [from: number, fields: Project]
  readonly answer?: (asked: Asked, response: Parameters<typeof json>[0]) => boolean
}

/** A world with settings files, and a service with the projects 1, 2 and 3. */
async function given(files: Readonly<Record<string, string>>, { patch, changed, answer }: Script = {}) {
  const projects = new Map<string, Project>(
    [1, 2, 3].map(id => [
      String(id),
      {
        id,
        name: `Shop ${id}`,
        slack_incoming_webhook: 'https://hooks.example.com/made-up-old',
        is_demo: false,
        timezone: 'Europe/London',
        session_recording_sample_rate: '0.50',
        app_urls: ['https://a.example.com'],
        extra_settings: { a: { b: 1, c: 2 } },
        surveys_enabled: true,
      },
    ]),
  )
  let reads = 0
  const service = await serve((asked, response) => {
    const id = asked.path.split('/')[3] ?? ''
    let now = projects.get(id)
    if (answer?.(asked, response)) return
    if (!now) return notFound(response)
    if (asked.method === 'PATCH')
      now = (patch ?? ((before, body) => ({ ...before, ...body })))(now, JSON.parse(asked.body))
    else if (changed && ++reads >= changed[0]) now = { ...now, ...changed[1] }
    projects.set(id, now)
    json(response, now)
  })
  const world = newWorld()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.folder, name)), { recursive: true })
    writeFileSync(join(world.folder, name), text)
  }
  const env = { ANALYTICS_BASE_URL: service.url, ANALYTICS_API_KEY: 'test-key' }
  return {
    async run(line: string, options: Options = {}) {
      const before = service.asked.length
      const ran = await world.run(['projects', ...line.split(' ')], { ...options, env: { ...env, ...options.env } })
      const asked = service.asked.slice(before).map(({ method, path, body }) => `${method} ${path} ${body}`.trimEnd())
      return { ...ran, stderr: ran.stderr.replaceAll(service.url.slice(7, -1), 'HOST'), asked }
    },
  }
}

const get = (id: number) => `GET /api/projects/${id}/`
const patch = (id: number, body: object) => `PATCH /api/projects/${id}/ ${JSON.stringify(body)}`
const berlin = { 's.yaml': 'project: 1\ntimezone: Europe/Berlin\n' }

test('apply sends one PATCH with only the changed fields; a second apply sends nothing', async () => {
  const { run } = await given({
    's.yaml': 'timezone: Europe/Berlin\nname: Shop 1\nsession_recording_sample_rate: 0.5\n',
  })
  const first = await run('apply 1 -f s.yaml --yes')
  expect([first.code, first.asked]).toEqual([0, [get(1), patch(1, { timezone: 'Europe/Berlin' })]])
  expect(first.stdout).toMatch(
    /^project 1 \(Shop 1, 127.*\):\n- timezone: Europe\/London\n\+ timezone: Europe\/Berlin\n$/,
  )
  expect(first.stderr).toBe('Changed 1 setting of project 1 (Shop 1, HOST)\n')
  const second = await run('apply 1 -f s.yaml --yes')
  expect([second.code, second.asked, second.stdout]).toEqual([0, [get(1)], ''])
  expect(second.stderr).toBe('No changes in project 1 (Shop 1, HOST)\n')
})

test('at a terminal, apply shows the diff in color, prompts, reads again and sends', async () => {
  const { run } = await given(berlin)
  expect(await run('apply -f s.yaml', { answers: ['n'] })).toMatchObject({ code: 10, asked: [get(1)] })
  const { stdout: diff } = await run('diff -f s.yaml', { columns: 120 })
  expect(diff).toContain('\u001b[31m- timezone: Europe/London\u001b[39m\n')
  const confirmed = await run('apply -f s.yaml', { answers: ['y'], columns: 120 })
  expect(confirmed.asked).toEqual([get(1), get(1), patch(1, { timezone: 'Europe/Berlin' })])
  expect(confirmed.stdout).toBe('')
  const shown = (text: string) => text.replace(/127\.0\.0\.1:\d+/g, 'HOST')
  expect(confirmed.stderr.startsWith(shown(diff))).toBe(true)
  expect(confirmed.stderr).toMatch(/\[y\/N\] y\nChanged 1/)
  const plain = await run('apply -f s.yaml --no-color', { answers: ['n'], columns: 120 })
  expect(plain.stderr).not.toContain('\u001b')
})

test('a secret in a URL is masked in the diff before the prompt, and shown with --reveal', async () => {
  const { run } = await given({ 's.yaml': 'project: 1\nextra_settings: {url: "https://a:made-up@b.example.com"}\n' })
  const { stderr } = await run('apply -f s.yaml', { answers: ['n'] })
  expect(stderr).not.toContain('made-up')
  expect((await run('apply -f s.yaml --reveal', { answers: ['n'] })).stderr).toContain('a:made-up@b')
})

test.each([
  ['a field of the file', { timezone: 'UTC' }, 10],
  ['another field', { is_demo: true }, 0],
])('%s changes while the prompt is open, and apply exits with %s', async (_, fields, code) => {
  const { run } = await given(berlin, { changed: [2, fields] })
  const ran = await run('apply -f s.yaml', { answers: ['y'] })
  expect([ran.code, ran.asked.length]).toEqual([code, code === 10 ? 2 : 3])
  if (code === 10)
    expect(ran.stderr).toContain(
      'timezone of project 1 (Shop 1, HOST) changed while the prompt was open; nothing was sent',
    )
})

test.each<[string, string, Script['patch']]>([
  ['is_demo: true', 'is_demo', (before, { timezone }) => ({ ...before, timezone })],
  ['app_urls: [https://b.example.com/]', 'app_urls', before => ({ ...before, app_urls: ['https://b.example.com'] })],
  ['extra_settings: {}', 'extra_settings', before => before],
  ['extra_settings: {a: {b: 1}}', 'extra_settings', before => before],
  [
    'slack_incoming_webhook: https://hooks.example.com/new',
    'slack_incoming_webhook',
    before => ({ ...before, slack_incoming_webhook: undefined }),
  ],
])('apply exits with 5 and names a field that the server accepted but did not apply: %s', async (settings, field, patch) => {
  const { run } = await given(
    { 's.yaml': `${settings}\ntimezone: UTC\n` },
    { patch: (a, b) => ({ ...patch?.(a, b), timezone: 'UTC' }) },
  )
  const { code, stderr } = await run('apply 1 -f s.yaml --yes')
  const said = `Accepted but not applied: ${field} of project 1 (Shop 1, HOST).\nTo see the settings: analytics projects get 1\n`
  expect([code, stderr]).toEqual([5, said])
})

test.each([
  ['a member that the service adds', 200, { id: 1, extra_settings: { x: 1, version: 2 } }, 0],
  ['an answer without the project', 200, { success: true }, 0],
  ['an answer that comes before the change', 202, { id: 1, name: 'Shop 1', extra_settings: null }, 0],
  ['the record of another project', 200, { id: 2, extra_settings: { x: 1 } }, 5],
  ['a list', 200, [{ id: 1 }], 5],
  ['an object that is no project', 200, { id: 'a-task', status: 'queued' }, 5],
])('after a response to the PATCH that is %s, apply exits with its code: %i %j %i', async (_, status, body, code) => {
  const answer: Script['answer'] = ({ method }, response) => {
    if (method === 'PATCH') json(response, body, status)
    return method === 'PATCH'
  }
  const { run } = await given({ 's.yaml': 'extra_settings: {x: 1}' }, { answer })
  expect((await run('apply 1 -f s.yaml --yes')).code).toBe(code)
})

const fleet = {
  'base.yaml': 'timezone: UTC\n',
  'fleet/1.yaml': 'project: 1\nis_demo: true\n',
  'fleet/2.yaml': 'project: 2\ntimezone: Europe/London\n',
  'fleet/3.yaml': 'project: 3\nname: Third\n',
}

test('all projects are compared before the first write, with one prompt', async () => {
  const { run } = await given(fleet)
  const { code, asked, stderr, stdout } = await run('apply -f base.yaml -f fleet -o json', { answers: ['3', '2'] })
  expect(code).toBe(0)
  expect(asked).toEqual([
    get(1),
    get(2),
    get(3),
    get(1),
    patch(1, { is_demo: true, timezone: 'UTC' }),
    get(3),
    patch(3, { name: 'Third', timezone: 'UTC' }),
  ])
  expect(stderr).toContain('+ timezone: UTC\n\nproject 3 (Shop 3, HOST):\n')
  expect(stderr).toContain('This will change 2 projects. Type 2 to confirm: 3\nThat is not 2\n')
  expect(JSON.parse(stdout)).toEqual([
    { project: '1', field: 'is_demo', from: false, to: true },
    { project: '1', field: 'timezone', from: 'Europe/London', to: 'UTC' },
    { project: '3', field: 'name', from: 'Shop 3', to: 'Third' },
    { project: '3', field: 'timezone', from: 'Europe/London', to: 'UTC' },
  ])
})

test('the first failure stops, and the message says which projects are done', async () => {
  const answer: Script['answer'] = ({ method, path }, response) => {
    const fails = method === 'PATCH' && path.includes('/1/')
    if (fails) json(response, { detail: 'No.' }, 400)
    return fails
  }
  const { run } = await given(
    {
      ...fleet,
      'fleet/0.yaml': 'project: 2\nname: Second\n',
      'fleet/2.yaml': 'project: 1\nname: First\n',
      'fleet/1.yaml': 'project: 3\nname: Third\n',
      'fleet/3.yaml': '',
    },
    { answer },
  )
  expect((await run('apply -f fleet --yes')).code).toBe(2)
  const files = '-f fleet/0.yaml -f fleet/2.yaml -f fleet/1.yaml'
  const { code, asked, stderr, stdout } = await run(`apply ${files} --yes -o ndjson`)
  expect([code, asked.slice(3)]).toEqual([5, [patch(2, { name: 'Second' }), patch(1, { name: 'First' })]])
  expect(stderr).toContain('Stopped at project 1. Done: 2. Not started: 3\n')
  expect(stdout.match(/"to":"\w+"/g)).toEqual(['"to":"Second"', '"to":"First"', '"to":"Third"'])
})

test('a project that cannot be read, or an unknown field, stops apply before any write', async () => {
  const { run } = await given({
    ...berlin,
    'nine.yaml': 'project: 9\nname: Nine\n',
    'typo.yaml': 'project: 2\ntime_zone: UTC\nsurveys_enabled: false\n',
  })
  expect(await run('apply -f s.yaml -f nine.yaml --yes')).toMatchObject({ code: 3, asked: [get(1), get(9)] })
  const typo = await run('apply -f s.yaml -f typo.yaml --yes')
  expect([typo.code, typo.asked, typo.stderr]).toEqual([
    2,
    [get(1), get(2)],
    'typo.yaml:2: projects have no field time_zone.\nDid you mean timezone?\n',
  ])
})

test('an undocumented field is accepted if the record has it', async () => {
  const { run } = await given({ 's.yaml': 'surveys_enabled: false\n' })
  expect((await run('apply 1 -f s.yaml --yes')).asked[1]).toBe(patch(1, { surveys_enabled: false }))
})

test.each([
  ['an id', '2', {}],
  ['--project', '--project 2', {}],
  ['--project beside the id', '1 --project 2', {}],
  ['ANALYTICS_PROJECT', '', { ANALYTICS_PROJECT: '2' }],
  ['@current', '@current', {}],
])('a file for another project than the one that %s names is refused before any request', async (_, words, env) => {
  const { run } = await given(berlin)
  for (const verb of ['diff', 'apply --yes', 'apply --dry-run']) {
    const { code, asked, stderr } = await run(`${verb} ${words} -f s.yaml`.replace('  ', ' '), { env })
    expect([code, asked]).toEqual([2, []])
    expect(stderr).toMatch(/^The settings are for project 1, not project (2|@current)\.\n/)
  }
})

test('a file that names no project is for the id, else for the resolved project', async () => {
  const { run } = await given({ ...berlin, 'any.yaml': 'timezone: UTC\n' })
  expect((await run('diff -f any.yaml', { env: { ANALYTICS_PROJECT: '3' } })).asked).toEqual([get(3)])
  expect((await run('diff -f any.yaml --project 2')).asked).toEqual([get(2)])
  expect((await run('diff 1 -f any.yaml', { env: { ANALYTICS_PROJECT: '3' } })).asked).toEqual([get(1)])
  expect((await run('diff 1 -f s.yaml', { env: { ANALYTICS_PROJECT: '1' } })).asked).toEqual([get(1)])
  expect(await run('diff -f any.yaml')).toMatchObject({ code: 2, asked: [] })
})

test('apply is refused before any request without a terminal and --yes, or with read-only, but not in a dry run', async () => {
  const { run } = await given(berlin)
  for (const env of [{}, { ANALYTICS_SAFETY: 'read-only' }]) {
    const words = 'ANALYTICS_SAFETY' in env ? 'apply -f s.yaml --yes' : 'apply -f s.yaml'
    expect(await run(words, { env })).toMatchObject({ code: 10, asked: [] })
    expect(await run('apply -f s.yaml --dry-run', { env })).toMatchObject({ code: 0, asked: [get(1)] })
  }
})

test('a dry run prints the diff, the ids, or the requests', async () => {
  const { run } = await given({
    's.yaml': 'project: 1\nslack_incoming_webhook: https://hooks.example.com/new\nis_demo: true\n',
  })
  const shown = async (format: string) => (await run(`apply -f s.yaml --dry-run -o ${format}`)).stdout
  expect(await shown('table')).toContain(
    '- slack_incoming_webhook: (secret)\n+ slack_incoming_webhook: (another secret)\n',
  )
  expect(await shown('ids')).toBe('1\n')
  expect(JSON.parse(await shown('json'))).toMatchObject([
    {
      method: 'PATCH',
      url: expect.stringMatching(/projects\/1\/$/),
      body: { slack_incoming_webhook: 'https://hooks.example.com/new', is_demo: true },
    },
  ])
})
