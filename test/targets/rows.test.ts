/** `--rows`: values for each object, as spreadsheets and exports write them. */
import { expect, test } from 'vitest'
import { isList, json, personId, personRow } from '../server.ts'
import { accepting, startService } from '../service.ts'

async function sent(stdin: string | Uint8Array, ...more: string[]) {
  const { world, env, sent: writes } = await startService()
  const argv = ['persons', 'update', '--rows', '-', '--yes', '--concurrency', '1', ...more]
  const { code, stderr } = await world.run(argv, { env, stdin })
  return { code, stderr, bodies: writes().map(({ path, body }) => `${personId(path)} ${body}`) }
}

const plans = ['1 {"properties":{"plan":"pro"}}', '2 {"properties":{"plan":"free"}}']

test.each([
  ['CSV', 'id,properties.plan\n1,pro\n2,free\n'],
  ['a European spreadsheet', '\ufeffID;Properties.plan\r\n"1";pro\r\n 2 ;"free"\r\n;\r\n'],
  ['tabs, and columns that cannot be set', 'uuid\tid\tproperties.plan\tname\nx\t1\tpro\tA\ny\t2\tfree\tB\n'],
  ['its own CSV', 'id,name,properties\n1,Ada,"{""plan"":""pro""}"\n2,Bob,"{""plan"":""free""}"\n'],
  ['JSON', '[{"id":1,"name":"Ada","properties":{"plan":"pro"}},{"id":"2","properties.plan":"free"}]'],
  ['NDJSON', '{"id":1,"properties":{"plan":"pro"}}\n\n{"id":"2","uuid":"x","properties":{"plan":"free"}}\n'],
  ['rows that set nothing', 'id,properties.plan\n1,pro\n2,free\n3,\n'],
  ['headings that every object inherits', 'id,properties.plan,constructor,__proto__\n1,pro,x,y\n2,free,x,y\n'],
])('each object gets its own values from %s', async (_, stdin) => {
  expect(await sent(stdin)).toMatchObject({ code: 0, bodies: plans })
})

test('an empty cell does not change the field, and --types sets types', async () => {
  const csv =
    'id,properties.n,properties.vip,properties.list,properties.t\n7,9007199254740993,TRUE,"[1,1.0]",5\n8,,,,\n9,,false,,\n'
  expect(await sent(csv, '--types', 'n=number,vip=boolean', '--types', 'list=json,t=text')).toMatchObject({
    bodies: [
      '7 {"properties":{"n":9007199254740993,"vip":true,"list":[1,1.0],"t":"5"}}',
      '9 {"properties":{"vip":false}}',
    ],
  })
})

test.each([
  ['n\n7,4\n8,\n9,-1.50e3', 'n looks like a number', 'n=number'],
  ['vip\n7,TRUE\n8,false\n9,True', 'vip looks like a boolean', 'vip=boolean'],
  ['"a b"\n7,4', 'a b looks like a number', '"a b=number"'],
])('an untyped column of numbers or booleans is refused before any request: %j', async (rest, looks, type) => {
  const csv = `id,properties.${rest}\n`.replace('properties."', '"properties.')
  const { code, stderr, bodies } = await sent(csv)
  expect([code, bodies]).toEqual([2, []])
  expect(stderr).toContain(`--rows stdin: ${looks} in every row, but would be sent as text.\n`)
  const text = type.replace(/=\w+/, '=text')
  expect(stderr).toContain(`Give --types ${type} or, for text, --types ${text}.\n`)
  for (const pasted of [type, text]) expect((await sent(csv, '--types', pasted.replaceAll('"', ''))).code).toBe(0)
})

test('a column with one text cell is text, and so are post codes', async () => {
  expect(await sent('id,properties.a,properties.zip\n7,4,04109\n8,x,1e\n')).toMatchObject({
    code: 0,
    bodies: ['7 {"properties":{"a":"4","zip":"04109"}}', '8 {"properties":{"a":"x","zip":"1e"}}'],
  })
})

const utf16 = Buffer.from('\ufeffid\tproperties.a\r\n7\tx\r\n', 'utf16le')

test.each<[why: string, stdin: string | Uint8Array, says: string, types?: string]>([
  ['an object twice', 'id,properties.a\n1,x\n1,y\n', 'line 3 names the same object as line 2'],
  [
    'a UUID twice',
    'id,properties.a\nABCDEF01-0000-0000-0000-000000000000,x\nabcdef01-0000-0000-0000-000000000000,y\n',
    'line 3 names the same',
  ],
  ['no column that names objects', 'mail,properties.a\na@example.com,x\n', 'has no column id or email or distinct_id'],
  ['a text that is not an id', 'id,properties.a\n../1,x\n', 'line 2 is not the id of a person'],
  ['a row without a name', 'email,properties.a\na@b.c,x\n,y\n', 'line 3 has no email'],
  ['a row too short', 'id,properties.a,properties.b\n1,x\n', 'more or fewer cells'],
  ['a row too long', 'id,properties.a\n1,x,y\n', 'near line 2: a row has more or fewer cells'],
  ['a quote that is not closed', 'id,properties.a\n1,"x\n', 'near line 2: a quote is out of place'],
  ['the same heading twice', 'ID;properties.a;id\r\n7;x;8\r\n', 'two columns id'],
  ['the same property twice', 'id;properties.a;Properties.a\r\n7;x;y\r\n', 'two columns properties.a'],
  ['one property twice', '{"id":7,"properties":{"a":1},"properties.a":2}\n{}\n', 'gives properties.a twice'],
  ['a list in place of an id', '{"id":[1],"properties":{"a":1}}\n', 'line 1 has no id'],
  ['two ids in one row', '{"id":1,"properties":{"a":1},"id":2}\n', 'given twice'],
  ['a property with two values', '{"id":1,"properties":{"a":1,"\\u0061":2}}\n', 'given twice'],
  ['a number in place of an object', '{"id":1,"properties":{"a":1}}\n2\n', 'line 2'],
  ['a line that is not JSON', '{"id":1,"properties":{"a":1}}\n{"id":2\n', 'line 2 is not JSON'],
  ['properties that are not an object', '{"id":1,"properties":1.0}\n', 'properties is not an object'],
  ['fields of plugins', 'id,plugin_type,config_schema\n1,x,y\n', 'which are fields of plugins, not of persons'],
  ['fields of projects', 'email,timezone,api_token\na@b.c,x,y\n', 'which are fields of projects, not of persons'],
  ['UTF-16', utf16, 'is not UTF-8'],
  ['bytes that are not UTF-8', Buffer.from('id;properties.a\r\n7;Müller\r\n', 'latin1'), 'is not UTF-8'],
  ['a decimal comma', 'id;properties.n\n7;12,50\n', 'line 2: properties.n is not a number', 'n=number'],
  ['007 as a number', 'id,properties.n\n7,007\n', 'line 2: properties.n is not a number', 'n=number'],
  ['yes as a boolean', 'id,properties.n\n7,yes\n', 'line 2: properties.n', 'n=boolean'],
  ['a cell that is not JSON', 'id,properties.n\n7,{a\n', 'line 2: properties.n is not JSON', 'n=json'],
  ['a type of no column', 'id,properties.n\n7,12\n', 'no column m', 'm=number'],
  ['a type that does not exist', 'id,properties.n\n7,12\n', 'is not KEY=TYPE', 'n=int'],
  ['a type of a column that cannot be set', 'id,n,properties.a\n7,1,x\n', 'no column n that can be set', 'n=number'],
  ['no column that can be set', 'email,plan\na@b.c,pro\n', 'has no column that can be set; it has email, plan'],
  ['no member that can be set', '[{"id":1,"name":"Ada"}]', 'has no column that can be set; it has id, name'],
  ['a type of JSON', '{"id":7,"properties":{"a":"4"}}\n', 'no column a', 'a=number'],
])('rows with %s are refused, and nothing is sent', async (_, stdin, says, types) => {
  const typed = types === undefined ? [] : ['--types', types]
  expect(await sent(stdin, ...typed)).toMatchObject({ code: 2, stderr: expect.stringContaining(says), bodies: [] })
})

test.each([
  [['--set', 'a=b']],
  [['--body', '{}']],
  [['--properties', '{"a":1}']],
  [['--where', 'id>1']],
  [['--column', 'x']],
])('%j cannot be combined with --rows', async more => {
  expect(await sent('id,properties.a\n1,x\n', ...more)).toMatchObject({ code: 2, bodies: [] })
})

test('columns that cannot be set are skipped, and reported once', async () => {
  const { code, stderr } = await sent('id,name,properties.a,plan\n1,A,x,pro\n2,B,y,pro\n')
  expect([code, stderr.match(/skipped/g)]).toEqual([0, ['skipped']])
  expect(stderr).toContain(
    'skipped columns that cannot be set: name, plan. Name the column of a property properties.KEY.',
  )
})

test.each(['id', 'name'])('rows of event definitions by %s have documented types', async by => {
  const { world, env, sent } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    json(response, { next: null, results: [5, 6].map(id => ({ id, name: `event ${id}` })) })
  })
  const [five, six] = by === 'id' ? ['5', '6'] : ['event 5', 'event 6']
  const stdin = `${by};post_to_slack;tags;created_by\r\n${five};TRUE;"[""a"",""b""]";x\r\n${six};false;;\r\n`
  const argv = ['event-definitions', 'update', '--rows', '-', '--yes', '--concurrency', '1']
  const { code, stderr } = await world.run(argv, { env, stdin })
  expect([code, stderr]).toEqual([0, expect.stringContaining('skipped columns that cannot be set: created_by')])
  expect(sent().map(({ path, body }) => `${path.split('/').at(-2)} ${body}`)).toEqual([
    '5 {"post_to_slack":true,"tags":["a","b"]}',
    '6 {"post_to_slack":false}',
  ])
})

test.each([
  '{"name":" event 5","tags":["c"]}\n',
  'name,tags\n" event 5","[""c""]"\n',
  'name,tags\nEvent 5,"[""c""]"\n',
  'name,tags\nevent\u00a05,"[""c""]"\n',
])('the name of an event definition is compared exactly: %j', async stdin => {
  const { run, sent } = await startService((_, response) =>
    json(response, { next: null, results: [{ id: 5, name: 'event 5' }] }),
  )
  expect((await run('event-definitions update --rows - --yes', { stdin })).code).toBe(3)
  expect(sent()).toEqual([])
})

test.each([
  ['CRLF in a quoted cell', 'id,properties.n\n6,"a\r\nb"\n', 'a\r\nb'],
  ['LF in a quoted cell of a file with CRLF', 'id,properties.n\r\n6,"a\nb"\r\n', 'a\nb'],
  ['CR in a cell', 'id,properties.n\n6,a\rb\n', 'a\rb'],
  ['blanks', 'id,properties.n\n6, x \n', ' x '],
  ['a no-break space', 'id,properties.n\n6,"\u00a0x"\n', '\u00a0x'],
  ['a cell that looks like a formula', 'id,properties.n\n6,=1+1\n', '=1+1'],
])('a cell is kept as it is: %s', async (_, stdin, n) => {
  expect(await sent(stdin)).toMatchObject({ code: 0, bodies: [`6 ${JSON.stringify({ properties: { n } })}`] })
})

test('the id of a JSON row may be in capitals; properties keep their case', async () => {
  const stdin = '{"ID":1,"properties":{"Email":"x"}}\n'
  expect(await sent(stdin)).toMatchObject({ code: 0, bodies: ['1 {"properties":{"Email":"x"}}'] })
})

test('rows that set nothing send nothing', async () => {
  for (const stdin of ['id,properties.a\n1,\n', '[{"id":1,"properties":{}}]', 'id,name\n', '[]']) {
    expect(await sent(stdin)).toMatchObject({ code: 0, bodies: [] })
  }
})

test.each([
  ['"checkout, kpi"', '["checkout","kpi"]'],
  ['checkout', '["checkout"]'],
  ['"[""a"",""b, c""]"', '["a","b, c"]'],
])('the cell %s is a list of tags', async (cell, tags) => {
  const { run, sent } = await startService()
  expect((await run('event-definitions update --rows - --yes', { stdin: `id,tags\n5,${cell}\n` })).code).toBe(0)
  expect(sent().map(({ body }) => body)).toEqual([`{"tags":${tags}}`])
})

test.each(['"[a"', '"{""a"":1}"', '"a,,b"'])('the cell %s is not a list of tags', async cell => {
  const { run, sent } = await startService()
  expect((await run('event-definitions update --rows - --yes', { stdin: `id,tags\n5,${cell}\n` })).code).toBe(2)
  expect(sent()).toEqual([])
})

test('a resumed job of rows sends the values of each row', async () => {
  let isDown = true
  const { run, sent } = await startService((asked, response) => {
    if (asked.method === 'PATCH' && !asked.path.endsWith('/1/') && isDown) return json(response, { detail: 'no' }, 400)
    accepting(asked, response)
  })
  const stdin = 'id,properties.n\n1,a\n2,b\n3,c\n'
  expect((await run('persons update --rows - --yes', { stdin })).code).toBe(8)
  isDown = false
  expect((await run('jobs resume --last')).code).toBe(0)
  const last = sent().slice(-2)
  expect(last.map(({ body }) => body).toSorted()).toEqual(['{"properties":{"n":"b"}}', '{"properties":{"n":"c"}}'])
})

test.each(['email', 'properties.email', 'distinct_id'])('rows by %s are counted in the receipt', async key => {
  const { run, sent, receipt } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const { email, distinct_id: id } = Object.fromEntries(asked.query)
    const isAsked = (row: Record<string, unknown>) =>
      [email, id].includes(`person-${row.id}${email ? '@example.com' : ''}`)
    json(response, { next: null, results: [1, 2].map(personRow).filter(isAsked) })
  })
  const nameOf = (who: string) => (key === 'distinct_id' ? who : `${who}@example.com`)
  const rows = ['person-2', 'nobody', 'person-1', 'sets-nothing'].map((who, i) => ({
    [key]: nameOf(who),
    properties: i === 3 ? {} : { n: i },
  }))
  const stdin = JSON.stringify(rows)
  const { code, stderr } = await run('persons update --rows - --receipt r.json --concurrency 1 --yes', { stdin })
  expect([code, stderr]).toEqual([0, expect.stringContaining('item 2: no match')])
  const bodies = sent().map(({ path, body }) => `${personId(path)} ${body}`)
  expect(bodies).toEqual(['2 {"properties":{"n":0}}', '1 {"properties":{"n":2}}'])
  expect(receipt().input).toMatchObject({ lines: 3, matched: 2, unmatched: [2] })
})

test('rows by id can change the email', async () => {
  expect(await sent('id,properties.email\n1,new@example.com\n')).toMatchObject({
    code: 0,
    bodies: ['1 {"properties":{"email":"new@example.com"}}'],
  })
})
