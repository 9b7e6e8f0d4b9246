import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { inputChunks } from '../../src/files/read-input.ts'
import type { Host } from '../../src/host.ts'
import type { ListKind } from '../../src/targets/given-name.ts'
import { readIds, readNames } from '../../src/targets/read-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'analytics-source-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const distinctIdsFrom = { option: '--distinct-ids-from', column: 'distinct_id' } as const
const fromIds = { option: '--from', column: 'id', ids: 'persons' } as const

const idsIn = async (host: Host, file: string) => [...(await readIds(host, file, fromIds)).targets]
const namesIn = async (host: Host, file: string, kind: ListKind) =>
  (await readNames(host, file, kind)).names.map(({ text }) => text)

/** Only what reading a file takes of a host; stdin comes in the chunks given. */
function hostWith(chunks: readonly (string | Uint8Array)[] = []): Host {
  const read = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  return { cwd: folder, stdin: { isTerminal: false, read, ask: async () => undefined } } as unknown as Host
}

const ids = (text: string | Uint8Array) => idsIn(hostWith([text]), '-')
const distinctIds = (text: string) => namesIn(hostWith([text]), '-', distinctIdsFrom)

test.each([
  ['an id a line', '1\n2\n3\n', ['1', '2', '3']],
  ['no end of line behind the last', '1\n2', ['1', '2']],
  ['lines of Windows, and blank ones', '1\r\n\r\n  2 \r\n', ['1', '2']],
  ['a byte order mark', '\ufeff1\n2\n', ['1', '2']],
  ['the same id twice', '7\n8\n7\n', ['7', '8']],
  [
    'the same UUID in capitals',
    'ABCDEF01-0000-0000-0000-000000000000\nabcdef01-0000-0000-0000-000000000000\n',
    ['ABCDEF01-0000-0000-0000-000000000000'],
  ],
  ['an id that no double can hold', '9007199254740993\n9007199254740992\n', ['9007199254740993', '9007199254740992']],
  ['UUIDs', '01857bbf-0000-0000-0000-000000000000\n', ['01857bbf-0000-0000-0000-000000000000']],
  ['NDJSON', '{"id":9007199254740993}\n{"name":"x","id":"12"}\n', ['9007199254740993', '12']],
  ['NDJSON with a byte order mark and blank lines', '\ufeff\n{"id":1}\r\n\r\n{"id":2}', ['1', '2']],
  ['CSV', 'id,name\n1,"Ada, Countess"\n"2","two\nlines"\n', ['1', '2']],
  ['CSV whose column stands elsewhere', 'name;id\r\nAda;1\r\nBob;12\r\n', ['1', '12']],
  ['CSV of one column', 'id\n1\n2\n', ['1', '2']],
  [
    'CSV of a spreadsheet in Europe, with a heading in capitals',
    '\ufeffNo.;ID;Name\r\n1; 7 ;x\r\n2;8;y\r\n',
    ['7', '8'],
  ],
  ['CSV of one column with a heading in capitals', 'ID\n1\n2\n', ['1', '2']],
  ['blanks within the quotes of a cell', '"ID ";name\n" 1 ";x\n"2 ";y\n', ['1', '2']],
  ['rows of a spreadsheet that are empty', 'id;name\r\n1;x\r\n;\r\n\r\n2;y\r\n;\r\n', ['1', '2']],
  ['the line by which a spreadsheet names its separator', 'sep=;\r\nid;name\r\n1;x\r\n', ['1']],
  ['nothing', '', []],
  ['only blank lines', '\n\r\n \n', []],
  ['a header and no rows', 'id,name\n', []],
])('%s', async (_, text, found) => {
  expect(await ids(text)).toEqual(found)
})

test('distinct ids may hold anything that a line can', async () => {
  expect(await distinctIds('ada,phone\na@example.com\n1.5E+10\n')).toEqual(['ada,phone', 'a@example.com', '1.5E+10'])
  expect(await distinctIds('{"distinct_id":"ada","id":1}\n')).toEqual(['ada'])
  expect(await distinctIds('email,distinct_id\nx@example.com,ada\n')).toEqual(['ada'])
  expect(await distinctIds('E-Mail;Distinct ID\nx@example.com;ada\ny@example.com;" Bob"\n')).toEqual(['ada', ' Bob'])
})

test.each([
  ['UTF-16', Buffer.from('\ufeff1\n2\n', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('1\n2\n', 'utf16le')],
  ['a NUL byte', '1\n\u00002\n'],
  ['what is not UTF-8', Buffer.from([0x31, 0x0a, 0xff, 0x0a])],
  ['a quote that is never closed', 'id,name\n1,"Ada\n2,Bob\n'],
  ['a quote within a cell', 'id,name\n1,A"da\n'],
  ['a row with a cell too many, whose cells have moved', 'id,name\n1,Ada\n2,Bob,3\n'],
  ['a row without an id', 'id,name\n,Ada\n'],
  ['CSV with two columns of ids', 'id,ID,name\n1,2,Ada\n'],
  ['an id in quotes, of which no column says that they are not part of it', '"1"\n"2"\n'],
  ['CSV without the column', 'uuid,name\n1,Ada\n'],
  ['a JSON array', '[{"id":1}]\n'],
  ['NDJSON that breaks off', '{"id":1}\n{"id":\n'],
  ['NDJSON whose id is an object', '{"id":{"a":1}}\n'],
  ['NDJSON whose id is null', '{"id":null}\n'],
  ['JSON behind plain ids', '1\n{"id":2}\n'],
  ['an id that a spreadsheet has rounded', '1.23E+15\n'],
  ...['../../2', '2,3', '# note', "'11'", '+30', '[27]', '007', '0', '7.0', '1e3', '9'.repeat(200_000)].map(
    (line): [string, string] => [`a line that is no id (${line.slice(0, 9)})`, `1\n${line}\n`],
  ),
  ['a line without end', 'x'.repeat(17 * 1024 * 1024)],
])('%s is refused', async (_, text) => {
  await expect(ids(text)).rejects.toBeInstanceOf(UsageError)
})

test('a character may be cut by the end of a chunk', async () => {
  const bytes = Buffer.from('ä\nö\n')
  const chunks = [...bytes].map(byte => Uint8Array.of(byte))
  expect(await namesIn(hostWith(chunks), '-', distinctIdsFrom)).toEqual(['ä', 'ö'])
})

test('a file is read from where the command was typed; a folder, or no file, is refused', async () => {
  writeFileSync(join(folder, 'ids.txt'), '1\n2\n')
  expect(await idsIn(hostWith(), 'ids.txt')).toEqual(['1', '2'])
  await expect(idsIn(hostWith(), 'none.txt')).rejects.toBeInstanceOf(UsageError)
  await expect(idsIn(hostWith(), '.')).rejects.toBeInstanceOf(UsageError)
})

test('e-mails come by line, NDJSON or the column of a spreadsheet, whatever its heading is', async () => {
  const emails = (text: string, column = 'email') => namesIn(hostWith([text]), '-', { option: '--emails-from', column })
  expect(await emails(' a@example.com \r\nb@example.com')).toEqual(['a@example.com', 'b@example.com'])
  expect(await emails('{"email":"a@example.com"}\n')).toEqual(['a@example.com'])
  expect(await emails('\ufeffName;E-Mail\r\n"Ada; C.";a@example.com\r\n')).toEqual(['a@example.com'])
  expect(await emails('id,Contact Address\n1,a@example.com\n', 'contact_address')).toEqual(['a@example.com'])
  await expect(emails('id,Contact\n1,a@example.com\n')).rejects.toBeInstanceOf(UsageError)
})

test.each([
  ['two addresses', 'ada@example.com\nb@example.com;c@example.com\n', 2],
  ['two addresses in quotes', 'ada@example.com\n"a@example.com, b@example.com"\n', 2],
  ['an address that a mail program wrote', 'Ada <ada@example.com>\n', 1],
  ['a name', 'ada@example.com\nAda ada@example.com\n', 2],
  ['a name in quotes', 'ada@example.com\n"Ada L." ada@example.com\n', 2],
  ['a remark', 'ada@example.com (at work)\n', 1],
  ['quotes', '"ada@example.com"\n', 1],
  ['quotes before the @', 'ada@example.com\n"Ada L."@example.com\n', 2],
  ['square brackets', '[ada@example.com]\n', 1],
  ['a comma after an address', 'ada@example.com\nb@example.com,\n', 2],
  ['a cell before an address', 'ada@example.com\nBea;b@example.com\n', 2],
  ['a link', 'email\nMailto:ada@example.com\n', 2],
])('%s in a line of e-mails is refused with its line', async (_, text, line) => {
  const reading = namesIn(hostWith([text]), '-', { option: '--emails-from', column: 'email' })
  await expect(reading).rejects.toThrow(
    new RegExp(`--emails-from stdin: line ${line} (is not one plain e-mail|holds )`),
  )
  await expect(reading).rejects.toThrow(UsageError)
})

test('a quoted cell and a string of NDJSON may be any text', async () => {
  const emails = (text: string) => namesIn(hostWith([text]), '-', { option: '--emails-from', column: 'email' })
  const names = ['"a@b"@example.com', 'Ada <ada@example.com>', 'mailto:a@b.c', 'a@b.c (x)', 'a@b.c, d@e.f', ' a\nb ']
  expect(await emails(names.map(email => `${JSON.stringify({ email })}\n`).join(''))).toEqual(names)
  const cells = names.map(name => `"${name.replaceAll('"', '""')}"\n`)
  expect(await emails(['email\n', ...cells].join(''))).toEqual(names)
})

test('a distinct id may hold brackets, but nothing of what a mail program or a spreadsheet puts around it', async () => {
  expect(await distinctIds('[object Object]\na@b@c\nAda (Acme)\n')).toEqual(['[object Object]', 'a@b@c', 'Ada (Acme)'])
  for (const line of ['mailto:a', '<a>', '"a"', '{"a":1}']) {
    await expect(distinctIds(`b\n${line}\n`)).rejects.toThrow('line 2 holds mailto:, angle brackets or double quotes')
  }
})

test('lines keep their numbers, repeated ones count, and the bytes have a digest', async () => {
  const text = '\n7\n\n8\n7\n'
  const { names, lines, sha256, mayBeCut } = await readNames(hostWith([text]), '-', distinctIdsFrom)
  expect([names, lines, mayBeCut]).toEqual([
    [
      { text: '7', line: 2 },
      { text: '8', line: 4 },
    ],
    3,
    false,
  ])
  expect(sha256).toBe(createHash('sha256').update(text).digest('hex'))
})

test.each([
  ['ids', '1\n', ['2\n', '\n4', '4\n', 'no\n{"id":6}\n']],
  ['NDJSON', '{"id":1}\n', ['{"id":2}\n{"id"', ':3}\n\n', '{"id":"no"}\nnot JSON\n']],
  ['CSV', 'id,name\n', ['1,"two\nlines"\n', '4', ',x\n', 'no,x\n6,x,y\n7,"x"y\n']],
])('of several faults in %s the first is named with its line, wherever the bytes are cut', async (_, head, chunks) => {
  await expect(idsIn(hostWith([head, ...chunks]), '-')).rejects.toThrow(/line 5: "no" is not the id/)
  await expect(idsIn(hostWith([[head, ...chunks].join('')]), '-')).rejects.toThrow(/line 5: "no" is not the id/)
})

test('a pipe that ends within a line may be cut off; a file need not end in one', async () => {
  expect((await readIds(hostWith(['7\n8']), '-', fromIds)).mayBeCut).toBe(true)
  writeFileSync(join(folder, 'open.txt'), '7\n8')
  expect((await readIds(hostWith(), 'open.txt', fromIds)).mayBeCut).toBe(false)
})

test.each([
  ['was cut off', (path: string) => truncateSync(path, 70_000)],
  ['has grown', (path: string) => appendFileSync(path, '100\n10')],
])('a file that %s while it was read is refused: the end of its last id may be missing', async (_, change) => {
  const path = join(folder, 'changing.txt')
  writeFileSync(path, '1234567\n'.repeat(50_000))
  const chunks = inputChunks(hostWith(), { file: 'changing.txt', where: '--from changing.txt' })
  await chunks.next()
  change(path)
  const reading = async () => {
    for await (const _ of chunks);
  }
  await expect(reading()).rejects.toThrow('--from changing.txt was changed while it was read')
})
