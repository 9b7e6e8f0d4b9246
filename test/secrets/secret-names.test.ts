import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSecretName, maskUrls } from '../../src/secrets/secret-names.ts'
import * as fc from '../fast-check.ts'
import { newWorld } from '../world.ts'

test.each([
  ['api_token', true],
  ['secret_api_token_backup', true],
  ['live_events_token', true],
  ['slack_incoming_webhook', true],
  ['properties.push_token', true],
  ['PASSWORD', true],
  ['webhookUrl', true],
  ['APIToken', true],
  ['tokens', true],
  ['passWord', true],
  ['WebHookURL', true],
  ['tokenizer', false],
  ['secretary', false],
  ['name', false],
  ['webhooked', false],
])('the name %s is secret: %s', (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret)
})

test.each([
  ['https://git.example.com/a?private_token=abc', 'https://git.example.com/a?private_token=***'],
  ['https://git.example.com/a?ref=1&access_token=abc#top', 'https://git.example.com/a?ref=1&access_token=***#top'],
  ['https://x.example.com/?private%5Ftoken=abc', 'https://x.example.com/?private%5Ftoken=***'],
  ['https://x.example.com/?api_key=abc&key=2', 'https://x.example.com/?api_key=***&key=2'],
  ['https://ada:s3cret@git.example.com/a', 'https://***@git.example.com/a'],
  ['git+https://ada:s3c@ret@git.example.com/a', 'git+https://***@git.example.com/a'],
  [
    'see https://a:b@x.example.com and https://c:d@y.example.com',
    'see https://***@x.example.com and https://***@y.example.com',
  ],
  ['ssh://git@git.example.com/a', 'ssh://git@git.example.com/a'],
  ['https://x.example.com:8080/@ada?token=', 'https://x.example.com:8080/@ada?token='],
  ['ada:b@example.com', 'ada:b@example.com'],
])('the text %s is shown as %s', (text, shown) => {
  expect(maskUrls(text)).toBe(shown)
})

test('a password or token in a URL is masked, whatever its characters', () => {
  const part = fc.stringMatching(/^[\w.~!$*+,-]{6,20}$/)
  fc.assert(
    fc.property(part, part, (one, other) => {
      fc.pre(!'https://git.example.com/a?private_token=user:***@'.includes(one))
      fc.pre(!'https://git.example.com/a?private_token=user:***@'.includes(other))
      const shown = maskUrls(`https://user:${one}@git.example.com/a?private_token=${other}`)
      expect([shown.includes(one), shown.includes(other)]).toEqual([false, false])
    }),
  )
})

const url = 'https://ada:wordpass@git.example.com/a/b?private_token=glpat-0123456789'

test.each([
  `plugins create --set url=${url} --name T --plugin-type custom`,
  `plugins create --set url=${url} --dry-run`,
  `plugins update 2 --set url=${url}`,
  `plugins update 2 --set url=${url} --dry-run`,
  'projects get 1',
  'projects list --fields api_token',
  `persons update 3 4 --set home=${url} --set push_token=0123456789abcdef --dry-run`,
  `persons update 3 --set home=${url} --set push_token=0123456789abcdef`,
  `event-definitions list --where name=${url}`,
])('no table, prompt, preview or message shows a secret without --reveal: %s', async line => {
  const ran = await newWorld().run(`${line} --yes -o table`.split(' '), { env: { ANALYTICS_SANDBOX: 'observed' } })
  expect(ran.code).toBe(0)
  expect(ran.stdout + ran.stderr).not.toMatch(/wordpass|glpat|0123456789abc|ph[cs]_sandbox/)
})

test('--reveal shows them in tables, and never on stderr', async () => {
  const ran = await newWorld().run(['--sandbox', 'plugins', 'create', '--set', `url=${url}`, '--reveal'])
  expect(ran.stdout).toContain(url)
  expect(ran.stderr).not.toContain('wordpass')
})

test('a diff shows a new, an equal and a changed secret inside a value as secrets', async () => {
  const world = newWorld()
  const run = (line: string) => world.run(`${line} --sandbox`.split(' '))
  writeFileSync(join(world.folder, 's.yaml'), 'extra_settings: {api_token: a, x: 1}\n')
  const first = await run('projects diff 1 -f s.yaml')
  expect(first.stdout).toContain('+   api_token: (secret)\n')
  await run('projects apply 1 -f s.yaml --yes')
  writeFileSync(join(world.folder, 's.yaml'), 'extra_settings: {api_token: a, x: 2}\n')
  const second = await run('projects diff 1 -f s.yaml')
  expect(second.stdout).toContain('    api_token: (secret)\n')
  expect(second.stdout).not.toContain('another')
  writeFileSync(join(world.folder, 's.yaml'), 'extra_settings: {api_token: b, x: 1}\n')
  expect((await run('projects diff 1 -f s.yaml')).stdout).toContain(
    '-   api_token: (secret)\n+   api_token: (another secret)\n',
  )
})
