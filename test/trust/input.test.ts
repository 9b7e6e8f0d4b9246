/** Mistakes in what people and scripts pass: one sentence, exit code 2, and nothing is sent. */
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { posixTest } from '../posix.ts'
import { analytics, emptyHome, reporting, start } from '../process/program.ts'
import { personsList, startServer, type TestServer } from '../server.ts'
import { startService } from '../service.ts'

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const ids = ['persons', 'delete', '--yes', '--from', '-']
const apply = ['projects', 'apply', '1', '--yes', '-f', '-']
const body = ['projects', 'update', '1', '--body', '-']

/** The words that stderr begins with. */
type Refused = [what: string, argv: readonly string[], stdin: string | Uint8Array, says: string]

describe('on stdin', () => {
  test.each<Refused>([
    ['a NUL byte', ids, '1\n2\0\n', '--from stdin: line 2 is not the id of a person.'],
    ['UTF-16', ids, utf16('1\n2\n'), '--from stdin is not UTF-8 text.'],
    [
      'UTF-16 without its mark',
      ids,
      Buffer.from('1\n2\n', 'utf16le'),
      '--from stdin: line 1 is not the id of a person; correct lines 2, 3 too',
    ],
    ['Latin-1', ids, Buffer.from('caf\xe9\n', 'latin1'), '--from stdin is not UTF-8 text.'],
    ['line ends of old', ids, '1\r2\r3', '--from stdin: line 1 is not the id of a person.'],
    ['a quote out of place', ids, 'id,name\n1,x"y\n', '--from stdin is not valid CSV near line 2'],
    ['CSV without the column', ids, 'name,email\nx,y\n', '--from stdin has no column id; it has name, email.'],
    ['half a line of NDJSON', ids, '{"id":1}\n{"id":', '--from stdin: line 2 is not JSON.'],
    ['two ids in one object', ids, '{"id":1}\n{"id":1,"\\u0069d":2}\n', '--from stdin, line 2: id is given twice.'],
    ['NDJSON without an id', ids, '{"id":1}\n{"uuid":2}', '--from stdin: line 2 has no id.'],
    ['a JSON array that is cut off', ids, '[1,2', '--from stdin is not valid JSON.'],
    ['a number rounded by a spreadsheet', ids, '1\n1.23E+18\n', '--from stdin: line 2 is not the id of a person.'],
    ['a parent folder', ids, '1\n..\n', 'line 2 is not the id of a person.'],
    ['half a character', ids, '{"id":"\\ud800"}\n{"id":"2"}\n', 'line 1 is not the id of a person.'],
    ['a body that is not JSON', body, '{"name":', '--body: the input is not JSON.'],
    ['a body nested deeply', body, '['.repeat(1_000_000), '--body: the input is not JSON.'],
    ['a body in UTF-16', body, utf16('{}'), '--body: stdin is not UTF-8 text.'],
    ['settings nested deeply', apply, '['.repeat(100_000), 'stdin:1: invalid YAML (nested too deeply).'],
    [
      'settings nested deeply by blocks',
      apply,
      `a:\n${Array.from({ length: 400 }, (_, n) => `${' '.repeat(n + 1)}a:\n`).join('')}`,
      'stdin:',
    ],
    ['settings that grow by aliases', apply, 'a: &a [1,1]\nb: &b [*a,*a]\n', 'stdin:1: '],
    ['settings with a tab', apply, 'name: x\n\ttimezone: UTC\n', 'stdin:2: '],
    ['settings in UTF-16', apply, utf16('name: x\n'), 'stdin is not UTF-8 text.'],
    ['two documents of settings', apply, 'name: x\n---\nname: y\n', 'stdin:2: invalid YAML (multiple docs).'],
    [
      'settings that are a list',
      apply,
      '- name\n',
      'stdin:1: not a settings file, which has lines of the form field: value.',
    ],
  ])('%s', async (_, argv, stdin, says) => {
    const { world, server, env } = await startService()
    const { stdout, stderr, code } = await world.run(argv, { env, stdin })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(says)
    expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('options', () => {
  const list = (...more: string[]) => ['persons', 'list', ...more]
  test.each<[argv: readonly string[], says: string]>([
    [list('--limit', '-1'), '--limit: -1 is less than 1.'],
    [list('--limit', '1e3'), '--limit: "1e3" is not a whole number.'],
    [list('--limit', '0x10'), '--limit: "0x10" is not a whole number.'],
    [list('--limit', '٣'), '--limit: "٣" is not a whole number.'],
    [list('--limit', '99999999999999999999'), '--limit: 100000000000000000000 is more than 9007199254740991.'],
    [list('--limit='), '--limit: "" is not a whole number.'],
    [list('--timeout', '0'), '--timeout: "0" is not a number of seconds above 0.'],
    [list('--rate', '0/s'), '--rate: "0/s" is not a rate'],
    [list('--max-wait', '-5m'), '--max-wait: "-5m" is not a duration'],
    [
      list('-o', 'persons.csv'),
      '"persons.csv" is not one of table, json, ndjson, csv, ids; to write to a file use > FILE.',
    ],
    [list('--project', '..'), '".." is not the id of a project.'],
    [list('--project', '%2E%2e'), '"%2E%2e" is not the id of a project.'],
    [list('--base-url', 'file:///etc/passwd'), 'The base URL must start with https://, not file://.'],
    [list('--base-url', 'https://u:p@analytics.example.com'), 'The base URL cannot have a user name'],
    [list('--base-url', 'https://u:p@ss@host:x/'), '"https://…@host:x/" is not a base URL.'],
    [list('--base-url', 'http://127.0.0.1.example.com'), 'The key would be sent to 127.0.0.1.example.com unencrypted'],
    [list('--base-url', 'http://127.1@analytics.example.com'), 'The base URL cannot have a user name'],
    [list('--properties', '@nowhere.json'), '--properties: '],
    [['event-definitions', 'update', 'x', '--created-at', '2026-02-30'], '--created-at: "2026-02-30" is not'],
    [['projects', 'update', '1', '--timezone', 'europe/berlin'], '--timezone: "europe/berlin" is not one of'],
    [['projects', 'update', '1', '--set-json', 'name=NaN'], '--set-json name: the value is not JSON.'],
  ])('%j', async (argv, says) => {
    const { world, server, env } = await startService()
    const { stdout, stderr, code } = await world.run(argv, { env, stdin: '' })
    expect([code, stdout, server.asked]).toEqual([2, '', []])
    expect(stderr).toContain(says)
  })

  test('a timeout longer than a timer can hold is not zero', async () => {
    const { server, env } = await startService(personsList(1))
    const { stderr, code } = await analytics(['persons', 'list', '--timeout', '99999999999', '--rate', '0.0001/h'], env)
    expect([code, stderr, server.asked.length]).toEqual([0, '', 1])
  })
})

describe('endless input', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer(personsList(1))
  })
  afterAll(() => server.close())

  /** More than 256 MB of the same text, made as it is read. */
  const much = (text: string) => {
    const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
    return Readable.from(
      (function* () {
        for (let length = 0; length < 1024 ** 3; length += chunk.length) yield chunk
      })(),
      { objectMode: false },
    )
  }

  posixTest.each<[what: string, argv: readonly string[], stdin: () => Readable | undefined, says: string]>([
    ['a gigabyte of ids', ids, () => much('1\n'), '--from stdin is larger than 256 MB.'],
    ['a gigabyte of body', body, () => much(' '), '--body: stdin is larger than 64 MB.'],
    ['a device as ids', [...ids.slice(0, -1), '/dev/zero'], () => undefined, '--from /dev/zero is larger than 256 MB.'],
    [
      'a device as settings',
      ['projects', 'apply', '1', '-f', '/dev/zero'],
      () => undefined,
      '/dev/zero is larger than 1 MB.',
    ],
  ])('%s', { timeout: 300_000 }, async (_, argv, stdin, says) => {
    const report = join(emptyHome(), 'peak')
    const { stderr, code } = await start(argv, { ...server.env, ...reporting(report) }, stdin()).finished
    expect([code, stderr.slice(0, says.length)]).toEqual([2, says])
    expect(server.asked).toEqual([])
    expect(Number(readFileSync(report, 'utf8')) / 1024).toBeLessThan(350)
  })

  posixTest('a device as key file, or in the place of config.json', async () => {
    const { world, server, env } = await startService()
    const keyFile = { ...env, ANALYTICS_API_KEY: '', ANALYTICS_API_KEY_FILE: '/dev/zero' }
    expect(await world.run(['persons', 'list'], { env: keyFile })).toMatchObject({ code: 2 })
    const path = join(world.folder, 'config.json')
    symlinkSync('/dev/zero', path)
    for (const argv of [
      ['persons', 'list'],
      ['profiles', 'list'],
      ['profiles', 'use', 'x'],
    ]) {
      const { stderr, code } = await world.run(argv, { env: { ...env, ANALYTICS_CONFIG_DIR: world.folder } })
      expect([code, stderr.startsWith(`${path} `)]).toEqual([2, true])
    }
    expect(server.asked).toEqual([])
  })
})

posixTest('a link to itself exits with 2, whichever option names it', async () => {
  const { world, server, env } = await startService()
  symlinkSync('loop', join(world.folder, 'loop'))
  for (const line of [
    'persons delete --yes --from loop',
    'persons delete 1 --yes --receipt loop',
    'persons delete 1 --yes --backup loop',
    'persons verify --receipt loop',
    'projects diff -f loop',
  ]) {
    expect([line, (await world.run(line.split(' '), { env })).code]).toEqual([line, 2])
  }
  expect(server.asked).toEqual([])
})
