/** Files as Excel and LibreOffice write them, for each option that reads targets from a file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, personRow } from '../server.ts'
import { accepting, startService, writesOf } from '../service.ts'

/** The same rows in each way of writing them; the cells of the second row hold what needs quotes. */
const sheets: Readonly<Record<string, (rows: readonly (readonly string[])[]) => string | Uint8Array>> = {
  'Excel, CSV UTF-8': rows => `\ufeff${lines(rows, ',', '\r\n')}`,
  'Excel in a country of decimal commas': rows => `\ufeff${lines(rows, ';', '\r\n')}`,
  'a line that names the separator': rows => `sep=;\r\n${lines(rows, ';', '\r\n')}`,
  'a mark and that line': rows => `\ufeffsep=;\r\n${lines(rows, ';', '\r\n')}`,
  'LibreOffice, all text in quotes': rows => lines(rows, ',', '\n', true),
  'a line that names a separator of its own': rows => `sep=|\r\n${lines(rows, '|', '\r\n', true)}`,
  'LibreOffice with tabs': rows => lines(rows, '\t', '\n'),
  'headings in capitals': ([head = [], ...rest]) =>
    lines([head.map(one => one.replace(/^[\w-]+/, word => word.toUpperCase())), ...rest], ';', '\r\n'),
  'empty columns at the end': rows =>
    lines(
      rows.map(row => [...row, '', '']),
      ';',
      '\r\n',
    ),
  'empty columns that rows leave out': rows => lines([[...(rows[0] ?? []), '', ''], ...rows.slice(1)], ';', '\r\n'),
  'empty rows at the end': rows => `${lines(rows, ';', '\r\n')};\r\n\r\n;\r\n`,
  'no end of line behind the last row': rows => lines(rows, ',', '\r\n').trimEnd(),
}

function lines(rows: readonly (readonly string[])[], separator: string, end: string, quoted = false): string {
  const cell = (text: string) => (quoted || /[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return rows.map(row => row.map(cell).join(separator) + end).join('')
}

const note = 'two\nlines; a "quote", a\ttab'

/** Answers each look-up with one person who has that name. */
async function lookUp() {
  const here = await startService((asked, response) => {
    const [email, distinct] = [asked.query.get('email'), asked.query.get('distinct_id')]
    if (!asked.path.endsWith('/persons/')) return accepting(asked, response)
    const person = { ...personRow(7), distinct_ids: [distinct ?? 'x'], properties: { email: email ?? 'x' } }
    json(response, { next: null, results: [person] })
  })
  const asked = () =>
    here.server.asked.flatMap(({ query }) => query.get('email') ?? query.get('distinct_id') ?? []).toSorted()
  return { ...here, asked }
}

const write = (folder: string, bytes: string | Uint8Array) => writeFileSync(join(folder, 'sheet.csv'), bytes)

test.each(Object.entries(sheets))('%s: ids, e-mails and distinct ids', async (_, sheet) => {
  const { world, env, asked } = await lookUp()
  const run = async (option: string) =>
    world.run(['persons', 'delete', option, 'sheet.csv', '--dry-run', '-o', 'ndjson'], { env })
  write(
    world.folder,
    sheet([
      ['Remark', 'id'],
      ['x', '7'],
      [note, '8'],
    ]),
  )
  const ids = (await run('--from')).stdout.match(/persons\/\d+/g)
  expect(ids).toEqual(['persons/7', 'persons/8'])
  write(
    world.folder,
    sheet([
      ['E-Mail', 'Remark'],
      ['ada@example.com', 'x'],
      ['bob@example.com', note],
    ]),
  )
  expect((await run('--emails-from')).code).toBe(0)
  expect(asked().splice(0)).toEqual(['ada@example.com', 'bob@example.com'])
  write(
    world.folder,
    sheet([
      ['Distinct ID', 'Remark'],
      ['device;1', 'x'],
      ['Device "2"', note],
    ]),
  )
  expect((await run('--distinct-ids-from')).code).toBe(0)
  expect(asked()).toEqual(['Device "2"', 'ada@example.com', 'bob@example.com', 'device;1'])
})

test.each(Object.entries(sheets))('%s: rows', async (_, sheet) => {
  const { world, server, env } = await startService()
  write(
    world.folder,
    sheet([
      ['id', 'properties.Note', 'properties.n'],
      ['7', note, '1.50'],
      ['8', '', '-2'],
    ]),
  )
  const argv = ['persons', 'update', '--rows', 'sheet.csv', '--types', 'n=number', '--yes', '--concurrency', '1']
  const { code, stderr } = await world.run(argv, { env })
  expect([code, stderr]).toEqual([0, expect.anything()])
  expect(writesOf(server.asked).map(({ body }) => body)).toEqual([
    `{"properties":{"Note":${JSON.stringify(note)},"n":1.50}}`,
    '{"properties":{"n":-2}}',
  ])
})

test('documented fields are headings in any spelling, and TRUE is true', async () => {
  const { world, server, env } = await startService()
  write(world.folder, 'ID;Post to Slack;TAGS\r\n5;TRUE;"[""a""]"\r\n6;false;\r\n')
  const argv = ['event-definitions', 'update', '--rows', 'sheet.csv', '--yes', '--concurrency', '1']
  expect((await world.run(argv, { env })).code).toBe(0)
  const bodies = writesOf(server.asked).map(({ body }) => body)
  expect(bodies).toEqual(['{"post_to_slack":true,"tags":["a"]}', '{"post_to_slack":false}'])
})

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const latin = (text: string) => Buffer.from(text, 'latin1')

test.each<[why: string, sheet: string | Uint8Array, said: string, types?: string]>([
  ['Unicode text of Excel', utf16('id\tproperties.a\r\n7\tx\r\n'), 'UTF-16'],
  ['UTF-16, big end first', utf16('id\tproperties.a\r\n').swap16(), 'UTF-16'],
  ['the plain CSV of Excel', latin('id;properties.a\r\n7;Müller\r\n'), 'UTF-8'],
  ['a decimal comma', 'id;properties.n\r\n7;12,50\r\n', 'is not a number', 'n=number'],
  ['blanks between thousands', 'id;properties.n\r\n7;1 200\r\n', 'is not a number', 'n=number'],
  ['a type of no column', 'id;properties.n\r\n7;12\r\n', 'no column m', 'm=number'],
  [
    'a type of a column as it is headed',
    'id;properties.n\r\n7;12\r\n',
    'no column properties.n',
    'properties.n=number',
  ],
  ['007 as a number', 'id;properties.n\r\n7;007\r\n', 'is not a number', 'n=number'],
  ['an index of pandas', ',id,properties.a\n0,7,x\n', 'without a heading'],
  ['ids that pandas made decimal numbers of', 'id,properties.a\n7.0,x\n', 'without .0'],
  ['a formula that failed, with all as text', 'id;properties.a\r\n7;#REF!\r\n', 'formula', 'text'],
  ['True of pandas', 'id,properties.vip\n7,True\n8,\n', '--types vip=boolean'],
  ['a formula that failed', 'id;properties.a\r\n7;#N/A\r\n', 'formula'],
  ['an id that was rounded', 'id;properties.a\r\n9,00719925E+15;x\r\n', 'rounded'],
  ['a value under no heading', 'id;properties.a;\r\n7;x;y\r\n', 'without a heading'],
  ['a row too short', 'id;properties.a;properties.b\r\n7;x\r\n', 'more or fewer cells'],
  ['a row too long', 'id;properties.a\r\n7;x;y\r\n', 'more or fewer cells'],
  ['the same heading twice', 'ID;properties.a;id\r\n7;x;8\r\n', 'two columns id'],
  ['the same property twice', 'id;properties.a;Properties.a\r\n7;x;y\r\n', 'two columns properties.a'],
  ['a member of every object', 'id;constructor\r\n7;x\r\n', 'cannot be set'],
  ['one property twice in NDJSON', '{"id":7,"properties":{"a":1},"properties.a":2}\n', 'given twice'],
])('rows with %s are refused, and nothing is sent', async (_, sheet, said, types) => {
  const { world, server, env } = await startService()
  write(world.folder, sheet)
  const typed = types === undefined ? [] : ['--types', types]
  const { code, stderr } = await world.run(['persons', 'update', '--rows', 'sheet.csv', '--yes', ...typed], { env })
  expect([code, stderr, server.asked.length]).toEqual([2, expect.stringContaining(said), 0])
})

test.each<[why: string, sheet: string | Uint8Array, said: string]>([
  ['UTF-16', utf16('E-Mail\r\nada@example.com\r\n'), 'UTF-16'],
  ['no UTF-8', latin('E-Mail;Name\r\nada@example.com;Müller\r\n'), 'UTF-8'],
  ['the line ends of old Macs', 'E-Mail\rada@example.com\r', 'control character'],
  ['two columns of e-mails', 'E-Mail;Email\r\nada@example.com;bob@example.com\r\n', 'two columns'],
  ['a formula that failed', 'E-Mail;Name\r\n#N/A;x\r\n', 'formula'],
  ['an object without its name', '[object Object]\n', 'line 1 is not one plain e-mail'],
  ['a quote that is never closed', 'E-Mail;Name\r\nada@example.com;"Ada\r\n', 'quote'],
])('e-mails with %s are refused, and nothing is sent', async (_, sheet, said) => {
  const { world, server, env } = await startService()
  write(world.folder, sheet)
  const { code, stderr } = await world.run(['persons', 'delete', '--emails-from', 'sheet.csv', '--yes'], { env })
  expect([code, stderr, server.asked.length]).toEqual([2, expect.stringContaining(said), 0])
})

test.each([
  'E\u2011Mail',
  'e_mail',
  'E\u00a0Mail',
  ' EMAIL ',
  '"E-MAIL"',
])('%j is a column of e-mails', async heading => {
  const { world, env, asked } = await lookUp()
  write(world.folder, `${heading};Name\r\nada@example.com;Ada\r\n`)
  expect((await world.run(['persons', 'delete', '--emails-from', 'sheet.csv', '--dry-run'], { env })).code).toBe(0)
  expect(asked()).toEqual(['ada@example.com'])
})

test('a column that is named and not there is refused: its lines would be taken for names', async () => {
  const { world, server, env } = await startService()
  write(world.folder, 'user\r\nada\r\n')
  for (const option of ['--emails-from', '--distinct-ids-from']) {
    const argv = ['persons', 'delete', option, 'sheet.csv', '--column', 'usr', '--yes']
    const { code, stderr } = await world.run(argv, { env })
    expect([code, stderr, server.asked.length]).toEqual([2, expect.stringContaining('no column usr'), 0])
  }
})

test.each([
  ['e-mails', 'ada@example.com\nbob@example.com\n', '--emails-from'],
  ['a column of e-mails', 'E-Mail;Name\r\nada@example.com;Ada\r\n', '--emails-from'],
  ['NDJSON with e-mails', '{"email":"ada@example.com"}\n', '--emails-from'],
  ['a column of distinct ids', 'Distinct ID,Name\nada,Ada\n', '--distinct-ids-from'],
  ['an object without its name', '[object Object]\n', '"[object Object]" is not the id'],
  ['a rounded id', 'id\n1.23E+18\n', 'rounded'],
])('--from of %s is refused, and says what to do', async (_, list, said) => {
  const { world, server, env } = await startService()
  const { code, stderr } = await world.run(['persons', 'delete', '--from', '-', '--yes'], { env, stdin: list })
  expect([code, stderr, server.asked.length]).toEqual([2, expect.stringContaining(said), 0])
})

test('distinct ids that a spreadsheet has rounded are refused', async () => {
  const { world, server, env } = await startService()
  const argv = ['persons', 'delete', '--distinct-ids-from', '-', '--yes']
  const { code, stderr } = await world.run(argv, { env, stdin: 'Distinct ID,n\n1.23457E+18,1\n' })
  expect([code, stderr, server.asked.length]).toEqual([2, expect.stringContaining('rounded'), 0])
})
