import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Kinds, plugins, projects } from '../../src/api/endpoints.ts'
import { json } from '../../src/values/kinds.ts'
import { startService } from '../service.ts'

async function sent(argv: readonly string[]) {
  const { server, world, env } = await startService()
  writeFileSync(join(world.folder, 'body.json'), '\ufeff{"properties": {"n": 9007199254740993}}\n')
  writeFileSync(join(world.folder, 'latin1.json'), Buffer.from([0x22, 0xe9, 0x22]))
  const { code, stderr } = await world.run(argv, { env })
  return { code, stderr, bodies: server.asked.map(({ body }) => body) }
}

test.each([
  ['a value may hold = and spaces', ['--set', 'note=a = b'], '{"properties":{"note":"a = b"}}'],
  ['an empty value is an empty text', ['--set', 'note='], '{"properties":{"note":""}}'],
  [
    'keys that every object has are keys',
    ['--set', 'constructor=x', '--set', '__proto__=y'],
    '{"properties":{"constructor":"x","__proto__":"y"}}',
  ],
  ['numbers keep their digits', ['--set-json', 'n=9007199254740993'], '{"properties":{"n":9007199254740993}}'],
  ['a value may start with a dash', ['--set', '-x=-y'], '{"properties":{"-x":"-y"}}'],
  ['@file is the file', ['--body', '@body.json'], '{"properties":{"n":9007199254740993}}'],
  ['--properties is that object', ['--properties', '{"a":null}'], '{"properties":{"a":null}}'],
])('%s', async (_, options, body) => {
  expect((await sent(['persons', 'update', '1', ...options])).bodies).toEqual([body])
})

test.each([
  [['--primary-dashboard', '9007199254740993'], '{"primary_dashboard":9007199254740993}'],
  [['--set', 'primary_dashboard=-9007199254740993'], '{"primary_dashboard":-9007199254740993}'],
  [['--set-json', 'primary_dashboard=9007199254740993'], '{"primary_dashboard":9007199254740993}'],
  [['--set-json', 'primary_dashboard=9007199254740992'], '{"primary_dashboard":9007199254740992}'],
  [['--primary-dashboard', '007'], '{"primary_dashboard":7}'],
])('an integer that a double cannot hold is sent unchanged: %j', async (options, body) => {
  expect((await sent(['projects', 'update', '1', ...options])).bodies).toEqual([body])
})

test('a number is quoted unchanged where another type is documented', async () => {
  for (const [field, says] of [
    ['primary_dashboard=1.0', 'primary_dashboard must be an integer, not the number 1.0'],
    ['name=9007199254740993', 'name must be a string, not the number 9007199254740993'],
    ['app_urls=["a",1.0]', 'app_urls item 2 must be a string, not the number 1.0'],
  ] as const) {
    const { code, stderr, bodies } = await sent(['projects', 'update', '1', '--set-json', field])
    expect([code, bodies]).toEqual([2, []])
    expect(stderr).toContain(says)
  }
})

test.each([
  [['event-definitions', 'update', '1', '--set', 'tags=checkout, revenue'], '{"tags":["checkout","revenue"]}'],
  [['event-definitions', 'update', '1', '--tags', 'a,b', '--tags', 'c'], '{"tags":["a","b","c"]}'],
  [['event-definitions', 'update', '1', '--set', 'tags=[draft], {x}'], '{"tags":["[draft]","{x}"]}'],
  [['event-definitions', 'update', '1', '--set-json', 'tags=["a,b",""]'], '{"tags":["a,b",""]}'],
  [['api', 'PATCH', '/api/projects/1/event_definitions/1/', '--field', 'tags=a,b'], '{"tags":["a","b"]}'],
  [
    ['projects', 'update', '1', '--set', 'app_urls=https://a.example.com/?q=1,2'],
    '{"app_urls":["https://a.example.com/?q=1,2"]}',
  ],
  [
    ['api', 'PATCH', '/api/other/', '--field', 'tags=["a"]', '--field', 'app_urls=', '--yes'],
    '{"tags":"[\\"a\\"]","app_urls":""}',
  ],
])('a text is one item of a list, or several separated by commas: %j', async (argv, body) => {
  expect((await sent(argv)).bodies).toEqual([body])
})

const definition = ['event-definitions', 'update', '1']
const project = ['projects', 'update', '1']
const patch = ['api', 'PATCH', '/api/projects/1/event_definitions/1/']

test.each([
  ...['', ' ', 'a,,b', ',', '["a"]', ' ["a", "b"]', '{"a":1}', '[]'].flatMap(text => [
    [...definition, '--set', `tags=${text}`],
    [...definition, '--tags', text],
    [...patch, '--field', `tags=${text}`],
  ]),
  ...['', ' ', '["https://a.example.com"]', '{}'].flatMap(text => [
    [...project, '--set', `app_urls=${text}`],
    [...project, '--app-urls', 'https://a.example.com', '--app-urls', text],
    ['projects', 'create', '--recording-domains', text],
  ]),
])('a text that would be an unintended list is refused: %j', async (...argv) => {
  const { code, stderr, bodies } = await sent(argv)
  expect([code, bodies]).toEqual([2, []])
  expect(stderr).toContain(argv[0] === 'api' ? '--body' : '--set-json')
})

test.each(['["a"]', '{}', 'a,b', ' '])('%j is refused as a tag', async tag => {
  expect(await sent([...definition, '--add-tag', tag])).toMatchObject({ code: 2, bodies: [] })
})

const freeForm = { project: freeFormFields(projects.update.body), plugin: freeFormFields(plugins.update.body) }

function freeFormFields(fields: Kinds): string[] {
  return Object.keys(fields).filter(name => fields[name] === json)
}

test.each([
  ...freeForm.project.flatMap(name => [
    [...project, '--set', `${name}={"a":9007199254740993}`],
    ['projects', 'create', '--set', `${name}={"a":9007199254740993}`],
    ['api', 'PATCH', '/api/projects/1/', '--field', `${name}={"a":9007199254740993}`],
  ]),
  ...freeForm.plugin.flatMap(name => [
    ['plugins', 'create', '--set', `${name}={"a":9007199254740993}`],
    ['plugins', 'update', '1', '--set', `${name}={"a":9007199254740993}`],
    ['plugins', 'upgrade', '1', '--set', `${name}={"a":9007199254740993}`],
  ]),
])('the value of a free-form field is JSON: %j', async (...argv) => {
  const name = argv.at(-1)?.split('=')[0]
  expect((await sent(argv)).bodies.at(-1)).toBe(`{"${name}":{"a":9007199254740993}}`)
})

test.each([
  ['--set', 'extra_settings="text"', '{"extra_settings":"text"}'],
  ['--set', 'extra_settings=null', '{"extra_settings":null}'],
  ['--set', 'extra_settings=@body.json', '{"extra_settings":{"properties":{"n":9007199254740993}}}'],
  ['--set', 'other={"a":1}', '{"other":"{\\"a\\":1}"}'],
])('a free-form value is JSON text in double quotes, or a file: %s %s', async (option, value, body) => {
  expect((await sent([...project, option, value])).bodies).toEqual([body])
})

test.each([
  [...project, '--set', 'extra_settings='],
  [...project, '--set', 'extra_settings=-'],
  [...project, '--extra-settings', 'text'],
  ['api', 'PATCH', '/api/projects/1/', '--field', 'extra_settings={a:1}'],
])('a text without double quotes is refused as a free-form value: %j', async (...argv) => {
  const { code, stderr, bodies } = await sent(argv)
  expect([code, bodies]).toEqual([2, []])
  expect(stderr).toContain('the value is not JSON')
  expect(stderr).toContain('double quotes')
})

test.each([
  ['an assignment without =', ['--set', 'plan']],
  ['an assignment without a key', ['--set', '=pro']],
  ['a field given twice', ['--set', 'a=b', '--set-json', 'a=1']],
  ['nothing at all', []],
  ['a file that is not there', ['--body', '@nowhere.json']],
  ['a folder', ['--body', '@.']],
  ['a file that is not UTF-8', ['--body', '@latin1.json']],
  ['an empty stdin', ['--body', '-']],
])('%s is refused, and nothing is sent', async (_, options) => {
  const { code, stderr, bodies } = await sent(['persons', 'update', '1', ...options])
  expect([code, bodies]).toEqual([2, []])
  expect(stderr).not.toBe('')
})

test('does not repeat an invalid value, since it may be a secret', async () => {
  const hook = 'https://hooks.example.com/T0/B0/secret'
  for (const options of [
    ['--set-json', `slack_incoming_webhook=${hook}`],
    ['--body', `{"slack_incoming_webhook": "${hook}`],
  ]) {
    const { code, stderr } = await sent(['projects', 'update', '1', ...options])
    expect(code).toBe(2)
    expect(stderr).not.toContain('secret')
  }
})
