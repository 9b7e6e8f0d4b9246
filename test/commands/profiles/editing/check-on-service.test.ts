/** What a profile says is held against its service: at a terminal, where somebody can decide what comes of it. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshProfiles } from '../../../config/profiles.ts'
import { adding, having, serve, shop } from '../../../config/shop.ts'
import { type Answer, json, startServer } from '../../../server.ts'
import type { Options } from '../../../world.ts'

const profiles = freshProfiles()
const add = adding(profiles)
const project = () => profiles.kept().profiles.prod?.project

const failing =
  (status: number, detail: string): Answer =>
  (_, response) =>
    json(response, { detail }, status)

test.each([
  ['a base URL without the service', 3, failing(404, 'Not found.'), '(404)'],
  ['an answer that is no list', 5, ((_, response) => json(response, { ok: true })) satisfies Answer, 'no list'],
  [
    'a web page',
    5,
    ((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')) satisfies Answer,
    'a web page.\nCheck the base URL.\n',
  ],
  [
    'a way to another address',
    5,
    ((_, response) => void response.writeHead(302, { location: 'https://b.example.com/login' }).end()) satisfies Answer,
    'The service redirects to https://b.example.com',
  ],
])('with %s nothing is stored', async (_, exit, answer, says) => {
  const { code, stderr } = await add(await serve(answer), [])
  expect([code, stderr, existsSync(profiles.file)]).toEqual([exit, expect.stringContaining(says), false])
  expect(stderr).toContain('Nothing is saved; with --yes the profile is saved without a look at the service\n')
})

test('a service that cannot be reached is asked once more, says nothing against the profile, and it is stored', async () => {
  const gone = await startServer(having(shop))
  await gone.close()
  const { code, stderr } = await add(gone, ['42'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('refused the connection')])
  expect(stderr).toContain('The profile is not checked; analytics doctor does that later\n')
  expect([project(), profiles.world.sleeps.length]).toEqual(['42', 1])
})

test('nor does one that fails, or asks to wait for long, which is not waited for', async () => {
  const failed = await serve(failing(500, 'Down.'))
  expect(await add(failed, ['42'])).toMatchObject({ code: 0, stderr: expect.stringContaining('failed (500): Down\n') })
  const waiting = await serve((_, response) => {
    response.setHeader('retry-after', '3600')
    json(response, {}, 429)
  })
  profiles.world.sleeps.length = 0
  expect((await add(waiting, ['42'], {}, 'add other')).code).toBe(0)
  expect([waiting.asked.length, profiles.world.sleeps]).toEqual([1, []])
})

test('the key goes to the address that was typed, whatever the environment names, and the key is no other', async () => {
  const [typed, elsewhere] = [await serve(having(shop)), await serve(having(shop))]
  const env = { ANALYTICS_BASE_URL: elsewhere.url, ANALYTICS_API_KEY: 'key-of-environment', ANALYTICS_PROJECT: '7' }
  await add(typed, ['42'], { env })
  expect(elsewhere.asked).toEqual([])
  expect(new Set(typed.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer made-up-key']))
  expect(project()).toBe('42')
})

const unattended: readonly (readonly [string, Options, readonly string[]])[] = [
  ['a script', {}, []],
  ['--no-input', { answers: [] }, ['--no-input']],
  ['--yes', { answers: [] }, ['--yes']],
  ['a dry run', { answers: [] }, ['--dry-run']],
]

test.each(unattended)('nothing is sent or asked, and nothing new said, by %s', async (_, options, more) => {
  const server = await serve(having(shop))
  const words = ['profiles', 'add', 'prod', '--base-url', server.url, '--api-key-command', 'touch ran', ...more]
  const { code, stderr } = await profiles.world.run(words, options)
  expect([code, server.asked, existsSync(`${profiles.world.folder}/ran`)]).toEqual([0, [], false])
  const message = more.includes('--dry-run') ? 'Dry run: nothing was changed' : `Added profile prod to ${profiles.file}`
  expect(stderr).toBe(`${message}\n`)
  expect((await profiles.world.run(['profiles', 'set', 'prod', '--project', '8', ...more], options)).code).toBe(
    more.includes('--dry-run') ? 2 : 0,
  )
  expect(server.asked).toEqual([])
})

test('what is set is tried as well: a rotated key, another project, another address', async () => {
  const server = await serve((asked, response) =>
    asked.headers.authorization === 'Bearer revoked' ? json(response, {}, 401) : having(shop)(asked, response),
  )
  await add(server, ['42'])
  const rotating = 'set prod --api-key-stdin'
  expect((await profiles.run(rotating, { answers: ['revoked'] })).code).toBe(10)
  expect(profiles.kept().profiles.prod?.apiKey).toBe('made-up-key')
  const rotated = await profiles.run(rotating, { answers: ['revoked', 'rotated'] })
  expect(rotated.stderr).toContain('The key is accepted, and project 42 is Fernway Tea\nChanged profile prod\n')
  expect((await profiles.run('set prod --project 8', { answers: [] })).code).toBe(3)
  expect((await profiles.run('set prod --project 7', { answers: [] })).stderr).toContain('project 7 is Hedgehog Press')
  expect([profiles.kept().profiles.prod?.apiKey, project()]).toEqual(['rotated', '7'])
})

test('what a service knows nothing of is set without asking it', async () => {
  const server = await serve(having(shop))
  await add(server, ['42'])
  const before = server.asked.length
  for (const what of ['--safety read-only', '--default-output json', '--allow-http']) {
    expect((await profiles.run(`set prod ${what}`, { answers: [] })).code).toBe(0)
  }
  await profiles.world.run(['profiles', 'set', 'prod', '--project', ''], { answers: [] })
  expect([server.asked.length, project()]).toEqual([before, undefined])
})

test('in the sandbox no service is asked', async () => {
  const server = await serve(having(shop))
  const { code, stderr } = await add(server, [], { env: { ANALYTICS_SANDBOX: '1' } })
  expect([code, server.asked]).toEqual([0, []])
  expect(stderr).toContain('sandbox: the profile is not checked\n')
})
