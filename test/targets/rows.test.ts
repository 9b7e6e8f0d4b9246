/** `--rows`: values for each target, as spreadsheets and exports write them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isList, json, personId, personRow } from '../server.ts'
import { startService, writesOf } from '../service.ts'
import { newWorld } from '../world.ts'

const update = ['persons', 'update', '--rows', '-', '--yes']

async function sent(stdin: string, ...more: string[]) {
  const { world, server, env } = await startService()
  const { code, stderr } = await world.run([...update, ...more], { env, stdin })
  const bodies = writesOf(server.asked).map(({ path, body }) => [path.split('/').at(-2), body] as const)
  return { code, stderr, bodies: bodies.toSorted(([a = ''], [b = '']) => a.localeCompare(b)) }
}

test.each([
  ['CSV', 'id,properties.plan\n1,pro\n2,free\n'],
  ['a spreadsheet of Europe', '\ufeffID;properties.plan\r\n"1";pro\r\n2;"free"\r\n;\r\n'],
  ['NDJSON', '{"id":1,"properties":{"plan":"pro"}}\n\n{"id":"2","properties.plan":"free"}\n'],
])('%s: each target gets its own values', async (_, stdin) => {
  expect(await sent(stdin)).toMatchObject({
    code: 0,
    bodies: [
      ['1', '{"properties":{"plan":"pro"}}'],
      ['2', '{"properties":{"plan":"free"}}'],
    ],
  })
})

test('an empty cell leaves alone, and --types says what is no text', async () => {
  const csv =
    'id,properties.n,properties.vip,properties.list,properties.t\n7,9007199254740993,true,"[1,1.0]",5\n8,,,,\n9,,false,,\n'
  expect(await sent(csv, '--types', 'n=number,vip=boolean,list=json,t=text')).toMatchObject({
    code: 0,
    bodies: [
      ['7', '{"properties":{"n":9007199254740993,"vip":true,"list":[1,1.0],"t":"5"}}'],
      ['9', '{"properties":{"vip":false}}'],
    ],
  })
})

test.each([
  [
    ['--types', 'n=number'],
    'id,properties.n\n1,5\n2,five\nabc,1\n4,6\n5,six\n',
    'line 3: properties.n is not a number; there are mistakes on lines 4, 6 too',
    '2\nabc\n5\n',
  ],
  [
    [],
    '{"id":1,"plan":"a"}\nno JSON\n{"properties.plan":"a"}\n{"id":4,"properties":{"a":1,"a":2}}\n{"id":5}\n',
    'line 1: plan cannot be set; there are mistakes on lines 2, 3, 4 too',
    '{"id":1,"plan":"a"}\nno JSON\n{"properties.plan":"a"}\n{"id":4,"properties":{"a":1,"a":2}}\n',
  ],
])('all mistakes of the rows are told at once, those in values too %j', async (types, stdin, told, kept) => {
  const { world, server, env } = await startService()
  const { code, stderr } = await world.run([...update, ...types, '--unmatched', 'un.txt'], { env, stdin })
  expect([code, server.asked, stderr]).toEqual([2, [], expect.stringContaining(told)])
  expect(readFileSync(join(world.folder, 'un.txt'), 'utf8')).toBe(kept)
})

test('an integer that a double cannot hold keeps its digits, in a documented field too', async () => {
  const { world, server, env } = await startService()
  const stdin = 'id,primary_dashboard\n1,9007199254740993\n'
  await world.run(['projects', 'update', '--rows', '-', '--yes'], { env, stdin })
  expect(writesOf(server.asked).map(({ body }) => body)).toEqual(['{"primary_dashboard":9007199254740993}'])
})

test('--types may be repeated, and gives a key one type', async () => {
  const csv = 'id,properties.n,properties.vip\n7,1.0,true\n'
  expect(await sent(csv, '--types', 'n=number', '--types', 'vip=boolean,n=number')).toMatchObject({
    code: 0,
    bodies: [['7', '{"properties":{"n":1.0,"vip":true}}']],
  })
  for (const typed of [['n=number,n=text'], ['n=number', '--types', 'n=text']]) {
    expect(await sent(csv, '--types', ...typed)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('n has two types'),
      bodies: [],
    })
  }
})

test.each([
  ['numbers', 'n\n7,4\n8,\n9,-1.50e3', 'numbers', 'n=number'],
  ['true and false in any case', 'vip\n7,TRUE\n8,false\n9,True', 'true and false', 'vip=boolean'],
  ['lists and objects', 'l\n7,"[1]"\n8,"{""a"":1}"', 'lists and objects', 'l=json'],
  ['numbers and booleans', 'm\n7,4\n8,true', 'numbers, true and false', 'm=json'],
  ['a key with a comma and a blank', '"a, b"\n7,4', 'numbers', '"a, b=number"'],
])('a column of %s wants its type said, before any request', async (_, column, looks, option) => {
  const [heading, ...rest] = column.split('\n')
  const name = heading?.replaceAll('"', '')
  const csv = `id,"properties.${name}"\n${rest.join('\n')}\n`
  const { code, stderr, bodies } = await sent(csv)
  expect([code, bodies]).toEqual([2, []])
  expect(stderr).toContain(`properties.${name} holds only ${looks}, which would be sent as text.\n`)
  expect(stderr).toContain(`Say what they are: --types ${option} or, for text, --types text.\n`)
  const pasted = option.replaceAll('"', '')
  expect((await sent(csv.replace('TRUE', 'true'), '--types', pasted)).code).toBe(0)
  expect(await sent(csv, '--types', 'text')).toMatchObject({ code: 0, stderr: expect.not.stringContaining('text') })
})

test('--types text fixes what the others leave, and the pasted option keeps what was given', async () => {
  const csv = 'id,properties.n,properties.vip,properties.zip\n7,4,true,04109\n'
  const { code, stderr } = await sent(csv, '--types', 'n=number')
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--types n=number,vip=boolean or, for text, --types n=number,text'),
  ])
  expect(await sent(csv, '--types', 'n=number,text')).toMatchObject({
    code: 0,
    bodies: [['7', '{"properties":{"n":4,"vip":"true","zip":"04109"}}']],
  })
})

test('a text among numbers makes a column of texts, which is said', async () => {
  const { code, stderr, bodies } = await sent('id,properties.a,properties.zip\n7,4,04109\n8,x,1e\n')
  expect([code, bodies]).toEqual([
    0,
    [
      ['7', '{"properties":{"a":"4","zip":"04109"}}'],
      ['8', '{"properties":{"a":"x","zip":"1e"}}'],
    ],
  ])
  expect(stderr).toContain('properties.a')
  expect(stderr).not.toContain('properties.zip')
})

test.each([
  [['a=int'], '"int" is no type', 'A type is one of number, boolean, json, text'],
  [['properties.a=int'], '"int" is no type', 'A type is one of'],
  [['a=text', '--types', 'number'], '"number" is not of the form KEY=TYPE', 'A type is one of'],
  [['properties.a=text'], 'no column properties.a', 'Write a=text'],
  [['b=text'], 'no column b', 'The columns are id, a'],
])('--types %j is refused: %s', async (types, said, hint) => {
  const { code, stderr, bodies } = await sent('id,properties.a\n7,x\n', '--types', ...types)
  expect([code, stderr, stderr, bodies]).toEqual([2, expect.stringContaining(said), expect.stringContaining(hint), []])
})

test('rows of NDJSON have types, so --types is refused', async () => {
  const typed = await sent('{"id":7,"properties":{"a":"4"}}\n', '--types', 'a=number')
  expect(typed).toMatchObject({ code: 2, stderr: expect.stringContaining('NDJSON'), bodies: [] })
})

test.each([
  ['an object twice', 'id,properties.a\n1,x\n1,y\n'],
  ['a column that cannot be set', 'id,properties.a,uuid\n1,x,y\n'],
  ['no id', 'mail,properties.a\na@example.com,x\n'],
  ['what is no id', 'id,properties.a\n../1,x\n'],
  ['a row too short', 'id,properties.a,properties.b\n1,x\n'],
  ['a list in place of an id', '{"id":[1],"properties":{"a":1}}\n'],
  ['two ids in one row', '{"id":1,"properties":{"a":1},"id":2}\n'],
  ['a property with two values', '{"id":1,"properties":{"a":1,"\\u0061":2}}\n'],
  ['two objects of properties', '{"id":1,"properties":{"a":1},"properties":{"b":2}}\n'],
  ['what is no object', '{"id":1,"properties":{"a":1}}\n[2]\n'],
  ['a number in place of an object', '{"id":1,"properties":{"a":1}}\n{"id":2,"properties":1.0}\n'],
  ['UTF-16', Buffer.from('\ufeffid,properties.a\n1,x\n', 'utf16le').toString('latin1')],
])('%s is refused, and nothing is sent', async (_, stdin) => {
  expect(await sent(stdin)).toMatchObject({ code: 2, bodies: [] })
})

test.each([
  [['--set', 'a=b']],
  [['--types', 'a=date']],
  [['--where', 'id>1']],
])('%j does not go with --rows', async more => {
  expect(await sent('id,properties.a\n1,x\n', ...more)).toMatchObject({ code: 2, bodies: [] })
})

test('rows of event definitions are found by name, and their answers are compared each with its own', async () => {
  const world = newWorld()
  const stdin = 'name,tags\norder placed,"[""a"",""b""]"\nsigned up,"[""c""]"\n'
  const argv = ['--sandbox', 'event-definitions', 'update', '--rows', '-', '--yes', '-o', 'ndjson']
  const { code, stdout } = await world.run(argv, { stdin })
  expect([code, stdout.match(/"updated"/g)?.length]).toEqual([0, 2])
  const { stdout: tags } = await world.run([
    '--sandbox',
    'event-definitions',
    'get',
    '--by-name',
    'signed up',
    '--fields',
    'tags',
    '-o',
    'json',
  ])
  expect(JSON.parse(tags)).toEqual({ tags: ['c'] })
})

test.each([
  ['NDJSON', '{"name":" signed up","tags":["c"]}\n'],
  ['CSV', 'name,tags\n" signed up","[""c""]"\n'],
])('a name with a blank is another name: %s', async (_, stdin) => {
  const argv = ['--sandbox', 'event-definitions', 'update', '--rows', '-', '--yes']
  const { code, stderr } = await newWorld().run(argv, { stdin })
  expect([code, stderr]).toEqual([3, expect.stringContaining('is called " signed up"')])
})

test.each([
  ['CRLF in a quoted cell', 'id,properties.n\n6,"a\r\nb"\n', 'a\r\nb'],
  ['LF in a quoted cell of a file with CRLF', 'id,properties.n\r\n6,"a\nb"\r\n', 'a\nb'],
  ['both, and CR', 'id,properties.n\r\n6,"\r\n\n\r\r\n"\n', '\r\n\n\r\r\n'],
  ['CR in a cell without quotes', 'id,properties.n\n6,a\rb\n', 'a\rb'],
  ['the line ends of old Macs', 'id,properties.n\r6,"a\r\nb"\r', 'a\r\nb'],
  ['those, and no quotes', 'id,properties.n\r6,a\r\r', 'a'],
  ['no end behind the last line', 'id,properties.n\r\n6,a\r', 'a'],
])('%s is read as it is', async (_, stdin, n) => {
  expect(await sent(stdin)).toMatchObject({ code: 0, bodies: [['6', JSON.stringify({ properties: { n } })]] })
})

test.each([
  ['id,properties.n\r\n6,"a\r\nb\r\nc"\r\n\r\nx,y\r\n', 6],
  ['id,properties.n\n6,"a\r\nb\r\nc"\n\nx,y\n', 6],
  ['id,properties.n\r\n6,"a\nb\nc"\r\n\r\n7,"y"x\r\n', 6],
  ['id,properties.n\r\n6,"a\r\nb\r\nc"\r\n\r\n7,"y\r\n"x\r\n', 7],
  ['id,properties.n\r6,a\rx,y\r', 3],
])('%j: the mistake is on line %i', async (stdin, line) => {
  expect(await sent(stdin)).toMatchObject({ code: 2, stderr: expect.stringContaining(`line ${line}:`), bodies: [] })
})

test('blanks at the edges of a cell count within quotes only, and those of a key too', async () => {
  expect(await sent('id, properties.a ,"properties.a ",properties.b\n7, x ," y ","\u00a0z"\n')).toMatchObject({
    code: 0,
    bodies: [['7', '{"properties":{"a":"x","a ":" y ","b":"\u00a0z"}}']],
  })
})

test('a job of rows that was stopped goes on with each value', async () => {
  let isDown = true
  const { world, server, env } = await startService(({ method, path, body }, response) => {
    const id = path.split('/').at(-2) ?? ''
    if (method === 'PATCH' && id !== '1' && isDown) return json(response, { detail: 'no' }, 400)
    json(response, method === 'PATCH' ? { ...personRow(Number(id)), ...JSON.parse(body) } : personRow(Number(id)))
  })
  const first = await world.run(update, { env, stdin: 'id,properties.n\n1,a\n2,b\n3,c\n' })
  expect(first.code).toBe(8)
  isDown = false
  const job = /jobs resume (\S+)/.exec(first.stderr)?.[1] ?? ''
  expect((await world.run(['jobs', 'resume', job], { env })).code).toBe(0)
  const last = writesOf(server.asked)
    .slice(-2)
    .map(({ body }) => body)
  expect(last.toSorted()).toEqual(['{"properties":{"n":"b"}}', '{"properties":{"n":"c"}}'])
})

test('rows by e-mail or distinct id are accounted for, and a row with only its key is passed over', async () => {
  const {
    world,
    run,
    sent: changes,
    receipt,
  } = await startService((asked, response) => {
    const { path, query, body } = asked
    if (asked.method !== 'GET') return json(response, { ...personRow(personId(path)), ...JSON.parse(body) })
    if (!isList(asked)) return json(response, personRow(personId(path)))
    const name = query.get('email')?.replace('@example.com', '') ?? query.get('distinct_id')
    const results = [1, 2].map(personRow).filter(({ id }) => `person-${id}` === name)
    json(response, { next: null, results })
  })
  const rows = {
    email: ['person-2@example.com', 'nobody@example.com', 'person-1@example.com'],
    distinct_id: ['person-2', 'nobody', 'person-1'],
  }
  for (const [key, [two, nobody, one]] of Object.entries(rows)) {
    writeFileSync(
      join(world.folder, 'rows'),
      [
        { [key]: two, 'properties.plan': 'pro' },
        { [key]: nobody, properties: { plan: 'x' } },
        { [key]: 'passed-over' },
        { [key]: one, properties: { plan: null } },
      ]
        .map(row => `${JSON.stringify(row)}\n`)
        .join(''),
    )
    const before = changes().length
    const { code, stderr } = await run('persons update --rows rows --receipt r.json --concurrency 1 --yes')
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('1 of 3 lines has no target\n  line 2 belongs to nobody'),
    ])
    const bodies = changes()
      .slice(before)
      .map(({ path, body }) => [personId(path), body])
    expect(bodies).toEqual([
      [2, '{"properties":{"plan":"pro"}}'],
      [1, '{"properties":{"plan":null}}'],
    ])
    expect(receipt().input).toMatchObject({ lines: 3, matched: 2, unmatched: [2] })
  }
})

test('two rows for one person are refused, by their distinct ids too', async () => {
  const {
    world,
    run,
    sent: changes,
  } = await startService((_, response) =>
    json(response, { next: null, results: [{ ...personRow(1), distinct_ids: ['a', 'b'] }] }),
  )
  writeFileSync(join(world.folder, 'rows'), 'distinct_id,properties.plan\na,pro\nb,free\n')
  const { code, stderr } = await run('persons update --rows rows --yes')
  expect([code, stderr, changes()]).toEqual([2, expect.stringContaining('line 3 names the person of line 2'), []])
})
