/** Lists of ids, emails and distinct ids in every form, and files that are not lists. */
import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { readIds, readNames } from '../../src/targets/read-names.ts'
import { contextWith, idsIn, list, namesIn } from './reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'analytics-source-'))

const emails = (text: string, column?: string) => namesIn('email', text, column)
const distinctIds = (text: string, column?: string) => namesIn('distinctId', text, column)

test.each([
  ['an id a line', '1\n2\n3\n', '1 2 3'],
  ['no line break after the last line', '1\n2', '1 2'],
  ['lines with CRLF, and blank ones', '1\r\n\r\n  2 \r\n', '1 2'],
  ['a byte order mark', '\ufeff1\n2\n', '1 2'],
  ['the same id twice', '7\n8\n7\n', '7 8'],
  [
    'the same UUID in capitals',
    'ABCDEF01-0000-0000-0000-000000000000\nabcdef01-0000-0000-0000-000000000000\n',
    'ABCDEF01-0000-0000-0000-000000000000',
  ],
  ['an id that no double can hold', '9007199254740993\n9007199254740992\n', '9007199254740993 9007199254740992'],
  ['NDJSON', '{"id":9007199254740993}\n{"name":"x","id":"12"}\n', '9007199254740993 12'],
  ['NDJSON with a byte order mark and blank lines', '\ufeff\n{"id":1}\r\n\r\n{"id":2}', '1 2'],
  ['JSON', '[\n{"id":9007199254740993},\n{"id":"12","properties":{"a":1}}\n]\n', '9007199254740993 12'],
  ['a JSON object over several lines', '{\n  "id": 12\n}\n', '12'],
  ['a JSON list of ids', '[1, "2"]', '1 2'],
  ['an empty JSON list', '[]\n', ''],
  ['CSV', 'id,name\n1,"Ada, Countess"\n"2","two\nlines"\n', '1 2'],
  ['CSV whose second column has the ids', 'name;id\r\nAda;1\r\nBob;12\r\n', '1 12'],
  ['CSV of one column', 'id\n1\n2\n', '1 2'],
  ['CSV with tabs, capitals and blanks', '\ufeffNo.\tID\r\n1\t 7 \r\n2\t8\r\n', '7 8'],
  ['rows of a spreadsheet that are empty', 'id;name\r\n1;x\r\n;\r\n\r\n2;y\r\n;\r\n', '1 2'],
  ['columns without a heading', 'id;;\r\n1;x;y\r\n2;;\r\n', '1 2'],
  ['nothing', '', ''],
  ['only a byte order mark', '\ufeff', ''],
  ['only blank lines', '\n\r\n \n', ''],
  ['a header and no rows', 'id,name\n', ''],
])('ids are read from %s', async (_, text, found) => {
  expect((await idsIn(text)).join(' ')).toBe(found)
  // A chunk may end anywhere.
  expect((await idsIn([...Buffer.from(text)].map(byte => Uint8Array.of(byte)))).join(' ')).toBe(found)
})

test.each([
  ['a quote that is not closed', 'id,name\n1,"Ada\n2,Bob\n'],
  ['a row with one cell too many', 'id,name\n1,Ada\n2,Bob,3\n'],
  ['a row without an id', 'id,name\n,Ada\n'],
  ['CSV with two columns of ids', 'id,ID,name\n1,2,Ada\n'],
  ['a list in place of an id', '{"id":[1]}\n'],
  ['no id', '{"id":null}\n'],
  ['JSON after plain ids', '1\n{"id":2}\n'],
  ...['../../2', '2,3', '# note', "'11'", '"1"', '+30', '[27]', '007', '0', '7.0', '1e3', '1.23E+15', '①'].map(
    (line): [string, string] => [`a line that is not an id (${line})`, `1\n${line}\n`],
  ),
])('a list of ids is refused: %s', async (_, text) => {
  await expect(idsIn(text)).rejects.toBeInstanceOf(UsageError)
})

test.each([
  ['1f8b0800', 'a gzip file'],
  ['504b0304', 'an Excel or zip file'],
  ['d0cf11e0a1b11ae1', 'an Excel file'],
])('a file that begins with %s is %s, not a list', async (hex, is) => {
  await expect(idsIn(Buffer.from(hex, 'hex'))).rejects.toThrow(`--from stdin is ${is}`)
})

test.each([
  '[1]\n[2]\n',
  '["a@example.com","x"]\n["b@example.com","y"]\n',
  '[]\n[]\n',
])('lines of JSON arrays are not a list: %j', async text => {
  for (const read of [idsIn, emails, distinctIds]) await expect(read(text)).rejects.toThrow('is not valid JSON')
})

test.each(['Email', 'EMAIL', 'E-Mail', 'e_mail'])('the JSON member %s is read as the email', async name => {
  expect(await emails(`{"${name}":"a@example.com"}\n`)).toEqual(['a@example.com'])
  expect(await emails(`[{"${name}":"a@example.com","x":1}]`)).toEqual(['a@example.com'])
  expect(await emails(`{"${name}":"a@example.com","email":"a@example.com"}\n`)).toEqual(['a@example.com'])
  await expect(emails(`{"${name}":"a@example.com","email":"b@example.com"}\n`)).rejects.toThrow('given twice')
})

test('a file is read from the working folder; a folder or a missing file is refused', async () => {
  writeFileSync(join(folder, 'ids.txt'), '1\n2\n')
  const { context } = contextWith([], { cwd: folder })
  expect((await readIds(context, 'persons', { ...list, file: 'ids.txt' })).input?.lines).toBe(2)
  for (const file of ['none.txt', '.']) {
    await expect(readIds(context, 'persons', { ...list, file })).rejects.toBeInstanceOf(UsageError)
  }
})

test('names are read from lines, JSON or a column with any usual heading', async () => {
  expect(await emails(' a@example.com \r\nb@example.com')).toEqual(['a@example.com', 'b@example.com'])
  expect(await emails('{"email":"a@example.com"}\n')).toEqual(['a@example.com'])
  expect(await emails('[{"id":1,"properties":{"email":"a@example.com"}}]')).toEqual(['a@example.com'])
  expect(await emails('\ufeffName;E-Mail\r\n"Ada; C.";a@example.com\r\n')).toEqual(['a@example.com'])
  expect(await emails('id,properties.email\n1,a@example.com\n')).toEqual(['a@example.com'])
  expect(await emails('properties.email,E_MAIL\nold@example.com,a@example.com\n')).toEqual(['a@example.com'])
  expect(await emails('id,Contact Address\n1,a@example.com\n', 'contact_address')).toEqual(['a@example.com'])
  expect(await distinctIds('{"distinct_id":"ada","id":1}\n')).toEqual(['ada'])
  expect(await distinctIds('E-Mail;Distinct ID\nx@example.com;ada\ny@example.com;" Bob"\n')).toEqual(['ada', ' Bob'])
})

test('any line can be a distinct id', async () => {
  const lines = ['ada,phone', 'a@example.com', '1.5E+10', '[object Object]', 'a@b@c', 'Ada (Acme)']
  expect(await distinctIds(lines.map(line => `${line}\n`).join(''))).toEqual(lines)
})

test.each([
  'E\u2011Mail',
  'e_mail',
  'E\u00a0Mail',
  ' EMAIL ',
  '"E-MAIL"',
])('the CSV column %j is read as emails', async heading => {
  expect(await emails(`${heading};Name\r\nada@example.com;Ada\r\n`)).toEqual(['ada@example.com'])
})

const odd = [
  '"a@b"@example.com',
  'Ada <ada@example.com>',
  'mailto:a@b.c',
  'a@b.c (x)',
  'a@b.c, d@e.f',
  ' a\nb ',
  '\u00a0a',
]

test('cells and JSON texts are kept as they are', async () => {
  expect(await emails(odd.map(email => `${JSON.stringify({ email })}\n`).join(''))).toEqual(odd)
  expect(await emails(JSON.stringify(odd.map(email => ({ email }))))).toEqual(odd)
  const cells = odd.map(name => `"${name.replaceAll('"', '""')}",x\n`)
  expect(await emails(['email,n\n', ...cells].join(''))).toEqual(odd)
  expect(await emails('email;n\n a@b.c ;x\n')).toEqual([' a@b.c '])
})

test.each([
  'mailto:ada@example.com',
  'MAILTO:ada',
  'Ada <ada@example.com>',
  '"ada@example.com"',
  'a\u0007b',
  'a\rb',
])('the plain line %j is not a name', async line => {
  for (const read of [emails, distinctIds])
    await expect(read(`x@example.com\n${line}\n`)).rejects.toThrow(/line 2 holds /)
})

test.each([
  ['email,n\n ,x\n', 'line 2 has no email'],
  ['id,E-Mail\n1,\n', 'line 2 has no email'],
  ['{"mail":"a@b.c"}\n', 'line 1 has no email'],
  ['{"email":"a\\u0000"}\n', 'line 1 holds a NUL character'],
  [
    'Email Address,Name\nada@example.com,Ada\n',
    'has no column email or properties.email or properties; it has Email Address, Name',
  ],
  ['ada@example.com;Ada\n', 'has no column email or properties.email or properties; it has …, Ada'],
])('a list of emails is refused: %j', async (text, message) => {
  await expect(emails(text)).rejects.toThrow(message)
})

test('an error about a missing CSV column names the existing ones', async () => {
  await expect(distinctIds('user id;Name\nada;Ada\n')).rejects.toThrow(
    'has no column distinct_id; it has user id, Name',
  )
  await expect(distinctIds('user\nada\n', 'usr')).rejects.toThrow('has no column usr; it has user')
  await expect(idsIn('uuid,name\n1,Ada\n')).rejects.toThrow('--from stdin has no column id; it has uuid, name')
})

test.each([
  ['id,plugin_type,config_schema\n1,local,{}\n', 'plugin_type and config_schema, which are fields of plugins'],
  ['{"id":1,"tags":[],"post_to_slack":false}\n', 'tags and post_to_slack, which are fields of event definitions'],
])('rows of another resource are refused: %j', async (text, message) => {
  await expect(idsIn(text)).rejects.toThrow(message)
})

const bad = ['1', ...Array.from({ length: 14 }, (_, i) => `a${i}`)].map(line => `${line}\n`).join('')

test.each([
  [false, 'line 2 is not the id of a person; correct lines 3, 4, 5, 6, 7, 8, 9, 10, 11 and 4 more too'],
  [true, 'line 2 ("a0") is not the id of a person; correct lines 3 ("a1"), 4 ("a2"), 5 ("a3"), 6'],
])('a message names ten of many mistakes, with their text at a terminal (%s)', async (isTerminal, message) => {
  const { context } = contextWith([bad], { isTerminal, cwd: folder })
  await expect(readIds(context, 'persons', { ...list, unmatched: 'bad' })).rejects.toThrow(message)
})

test('lines keep their numbers, duplicates are reported, and the bytes have a digest', async () => {
  const text = '\n7\n\n8\n7\n'
  const { context, printed } = contextWith([text])
  expect(await readNames(context, 'distinctId', list)).toMatchObject({
    lines: [
      { text: '7', line: 2 },
      { text: '8', line: 4 },
      { text: '7', line: 5 },
    ],
    sha256: createHash('sha256').update(text).digest('hex'),
  })
  expect(printed).toEqual(['--distinct-ids-from stdin: 1 duplicate line is ignored'])
})

test.each([
  ['7\n8', 'the last line has no line break, so the list may be incomplete'],
  ['id,n\n7,x\n8,y', 'the last line has no line break, so the list may be incomplete'],
  ['7\n8\n', undefined],
  ['[{"id":7}]', undefined],
])('a warning says that a pipe without a final line break may be incomplete: %j', async (text, message) => {
  const { context, printed } = contextWith([text])
  await readIds(context, 'persons', list)
  expect(printed).toEqual(message === undefined ? [] : [`--from stdin: ${message}`])
})

test('a file may end without a line break; reading from a terminal is reported', async () => {
  writeFileSync(join(folder, 'open.txt'), '7\n8')
  const { context, printed } = contextWith(['7\n'], { cwd: folder, isTerminal: true })
  await readIds(context, 'persons', { ...list, file: 'open.txt' })
  expect(printed).toEqual([])
  await readIds(context, 'persons', list)
  expect(printed).toEqual(['--from: reading from the terminal, until Ctrl-D (Windows: Ctrl-Z and Enter)'])
})
