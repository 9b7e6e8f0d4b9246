import { describe, expect, test } from 'vitest'
import { itemOf } from '../../src/json/read-item.ts'
import { keysFor, tagsFor } from '../../src/operations/values-for-target.ts'
import * as fc from '../fast-check.ts'
import { type Answer, json, personRow } from '../server.ts'
import { accepting, startService, writesOf } from '../service.ts'

const item = itemOf
const name: fc.Arbitrary<string> = fc.constantFrom('plan', 'age', 'a.b', 'email', 'name')

test('what stays and what is deleted are together all properties of the person', () => {
  fc.assert(
    fc.property(fc.dictionary(name, fc.integer()), fc.array(name), (properties, allBut) => {
      const { keys } = keysFor({ keys: [], allBut, properties: undefined }, item({ properties }))
      expect(keys.filter(key => allBut.includes(key))).toEqual([])
      const left = Object.keys(properties).filter(key => !keys.includes(key))
      expect(left.every(key => allBut.includes(key))).toBe(true)
    }),
  )
})

test.each([
  [['a'], ['B', 'a'], [], ['a', 'B']],
  [['a', 'b'], ['c'], ['A'], ['b', 'c']],
  [null, ['x'], [], ['x']],
  [['a'], [], ['a'], []],
])('tags %j with %j and without %j are %j', (tags, addTags, removeTags, wanted) => {
  const { body } = tagsFor({ body: { name: 'n' }, addTags, removeTags, bodies: undefined }, item({ tags }))
  expect((body as { name: string; tags: string[] }).tags.map(tag => tag.toLowerCase())).toEqual(
    wanted.map(tag => tag.toLowerCase()),
  )
  expect(body).toMatchObject({ name: 'n' })
})

describe('tags of a definition', () => {
  const tagging = (words: string) => ['event-definitions', 'update', ...words.split(' '), '--yes', '-o', 'ndjson']
  const tagged =
    (tags: string | undefined): Answer =>
    ({ method, path, body }, response) => {
      const [id] = path.match(/\d+(?=\/$)/) ?? []
      const there = id === '8' ? '[]' : tags
      const fields = method === 'PATCH' ? body.slice(1, -1) : `"name":"n"${there ? `,"tags":${there}` : ''}`
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":${id},${fields}}`)
    }

  test.each([
    ['[{"name":"b"},1.0,"Q",null]', '--add-tag X', '[{"name":"b"},1.0,"Q",null,"X"]'],
    ['["a","1",1]', '--remove-tag 1', '["a",1]'],
    ['["a","Q"]', '--add-tag q --add-tag x --add-tag X', '["a","Q","x"]'],
    ['null', '--add-tag x', '["x"]'],
  ])('%s with %s are %s', async (tags, words, wanted) => {
    const { world, server, env } = await startService(tagged(tags))
    expect((await world.run(tagging(`7 ${words}`), { env })).code).toBe(0)
    expect(writesOf(server.asked).map(({ body }) => body)).toEqual([`{"tags":${wanted}}`])
  })

  test.each([undefined, '"x,y"', '{"a":1}', '1'])('%s are no list, so they are left alone', async tags => {
    const { world, server, env } = await startService(tagged(tags))
    const { code, stderr } = await world.run(tagging('7 --add-tag x'), { env })
    expect([code, stderr]).toEqual([10, expect.stringContaining('does not show a list of tags')])
    expect(stderr).toContain('--tags')
    expect(writesOf(server.asked)).toEqual([])
  })

  test('which tag an object stands for is not known, so a definition with one is left alone by --remove-tag', async () => {
    const { world, server, env } = await startService(tagged('["b",{"id":1,"name":"x"}]'))
    const { code, stderr } = await world.run(tagging('7 --remove-tag x'), { env })
    expect([code, stderr]).toEqual([10, expect.stringContaining('does not show a list of tags')])
    expect(writesOf(server.asked)).toEqual([])
  })

  test('others of the run are changed, and a resume and a preview say the same', async () => {
    const { world, server, env } = await startService(tagged('"x,y"'))
    const preview = await world.run([...tagging('7 8 --add-tag x'), '--dry-run'], { env })
    expect([preview.code, preview.stderr]).toEqual([0, expect.stringContaining('1 of 2 would fail, such as 7')])
    const { code, stdout } = await world.run(tagging('7 8 --add-tag x'), { env })
    expect([code, stdout]).toEqual([8, expect.stringContaining('"code":"unknown-tags"')])
    const again = await world.run(['jobs', 'resume', '--last'], { env })
    expect([again.code, writesOf(server.asked).length]).toEqual([8, 1])
  })
})

test('--key twice sends a request for each, in order', async () => {
  const { world, server, env } = await startService()
  const argv = ['persons', 'delete-property', '7', '--key', 'plan', '--key', 'country', '--yes']
  expect((await world.run(argv, { env })).code).toBe(0)
  expect(writesOf(server.asked).map(({ query }) => query.get('$unset'))).toEqual(['plan', 'country'])
})

test('--all-but reads each person: another record than the one asked for stops it', async () => {
  const { world, server, env } = await startService((_, response) => json(response, personRow(4711)))
  const argv = ['persons', 'delete-property', '7', '--all-but', 'plan', '--yes']
  expect((await world.run(argv, { env })).code).toBe(5)
  expect(writesOf(server.asked)).toEqual([])
})

test.each([
  [['plan'], ['Last, First', ' plan', 'Last', 'plan\t']],
  [[' plan'], ['Last, First', 'Last', 'plan\t']],
  [['plan\t, Last, First'], [' plan']],
  [['plan\t', 'Last, First'], [' plan']],
  [['Last, First'], ['plan', ' plan', 'plan\t']],
])('--all-but %j keeps names with commas and blanks, as they are typed and without blanks around them', async (typed, gone) => {
  const names = ['plan', 'Last, First', ' plan', 'Last', 'plan\t']
  const properties = Object.fromEntries(names.map(name => [name, 1]))
  const { world, server, env } = await startService((asked, response) =>
    asked.method === 'GET' ? json(response, { ...personRow(7), properties }) : accepting(asked, response),
  )
  const argv = ['persons', 'delete-property', '7', ...typed.flatMap(list => ['--all-but', list])]
  const { code, stderr } = await world.run([...argv, '--dry-run'], { env })
  expect([code, stderr]).toEqual([0, expect.stringContaining('all properties but ')])
  await world.run([...argv, '--yes'], { env })
  expect(writesOf(server.asked).map(({ query }) => query.get('$unset'))).toEqual(gone)
})

describe('--all-but of a person with no other properties sends nothing', () => {
  const deletion = ['persons', 'delete-property', '7', '--all-but', 'email,note', '--yes']

  test.each([
    ['json', '"id":7'],
    ['table', 'person-7@example.com'],
  ])('-o %s says so, and shows the record that was read', async (format, shown) => {
    const { world, server, env } = await startService()
    const { code, stdout, stderr } = await world.run([...deletion, '-o', format], { env })
    expect([code, writesOf(server.asked)]).toEqual([0, []])
    expect(stdout).toContain(shown)
    expect(stderr).toBe('Nothing to do: person 7 needs no change\n')
  })

  test('of several it is one that is done', async () => {
    const { world, server, env } = await startService()
    const { code, stdout } = await world.run([...deletion, '8', '-o', 'ndjson'], { env })
    expect([code, writesOf(server.asked)]).toEqual([0, []])
    expect(stdout.match(/"status":"updated"/g)).toHaveLength(2)
  })
})

describe.each([[undefined], [null], ['{}'], [['plan']]])('a person answered with the properties %j', properties => {
  const unknown: Answer = (asked, response) =>
    asked.method === 'GET' ? json(response, { ...personRow(7), properties }) : accepting(asked, response)

  test.each([
    'delete-property 7 --all-but plan --yes',
    'delete-property 7 --all-but plan --dry-run',
    'delete-property 7 --key plan --backup before.ndjson --yes',
    'update 7 --set plan=pro --backup before.ndjson --yes',
    'update-property 7 --key plan --value pro --backup before.ndjson --yes',
  ])('is not changed by persons %s, which would lose them', async words => {
    const { world, server, env } = await startService(unknown)
    const { code, stderr } = await world.run(['persons', ...words.split(' ')], { env })
    expect([code, stderr]).toEqual([5, expect.stringContaining('a person without properties')])
    expect(writesOf(server.asked)).toEqual([])
  })

  test('is changed where nothing depends on them', async () => {
    const { world, server, env } = await startService(unknown)
    expect((await world.run(['persons', 'update', '7', '--set', 'plan=pro', '--yes'], { env })).code).toBe(0)
    expect((await world.run(['persons', 'delete', '7', '--backup', 'before.ndjson', '--yes'], { env })).code).toBe(0)
    expect(writesOf(server.asked).map(({ method }) => method)).toEqual(['PATCH', 'DELETE'])
  })
})

test('an empty object is a person with no properties', async () => {
  const { world, server, env } = await startService((asked, response) =>
    asked.method === 'GET' ? json(response, { ...personRow(7), properties: {} }) : accepting(asked, response),
  )
  const argv = ['persons', 'delete-property', '7', '--all-but', 'plan', '--backup', 'before.ndjson', '--yes']
  const { code, stderr } = await world.run(argv, { env })
  expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing to do')])
  expect(writesOf(server.asked)).toEqual([])
})

describe('a property without a name, which servers do not delete', () => {
  const named = (name: string): Answer => {
    const nameless = { ...personRow(7), properties: { email: 'ada@example.com', plan: 'pro', [name]: 'x' } }
    return (asked, response) => (asked.path.endsWith('/7/') ? json(response, nameless) : accepting(asked, response))
  }
  const deletion = ['persons', 'delete-property', '--all-but', 'email']

  test.each(['', ' '])('--all-but refuses the person before the first request: %j', async name => {
    const { world, server, env } = await startService(named(name))
    const { code, stderr } = await world.run([...deletion, '7', '--yes'], { env })
    expect([code, writesOf(server.asked)]).toEqual([10, []])
    expect(stderr).toContain(`a property named "${name}", which cannot be deleted, so nothing is sent`)
    expect(stderr).toContain('--key')
  })

  test('others of the run are changed, and a resume says the same', async () => {
    const { world, server, env } = await startService(named(''))
    const { code, stdout } = await world.run([...deletion, '7', '8', '--yes', '-o', 'ndjson'], { env })
    expect([code, stdout]).toEqual([8, expect.stringContaining('"code":"nameless-property"')])
    expect(writesOf(server.asked).map(({ path }) => path)).toEqual(['/api/projects/1/persons/8/delete_property/'])
    const again = await world.run(['jobs', 'resume', '--last'], { env })
    expect([again.code, writesOf(server.asked).length]).toEqual([8, 1])
  })

  test('the preview says so', async () => {
    const { world, env } = await startService(named(''))
    const { code, stderr } = await world.run([...deletion, '7', '8', '--dry-run'], { env })
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^ {2}7 +This person has a property named ""/m)])
    expect(stderr).toContain('1 of 2 would fail, such as 7')
  })
})
