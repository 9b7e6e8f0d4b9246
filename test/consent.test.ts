import { expect, test } from 'vitest'
import { json } from './server.ts'
import { accepting, startService } from './service.ts'

test.each([
  ['persons', 'delete', '1'],
  ['persons', 'split', '1', '--main-distinct-id', 'ada'],
  ['persons', 'delete-property', '1', '--key', 'plan'],
  ['plugins', 'delete', '1'],
  ['event-definitions', 'delete', '1'],
  ['projects', 'delete', '1'],
  ['api', 'DELETE', '/api/projects/{project}/persons/1/'],
  ['api', 'DELETE', '/api/organizations/{organization}/plugins/1/'],
])('%s %s %s is refused where nobody can answer, before any request', async (...argv) => {
  const { server, world, env } = await startService()
  for (const [also, options, why] of [
    [[], {}, 'stdin and stderr are not terminals'],
    [[], { columns: 80 }, 'stdin is not a terminal'],
    [[], { answers: ['y'], stderrIsFile: true }, 'stderr is not a terminal'],
    [['--no-input'], { answers: ['y'] }, 'questions are switched off (--no-input)'],
  ] as const) {
    const { code, stderr } = await world.run([...argv, ...also], { env: { ...env, NO_COLOR: '1' }, ...options })
    expect([code, server.asked]).toEqual([10, []])
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`needs confirmation, but ${why}. Pass --yes to go ahead.`)
  }
})

test('creating, or updating one object that is named by its id, does not ask', async () => {
  const { world, env } = await startService()
  for (const argv of [
    ['persons', 'update', '1', '--set', 'plan=pro'],
    ['persons', 'update-property', '1', '--key', 'plan', '--value', 'pro'],
    ['projects', 'create', '--name', 'Hedgehog Press'],
    ['projects', 'update', '1', '--name', 'Hedgehog Press'],
    ['plugins', 'create', '--name', 'Tidy', '--plugin-type', 'source', '--organization', '@current'],
    ['event-definitions', 'update', '1', '--tags', 'billing'],
  ]) {
    expect([argv, await world.run(argv, { env })]).toEqual([argv, expect.objectContaining({ code: 0 })])
  }
})

test.each([
  ['y', 0],
  ['YES', 0],
  [' y ', 0],
  ['n', 10],
  ['', 10],
  ['yep', 10],
])('one person: %j', async (answer, code) => {
  const { server, world, env } = await startService()
  const ran = await world.run(['persons', 'delete', '1'], { env, answers: [answer] })
  expect(ran.code).toBe(code)
  expect(ran.stderr).toContain('Deleting person 1 of project 1')
  expect(server.asked.some(({ method }) => method === 'DELETE')).toBe(code === 0)
})

test('the end of input is no', async () => {
  const { server, world, env } = await startService()
  const ran = await world.run(['persons', 'delete', '1'], { env, answers: [] })
  expect([ran.code, server.asked.filter(({ method }) => method === 'DELETE')]).toEqual([10, []])
  expect(ran.stderr).toContain('Declined: nothing was changed.')
})

test.each([
  ['persons delete 1 2', ['n'], 'To go on, run it again and type 2.'],
  ['persons delete 1 2', ['y', '3', 'No'], 'To go on, run it again and type 2.'],
  ['persons delete 1 2', ['y', '3', 'yes', 'two', '2'], 'To go on, run it again and type 2.'],
  [
    'projects delete 1',
    ['y', 'hedgehog press', '1', '?', 'Hedgehog Press'],
    'To go on, run it again and type its name.',
  ],
  ['persons delete 1', ['ja', 'y'], undefined],
  ['persons delete 1 2', ['y', '', '2'], undefined],
])('%s: the answers %j decline, and the text that agrees is named', async (line, answers, hint) => {
  const { world, env } = await startService()
  const { code, stderr } = await world.run(line.split(' '), { env, answers })
  const end = stderr.slice(stderr.indexOf('Declined'))
  expect([code, end]).toEqual([
    10,
    ['Declined: nothing was changed.', hint, ''].filter(text => text !== undefined).join('\n'),
  ])
})

test.each([
  ['persons delete 1 2', ['y', '3', 'two', '2']],
  ['projects delete 1', ['y', 'hedgehog press', '1', 'Hedgehog Press']],
])('%s: a wrong answer is asked for again, so that %j agrees', async (line, answers) => {
  const { world, env } = await startService()
  const { code, stderr } = await world.run(line.split(' '), { env, answers })
  expect([code, stderr.match(/^Type|[.] Type/gm)?.length, stderr.match(/That is not/g)?.length]).toEqual([0, 4, 3])
})

test('a project is deleted by typing its name, as it is written', async () => {
  for (const [answer, code] of [
    ['Hedgehog Press', 0],
    ['hedgehog press', 10],
    ['y', 10],
    ['', 10],
  ] as const) {
    const { world, env } = await startService()
    expect((await world.run(['projects', 'delete', '1'], { env, answers: [answer] })).code).toBe(code)
  }
})

test.each([
  null,
  '',
  '  ',
])('a project called %j is deleted by typing its id: an empty line never means yes', async name => {
  const nameless = () =>
    startService((asked, response) =>
      asked.method === 'GET' ? json(response, { id: 1, name }) : accepting(asked, response),
    )
  for (const [answer, code] of [
    ['', 10],
    ['1', 0],
  ] as const) {
    for (const line of ['projects delete 1', 'api DELETE /api/projects/1/']) {
      const { world, env } = await nameless()
      expect((await world.run(line.split(' '), { env, answers: [answer] })).code, line).toBe(code)
    }
  }
})

test('a question holds nothing that acts on a terminal', async () => {
  const { world, env } = await startService()
  const argv = ['persons', 'update', '1', '2', '--set', 'a\u001b[2J=b']
  const { stderr } = await world.run(argv, { env, answers: ['n'] })
  expect(stderr).toContain('a\\u001b[2J')
  expect(stderr).not.toContain('\u001b')
})

test.each([
  ['api DELETE /api/projects/1/persons/1/', ['y']],
  ['api DELETE /api/projects/1/persons/1/', undefined],
  ['api DELETE /api/projects/1/', ['Hedgehog Press']],
  ['api POST /api/projects/1/persons/1/split/ --field main_distinct_id=ada', ['y']],
  ['persons delete 1', ['y']],
  ['plugins create --name Tidy --organization @current', ['y']],
  ['plugins create --name Tidy --organization @current', undefined],
  ['projects create --name Tidy', ['y']],
  ['projects update 1 --name Tidy', ['y']],
] as const)('%s, answered %j: a question names the profile and the host', async (line, answers) => {
  const { server, world, env } = await startService()
  const { ANALYTICS_API_KEY: key, ...others } = env
  await world.run(['profiles', 'add', 'prod', '--base-url', server.url, '--project', '1', '--api-key-stdin'], {
    env: others,
    stdin: `${key}\n`,
  })
  const ran = await world.run(line.split(' '), {
    env: { ANALYTICS_SAFETY: 'confirm' },
    ...(answers ? { answers } : {}),
  })
  expect(ran.stderr).toContain(`(prod, ${new URL(server.url).host})${answers ? '' : ' needs confirmation'}`)
  expect(ran.stderr.match(/\(prod(?!, 127)/)).toBe(null)
})
