import { describe, expect, test } from 'vitest'
import { encode } from '../../src/json/exact.ts'
import { readYaml, writeYaml } from '../../src/json/yaml.ts'
import * as fc from '../fast-check.ts'
import { refusal, wantedIn } from './files.ts'

/** What is said about one file with this text. */
const refused = (text: string | Uint8Array, env: Record<string, string> = {}) =>
  refusal({ files: { 's.yaml': text }, env })

/** The values in one file with this text, as JSON. */
const wanted = async (text: string, env: Record<string, string> = {}) =>
  encode(await wantedIn({ files: { 's.yaml': text }, env }))

describe('values', () => {
  test('YAML and JSON say the same', async () => {
    const yaml = 'timezone: Europe/Berlin\napp_urls:\n  - https://a.example.com\nanonymize_ips: true\nname: null\n'
    const json = '{"timezone":"Europe/Berlin","app_urls":["https://a.example.com"],"anonymize_ips":true,"name":null}'
    expect(await wanted(yaml)).toBe(json)
    expect(await wanted(json)).toBe(json)
    expect(await wanted(`{\n\t"name":\t"\\ud83d\\ude00\\/"\n}`)).toBe('{"name":"😀/"}')
  })

  test('numbers stay as they are written', async () => {
    expect(await wanted('primary_dashboard: 9007199254740993')).toBe('{"primary_dashboard":9007199254740993}')
    const numbers = '{"z":1.0,"c":1E400,"b":-0,"big":9007199254740993}'
    expect(await wanted(`extra_settings: ${numbers.replaceAll(/[:,]/g, '$& ')}`)).toBe(`{"extra_settings":${numbers}}`)
  })

  test('words are text where YAML 1.2 says so, and free-form values take them as such', async () => {
    expect(await wanted('name: no\nextra_settings: [yes, 2026-01-01, 1:30, 1_000]')).toBe(
      '{"name":"no","extra_settings":["yes","2026-01-01","1:30","1_000"]}',
    )
  })

  test('keys of free-form values are text', async () => {
    expect(await wanted('extra_settings: {1: a, true: b, __proto__: c, "": d}')).toBe(
      '{"extra_settings":{"1":"a","true":"b","__proto__":"c","":"d"}}',
    )
  })

  test('the name of the schema, for editors, is passed over', async () => {
    expect(await wanted('{"$schema":"settings.schema.json","name":"a"}')).toBe('{"name":"a"}')
  })

  test('a byte order mark, Windows line ends and document marks do no harm', async () => {
    expect(await wanted('\ufeff---\r\nname: a\r\ntimezone: UTC\r\n...\r\n')).toBe('{"name":"a","timezone":"UTC"}')
  })
})

describe('several files', () => {
  test('are merged field by field, the later one wins as a whole', async () => {
    const files = { 'a.yaml': 'name: A\nextra_settings: {x: 1, y: 2}', 'b.json': '{"extra_settings":{"y":3}}' }
    expect(await wantedIn({ files })).toEqual({ name: 'A', extra_settings: { y: 3 } })
  })

  test('one of them may be stdin', async () => {
    const given = { files: { 'a.yaml': 'name: A\nis_demo: false' }, stdin: 'name: B', named: ['a.yaml', '-'] }
    expect(await wantedIn(given)).toEqual({ name: 'B', is_demo: false })
    expect(await refusal({ ...given, named: ['-', '-'] })).toBe(
      '-f - is given twice, and stdin can be read once | Put one of them in a file',
    )
    expect(await refusal({ ...given, stdin: 'nmae: B' })).toBe(
      'stdin:1: a project has no field "nmae" | Did you mean name?',
    )
  })

  test('a comment alone adds nothing, and nothing at all is refused', async () => {
    expect(await wantedIn({ files: { a: 'name: A', b: '# later\n' } })).toEqual({ name: 'A' })
    for (const empty of ['', '# later\n', '{}', '---\n', 'null']) {
      expect(await refused(empty)).toBe(
        'There are no settings in s.yaml | analytics projects pull writes a file to start from',
      )
    }
  })
})

describe('variables', () => {
  const env = { HOOK: 'https://hooks.example.com/x', DAY: '1', YES: 'true', EMPTY: '', ANALYTICS_API_KEY: 'k' }

  test('a scalar that is wholly one takes its value, of the type of its field', async () => {
    const text = `slack_incoming_webhook: \${HOOK}\nweek_start_day: "\${DAY}"\nanonymize_ips: \${YES}\napp_urls: ["\${HOOK}"]`
    expect(await wantedIn({ files: { s: text }, env })).toEqual({
      slack_incoming_webhook: env.HOOK,
      week_start_day: 1,
      anonymize_ips: true,
      app_urls: [env.HOOK],
    })
    expect(await wanted(`extra_settings: {a: [{b: "\${DAY}"}]}`, env)).toBe('{"extra_settings":{"a":[{"b":"1"}]}}')
  })

  test('a part of a text is no variable, and $$ stands for the text itself', async () => {
    expect(await wanted(`name: a \${DAY}`, env)).toBe(`{"name":"a \${DAY}"}`)
    expect(await wanted(`name: $\${DAY}`, env)).toBe(`{"name":"\${DAY}"}`)
    expect(await wanted(`name: $$\${DAY}`, env)).toBe(`{"name":"$\${DAY}"}`)
    expect(await wanted(`name: \${A}\${B}`, env)).toBe(`{"name":"\${A}\${B}"}`)
  })

  test('one that is not set is named, with its line', async () => {
    const problem = 's.yaml:2: name takes its value from the variable WHAT, which is not set, or empty'
    const refused = (text: string, env: Record<string, string> = {}) =>
      refusal({ files: { 's.yaml': text }, env, allowed: ['WHAT', 'EMPTY', 'toString'] })
    expect(await refused(`# name\nname: \${WHAT}`)).toBe(
      `${problem} | Set it, or write $\${WHAT} if that very text is meant`,
    )
    expect(await refused(`extra_settings:\n  a: ["\${WHAT}"]`)).toMatch('s.yaml:2: extra_settings takes its value')
    expect(await refused(`name: \${toString}`)).toMatch('the variable toString, which is not set')
    expect(await refused(`name: \${EMPTY}`, env)).toMatch('the variable EMPTY, which is not set')
  })

  test('one whose bytes are not UTF-8 is refused: another text would be sent', async () => {
    expect(await refused(`name: \${CITY}`, { CITY: 'Z\ufffdrich' })).toBe(
      's.yaml:1: name takes its value from the variable CITY, which is not UTF-8 text | Set CITY in UTF-8',
    )
  })

  test('one that is not set does not matter where a later file has another value', async () => {
    const files = { a: `name: \${WHAT}`, b: 'name: B' }
    expect(await wantedIn({ files })).toEqual({ name: 'B' })
  })

  test('a value that does not fit is not shown: it may be a secret', async () => {
    expect(await refused(`week_start_day: \${HOOK}`, env)).toBe(
      's.yaml:1: week_start_day must be 0 or 1: what the variable HOOK holds is not | Change HOOK',
    )
    expect(await refused(`timezone: \${HOOK}`, env)).toBe(
      's.yaml:1: timezone must be an IANA time zone such as Europe/Berlin: what the variable HOOK holds is not | Change HOOK',
    )
    expect(await refused(`app_urls: ["\${HOOK}"]`, { HOOK: '["made-up"]' })).toBe(
      's.yaml:1: app_urls item 1 must be text that is neither empty nor JSON: what the variable HOOK holds is not | Change HOOK',
    )
    expect(await refused('slack_incoming_webhook: 12345')).toBe(
      's.yaml:1: slack_incoming_webhook must be a string | Check the value in the file',
    )
  })

  test('the key is never sent as a setting', async () => {
    expect(await refused(`name: \${ANALYTICS_API_KEY}`, env)).toBe(
      's.yaml:1: name cannot be ANALYTICS_API_KEY: the key is not a setting | Take it from another variable',
    )
  })
})

describe('refused, with the line and what was probably meant', () => {
  test.for([
    ['\ntime_zone: UTC', 's.yaml:2: a project has no field "time_zone" | Did you mean timezone?'],
    ['zzz: 1', 's.yaml:1: a project has no field "zzz" | analytics projects pull writes all of them'],
    ['1: 1', 's.yaml:1: a project has no such field | analytics projects pull writes all of them'],
    ['name: a\nid: 3', 's.yaml:2: id is read-only: the service sets it | Take it out of the file'],
    ['api_token: x', 's.yaml:1: api_token is read-only: the service sets it | Take it out of the file'],
    [
      'timezone: Europe/Berln',
      's.yaml:1: timezone "Europe/Berln" is not one of the IANA time zones; did you mean Europe/Berlin? | Names are compared letter by letter',
    ],
    [
      'timezone: europe/berlin',
      's.yaml:1: timezone "europe/berlin" is not one of the IANA time zones; did you mean Europe/Berlin? | Names are compared letter by letter',
    ],
    [
      'timezone: GMT+3',
      's.yaml:1: timezone "GMT+3" is not one of the IANA time zones | Take one such as Europe/Berlin',
    ],
    ['timezone: BST', 's.yaml:1: timezone "BST" is not one of the IANA time zones | Take one such as Europe/Berlin'],
    ['timezone: 5', 's.yaml:1: timezone must be a string, not the number "5" | Write it in quotes: "5"'],
    ['timezone: [UTC]', 's.yaml:1: timezone must be a string, not a list | Give one value'],
    ['name: {a: b}', 's.yaml:1: name must be a string, not an object | Give one value'],
    [
      'anonymize_ips: no',
      's.yaml:1: anonymize_ips must be a boolean, not the string "no" | no is text in YAML 1.2: write false',
    ],
    [
      'anonymize_ips: On',
      's.yaml:1: anonymize_ips must be a boolean, not the string "On" | On is text in YAML 1.2: write true',
    ],
    [
      'anonymize_ips: "true"',
      's.yaml:1: anonymize_ips must be a boolean, not the string "true" | Write true without quotes',
    ],
    ['anonymize_ips: 1', 's.yaml:1: anonymize_ips must be a boolean, not the number "1" | Write true or false'],
    ['week_start_day: 2', 's.yaml:1: week_start_day must be 0 or 1, not the number "2" | Write 0 or 1'],
    ['primary_dashboard: 1.0', 's.yaml:1: primary_dashboard must be an integer, not 1.0 | Write a whole number'],
    [
      'primary_dashboard: "7"',
      's.yaml:1: primary_dashboard must be an integer, not the string "7" | Write 7 without quotes',
    ],
    [
      'session_recording_sample_rate: 0.5',
      's.yaml:1: session_recording_sample_rate must be a string, not the number "0.5" | Write it in quotes: "0.5"',
    ],
    [
      'session_recording_sample_rate: 0.50',
      's.yaml:1: session_recording_sample_rate must be a string, not 0.50 | Write it in quotes: "0.50"',
    ],
    [
      'app_urls: https://a.example.com',
      's.yaml:1: app_urls must be a list of strings | Write it as one: app_urls: [https://a.example.com]',
    ],
    [
      'app_urls:\n  - a\n  - 5',
      's.yaml:3: app_urls item 2 must be a string, not the number "5" | Write it in quotes: "5"',
    ],
    ['app_urls:\n  - a\n  - [b]', 's.yaml:3: app_urls item 2 must be a string, not a list | Give one value'],
    ['app_urls: [null]', 's.yaml:1: app_urls item 1 must be a string, not null | Take it out'],
    ['name: a\ntimezone: UTC\nname: b', 's.yaml:3: name is given twice | Keep one of them'],
    ['extra_settings: {a: 1, "a": 2}', 's.yaml:1: a is given twice | Keep one of them'],
    ['extra_settings: {1: 1, "1": 2}', 's.yaml:1: a key is given twice | Keep one of them'],
    ['timezone:\nname: a', 's.yaml:1: timezone has no value | Write null to clear it, "" for an empty text'],
    ['app_urls:\n  -\n', 's.yaml:2: an item has no value | Take it out, or write null'],
    [
      '- name: a',
      's.yaml:1: this is not a setting, which is field: value | Write settings as in timezone: Europe/Berlin',
    ],
    ['name:a', 's.yaml:1: this is not a setting, which is field: value | Write settings as in timezone: Europe/Berlin'],
    ['? [a]\n: b', 's.yaml:1: there should be a key here | Write it like key: value'],
  ])('%j', async ([text = '', problem]) => {
    expect(await refused(text)).toBe(problem)
  })
})

describe('all mistakes of all files are told at once, in the order of their lines', () => {
  const told = async (files: Readonly<Record<string, string>>, env = {}) => {
    const said: string[] = []
    const last = await refusal({ files, env, said })
    return [...said.map(line => line.replace(/(?<=[.?]) .*/, '')), last.replace(/ \|.*/, '')]
  }

  test('a field without a value or given twice, beside unknown fields and values of a wrong type', async () => {
    expect(
      await told({ 's.yaml': 'name:\nfrob: 1\ntimezone: Europe/Berlim\nweek_start_day: 2\nweek_start_day: no\n' }),
    ).toEqual([
      's.yaml:1: name has no value.',
      's.yaml:2: a project has no field "frob".',
      's.yaml:3: timezone "Europe/Berlim" is not one of the IANA time zones; did you mean Europe/Berlin?',
      's.yaml:4: week_start_day must be 0 or 1, not the number "2".',
      's.yaml:5: week_start_day is given twice.',
      's.yaml:5: week_start_day must be 0 or 1, not the string "no".',
      'The settings have 6 mistakes; nothing was sent',
    ])
  })

  test.each([
    'slack_incoming_webhook: {https://hooks.example.com/T0/Q7ZK9}',
    'slack_incoming_webhook:\n  - {Q7ZK9}',
    '{https://hooks.example.com/T0/Q7ZK9}',
    '{"slack_incoming_webhook": {"Q7ZK9": 1, "Q7ZK9": 2}}',
    'extra_settings: {https://hooks.example.com/T0/Q7ZK9}',
  ])('a value in braces, as a template leaves them, is not repeated as a key: %j', async text => {
    const lines = await told({ 's.yaml': text })
    expect(lines.join()).toMatch(/a key (has no value|is given twice)/)
    expect(lines.join()).not.toContain('Q7ZK9')
  })

  test('an unknown field without a value is told both', async () => {
    expect(await told({ 's.yaml': 'frob:\nid:\n' })).toEqual([
      's.yaml:1: frob has no value.',
      's.yaml:1: a project has no field "frob".',
      's.yaml:2: id has no value.',
      's.yaml:2: id is read-only: the service sets it.',
      'The settings have 4 mistakes; nothing was sent',
    ])
  })

  test('what YAML could mean in two ways, once for each place, also within free-form values and lists', async () => {
    const text = [
      'name: !!str 5',
      'app_urls:',
      '  - a',
      '  -',
      '  - 5',
      'recording_domains: [*a]',
      'extra_settings:',
      '  a: 0x1f',
      '  b: {c: 1, c: 2, d: }',
      '  <<: *base',
      'timezone: &zone Europe/Berlim',
      '? [primary_dashboard]',
      ': 1',
    ]
    expect(await told({ 's.yaml': text.join('\n') })).toEqual([
      's.yaml:1: a tag (!) is not allowed.',
      's.yaml:4: an item has no value.',
      's.yaml:5: app_urls item 3 must be a string, not the number "5".',
      's.yaml:6: an alias (*) is not allowed.',
      's.yaml:8: this number is not written as JSON writes it.',
      's.yaml:9: c is given twice.',
      's.yaml:9: d has no value.',
      's.yaml:10: the merge key << is not allowed.',
      's.yaml:11: an anchor (&) is not allowed.',
      's.yaml:11: timezone "Europe/Berlim" is not one of the IANA time zones; did you mean Europe/Berlin?',
      's.yaml:12: there should be a key here.',
      'The settings have 11 mistakes; nothing was sent',
    ])
  })

  test('of several files, one of which is not YAML', async () => {
    expect(await told({ a: 'name:\nfrob: 1\n', b: 'name: "x\n', c: `id: 1\nis_demo:\nname: \${WHAT}\n` })).toEqual([
      'a:1: name has no value.',
      'a:2: a project has no field "frob".',
      'b:1: this is not YAML: the bracket or quote that opens here is not closed.',
      'c:1: id is read-only: the service sets it.',
      'c:2: is_demo has no value.',
      'c:3: name takes its value from the variable WHAT, which the command line does not allow.',
      'The settings have 6 mistakes; nothing was sent',
    ])
  })
})

describe('traps of YAML', () => {
  test.for([
    ['primary_dashboard: 012', 's.yaml:1: this number is not written as JSON writes it'],
    ['primary_dashboard: 0x1f', 's.yaml:1: this number is not written as JSON writes it'],
    ['extra_settings: [1, .inf]', 's.yaml:1: this number is not written as JSON writes it'],
    ['extra_settings: {a: .NaN}', 's.yaml:1: this number is not written as JSON writes it'],
    ['a: 1\n\tb: 2', 's.yaml:2: a tab indents the line'],
    ['app_urls:\n\t- a', 's.yaml:2: a tab indents the line'],
    ['name: a\n---\nname: b', 's.yaml:2: a second document begins'],
    ['name: &n a', 's.yaml:1: an anchor (&) is not allowed'],
    ['name: a\napp_urls: *n', 's.yaml:2: an alias (*) is not allowed'],
    ['name: !!str 5', 's.yaml:1: a tag (!) is not allowed'],
    ['extra_settings: !secret {a: 1}', 's.yaml:1: a tag (!) is not allowed'],
    ['<<: {name: a}', 's.yaml:1: the merge key << is not allowed'],
    ['extra_settings:\n  <<: {a: 1}', 's.yaml:2: the merge key << is not allowed'],
    ['extra_settings: {a: [{<<: 1}]}', 's.yaml:1: the merge key << is not allowed'],
    ['extra_settings: {"<<": 1}', 'taken'],
    [writeYaml({ extra_settings: { '<<': 1 } }), 'taken'],
    ['name: "a', 's.yaml:1: this is not YAML'],
    [`{name: \${X}}`, 's.yaml:1: this is not YAML'],
    ['name: a: b', 's.yaml:1: this is not YAML'],
    ...[
      'name: a\napp_urls: [a, b',
      'name: a\napp_urls: [a, b\ntimezone: UTC',
      'name: a\napp_urls: [a,\nb]',
      'name: a\nextra_settings: {a: [1, 2]\ntimezone: UTC',
      'name: a\nslack_incoming_webhook: "a\ntimezone: UTC',
      "name: a\nslack_incoming_webhook: 'a\ntimezone: UTC",
      '{\n"app_urls": ["a",\n"b",\n"name": "c"\n}',
    ].map(text => [
      text,
      's.yaml:2: this is not YAML: the bracket or quote that opens here is not closed | Close it, and indent its further lines',
    ]),
    ...['name: |5\n  a', 'extra_settings:\n    a: 1\n  b: 2'].map((text, before) => [
      text,
      `s.yaml:${before + 2}: this is not YAML: the line is not indented as those around it, or as a text after | or > has to be | Indent alike`,
    ]),
  ])('%j', async ([text = '', problem = '']) => {
    expect((await refused(text)).slice(0, problem.length)).toBe(problem)
  })

  test('what is said of a file that is not YAML repeats nothing of it', async () => {
    const secret = 'Q7ZK9XW2J5QK'
    const sign = fc.constantFrom(...'"\'\\{}[],:-?&*!%@`|>#\n\t ', '\\x', '\\U', ': ', '- ', ' #', '--- ', secret)
    const problemOf = (text: string) => {
      try {
        return JSON.stringify(readYaml(text, 's.yaml'))
      } catch (error) {
        return String(error)
      }
    }
    const isTold = (signs: readonly string[]) =>
      /not YAML.*[Q7ZK9XW2J5]{2}/s.test(problemOf(`slack_incoming_webhook: ${signs.join('')}${secret}\n`))
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 6 }), signs => !isTold(signs)),
      { numRuns: 2000, examples: [[['"', '\\U']], [['{', '\\x']]] },
    )
    expect(await refused(`name: "\\U${secret}"`)).toContain('a backslash in double quotes begins no escape')
  })

  test('a bomb of aliases, brackets or dashes does not go off', async () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `  a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]\n`).join('')
    const said: string[] = []
    expect(await refusal({ files: { s: `extra_settings:\n  a0: &a0 ha\n${laughs}` }, said })).toContain('19 mistakes')
    expect(said.slice(0, 2).map(line => line.slice(0, 35))).toEqual([
      's:2: an anchor (&) is not allowed. ',
      's:3: an anchor (&) is not allowed. ',
    ])
    expect(await refused(`extra_settings: ${'['.repeat(1_000_000)}`)).toMatch('nested too deeply')
    expect(await refused(`extra_settings: ${'['.repeat(150)}${']'.repeat(150)}`)).toBe('taken')
    expect(await refused('- '.repeat(100_000))).toMatch('nested too deeply')
    const maps = (deep: number) => Array.from({ length: deep }, (_, i) => `${' '.repeat(i)}a:\n`).join('')
    const settings = (deep: number) => `extra_settings:\n${maps(deep).replace(/^/gm, ' ')}${' '.repeat(deep + 1)}b: 1\n`
    expect(await refused(settings(198))).toBe('taken')
    expect(await refused(settings(199))).toMatch('s.yaml:201: the value is nested too deeply')
  })
})

describe('files', () => {
  test('one that is not there, is a folder, is too large or not UTF-8 is refused by name', async () => {
    const named = (file: string) => refusal({ files: { 's.yaml': 'name: a' }, named: ['s.yaml', file] })
    expect(await named('gone.yaml')).toBe(
      'gone.yaml cannot be read: there is no such file or folder | Check its name and whether you may read it',
    )
    expect(await named('.')).toBe('. cannot be read: that is a folder | Check its name and whether you may read it')
    expect(await named('/dev/zero')).toBe('/dev/zero is larger than 1 MB | Check its name and whether you may read it')
    expect(await refused(Buffer.from('name: \xe9', 'latin1'))).toBe('s.yaml is not UTF-8 text | Save it as UTF-8')
    expect(await refused(Buffer.from('\ufeffname: a', 'utf16le'))).toBe('s.yaml is not UTF-8 text | Save it as UTF-8')
    expect(await refused(`name: a\n#${' '.repeat(1024 * 1024)}`)).toMatch('larger than 1 MB')
    expect(await refused(`name: a\n#${' '.repeat(1024 * 1024 - 9)}`)).toBe('taken')
  })
})
