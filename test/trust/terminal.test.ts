/** Text of the service at a terminal: nothing in it acts, hides, or changes the direction of the text around it. */
import { describe, expect, test } from 'vitest'
import { type Answer, json } from '../server.ts'
import { startService } from '../service.ts'
import type { Options } from '../world.ts'

/** What a name can do to a terminal that shows it as it is. */
const attacks = {
  'clears the screen': '\x1b[2J\x1b[H',
  'sets the title': '\x1b]0;owned\x07',
  'makes a link': '\x1b]8;;https://attacker.example.com\x1b\\click\x1b]8;;\x1b\\',
  'copies to the clipboard': '\x1b]52;c;cm0gLXJmIH4=\x07',
  'asks the terminal to answer': '\x1b[6n\x1b[c\x1bZ',
  'types by a device control string': '\x1bP$q"p\x1b\\',
  'does it with one byte each (C1)': '\x9b2J\x9d0;owned\x9c\x90x\x9c',
  'goes back over the line': 'Bob\rEve\b\b\b',
  'rings, deletes, ends the text': '\x07\x7f\x04\x00\x1a',
  'goes to another line': 'Bob\u2028Eve\u2029\x0b\x0c\x85',
  'turns the direction': '\u202egnp.exe\u202c\u2066x\u2069\u200f\u061c',
  'hides between letters': 'Bo\u200bb\u200d\u2060\ufeff\u180e\u2063',
}
const name = Object.values(attacks).join(' | ')

const person = {
  id: 1,
  name,
  [`key ${name}`]: name,
  distinct_ids: [name, name],
  properties: { email: name, [name]: name, deep: [{ [name]: name }] },
  created_at: name,
  uuid: '00000000-0000-4000-8000-000000000001',
}
const project = { ...person, api_token: name, timezone: name, organization: 'o' }

const answering: Answer = ({ method, path }, response) => {
  if (method === 'DELETE') return json(response, { detail: name, code: name, attr: name }, 400)
  if (path.startsWith('/api/projects/1/persons/')) {
    const [, id] = /\/persons\/(\d+)\/$/.exec(path) ?? []
    return json(response, id ? { ...person, id: Number(id) } : { count: 2, next: null, results: [person, person] })
  }
  json(response, path.endsWith('/projects/') ? { results: [project], next: null } : project)
}

/** Everything but the line feed that a terminal acts on, that is invisible, or that changes the direction. */
const alive = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** The line of progress goes back and is erased. */
const moving = /\x1b\[(?:[CGJK]|\?7[hl])/g

function expectTame(text: string): void {
  const shown = text.replaceAll(moving, '')
  const at = shown.search(alive)
  expect(at < 0 ? '' : JSON.stringify(shown.slice(Math.max(0, at - 100), at + 40))).toBe('')
}

/** Without color, so that no control character is ours. */
const plain = { NO_COLOR: '1' }

const commands = [
  ['persons', 'list'],
  ['persons', 'list', '--fields', `properties,${`key ${name}`.replaceAll(',', '')},name`],
  ['persons', 'get', '1'],
  ['persons', 'trends'],
  ['projects', 'list'],
  ['projects', 'get', '--reveal'],
  ['projects', 'pull'],
  ['projects', 'update', '--timezone', 'UTC'],
  ['api', 'GET', '/api/projects/1/'],
  ['persons', 'delete', '1', '--yes'],
  ['persons', 'delete', '1', '2', '--yes'],
  ['persons', 'delete', '1', '2', '--dry-run'],
]

describe('at a terminal nothing acts', () => {
  test.each(['table', 'json', 'ndjson', 'csv', 'ids'])('as %s', async format => {
    const { world, env } = await startService(answering)
    for (const argv of commands) {
      // Without -o, api prints the body as it came.
      const output = argv[0] === 'api' ? [] : ['-o', format]
      const { stdout, stderr, code } = await world.run([...argv, ...output, '--debug'], {
        env: { ...env, ...plain },
        columns: 100,
      })
      expect([0, 5, 8]).toContain(code)
      expectTame(stdout + stderr)
    }
  })

  test.each<[string, readonly string[], readonly string[]]>([
    ['one person', ['persons', 'delete', '1'], ['n']],
    ['several persons', ['persons', 'delete', '1', '1', '2'], ['no']],
    ['a project, by its name', ['projects', 'delete', '1'], ['no']],
    ['settings', ['projects', 'apply', '1', '-f', '-'], ['n']],
  ])('when it asks about %s', async (_, argv, answers) => {
    const { world, env } = await startService(answering)
    const { stdout, stderr, code } = await world.run(argv, {
      env: { ...env, ...plain },
      columns: 100,
      answers,
      stdin: 'timezone: UTC\n',
    } satisfies Options)
    expect([2, 10]).toContain(code)
    expectTame(stdout + stderr)
  })
})

describe('in a pipe', () => {
  test('tables and messages have no live control characters either', async () => {
    const { world, env } = await startService(answering)
    for (const argv of commands.filter(([group]) => group !== 'api')) {
      if (argv.includes('pull')) continue
      const { stdout, stderr } = await world.run([...argv, '--debug'], { env })
      expectTame(stdout + stderr)
    }
  })

  test('an error in JSON has escapes', async () => {
    const { world, env } = await startService(answering)
    const { stderr } = await world.run(['persons', 'delete', '1', '--yes', '-o', 'json'], { env })
    expectTame(stderr)
    expect(JSON.parse(stderr)).toMatchObject({ error: { name: 'rejected', status: 400 } })
  })

  test('data is not altered: JSON is printed as it came', async () => {
    const { world, env } = await startService(answering)
    const { stdout } = await world.run(['persons', 'get', '1', '-o', 'json'], { env })
    expect(JSON.parse(stdout)).toEqual(person)
  })
})

test('typed text is as harmless in messages', async () => {
  const { world, env } = await startService(answering)
  // An argument cannot hold a NUL.
  const typed = name.replaceAll('\0', '')
  for (const argv of [
    ['persons', typed],
    ['persons', 'list', `--${typed}`],
    ['persons', 'list', '--limit', typed],
    ['persons', 'get', `\ud800${typed}`],
    ['persons', 'delete', '--from', typed, '--yes'],
    ['persons', 'list', '--profile', typed],
    ['projects', 'update', '--timezone', typed],
    ['jobs', 'show', typed],
    ['api', 'GET', typed],
  ]) {
    const { stdout, stderr, code } = await world.run(argv, { env: { ...env, ...plain }, columns: 100 })
    expect([code, argv]).toEqual([argv.includes('--profile') ? 4 : 2, argv])
    expectTame(stdout + stderr)
  }
})
