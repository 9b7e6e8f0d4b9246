/** A table of settings files: the settings that are read, and the mistakes that are refused. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../../src/commands/projects/settings.ts'
import type { Failure } from '../../../src/errors.ts'
import { encode } from '../../../src/json/exact.ts'
import * as fc from '../../fast-check.ts'
import { newWorld } from '../../world.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

/** The settings of each project as JSON, or a line for each mistake; the last one is `message | hint`. */
async function read(files: Files, named: readonly string[] = Object.keys(files), stdin = '') {
  const { folder } = newWorld()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const printed: string[] = []
  const input = {
    isTerminal: false,
    ask: async () => undefined,
    read: async function* () {
      yield Buffer.from(stdin)
    },
  }
  const host = { cwd: folder, stdin: input, interrupted: new AbortController().signal }
  try {
    const projects = await readSettings(host, named, line => void printed.push(line))
    return projects.map(({ project = '-', settings }) => {
      return `${project} ${encode(Object.fromEntries(settings.map(({ field, value }) => [field, value])))}`
    })
  } catch (error) {
    const { message, details } = error as Failure
    return [...printed, details?.hint ? `${message} | ${details.hint}` : message]
  }
}

const readOne = async (text: string | Uint8Array) => (await read({ 's.yaml': text })).join('\n')

describe('a file', () => {
  test.each([
    [
      'timezone: Europe/Berlin\napp_urls:\n  - a\nanonymize_ips: true\nname: null',
      '{"timezone":"Europe/Berlin","app_urls":["a"],"anonymize_ips":true,"name":null}',
    ],
    ['{"timezone":"Europe/Berlin","name":"\\ud83d\\ude00\\/"}', '{"timezone":"Europe/Berlin","name":"😀/"}'],
    ['\ufeff---\r\nname: a\r\n...\r\n', '{"name":"a"}'],
    // Scalars are as YAML 1.2 reads them, and numbers keep their digits.
    [
      'name: no\nextra_settings: [yes, 2026-01-01, 1:30, 1_000, ~, True]',
      '{"name":"no","extra_settings":["yes","2026-01-01","1:30","1_000",null,true]}',
    ],
    [
      'extra_settings: [012, 0x1f, 0o17, +1, .5, 1., -0, 1E400, 1.0]',
      '{"extra_settings":[12,31,15,1,0.5,1,-0,1E400,1.0]}',
    ],
    ['primary_dashboard: 9007199254740993', '{"primary_dashboard":9007199254740993}'],
    [
      'extra_settings: {true: b, __proto__: c, "": d, "<<": e}',
      '{"extra_settings":{"true":"b","__proto__":"c","":"d","<<":"e"}}',
    ],
    // A number is the text of the one field whose text is a number, as with the option.
    ['session_recording_sample_rate: 0.50', '{"session_recording_sample_rate":"0.50"}'],
    ['session_recording_sample_rate: 1', '{"session_recording_sample_rate":"1"}'],
    // Fields that the document does not know are judged when the project is read.
    ['conversations_enabled: [1, {a: b}]', '{"conversations_enabled":[1,{"a":"b"}]}'],
    // Only a whole scalar counts as a placeholder.
    [
      `name: "a \${B} *** (secret)"\nslack_incoming_webhook: ""`,
      `{"name":"a \${B} *** (secret)","slack_incoming_webhook":""}`,
    ],
  ])('has the settings of %j', async (text, wanted) => {
    expect(await readOne(text)).toBe(`- ${wanted}`)
  })

  const none = 's.yaml has no settings | To start from the settings of a project: analytics projects pull ID'
  const noProject = 's.yaml:1: project must be the id of a project | Write it like this: project: 42'
  const noValue = 'has no value: use null to clear it, or "" for empty text'

  test.each([
    ...['', '# later\n', '{}', 'null', 'project: 1'].map(text => [text, none]),
    ...['project: blog\nname: a', 'project: 0\nname: a'].map(text => [text, noProject]),
    ['name: a\nid: 3', 's.yaml:2: id is read-only | Remove it from the file'],
    ['timezone: Europe/Berln', 's.yaml:1: timezone "Europe/Berln" is not one of the IANA time zones; did you mean '],
    ['timezone: 5', 's.yaml:1: timezone must be a string, not the number 5'],
    ['name: 007', 's.yaml:1: name must be a string, not the number 7'],
    ['name: {a: b}', 's.yaml:1: name must be a string, not an object'],
    ['anonymize_ips: no', 's.yaml:1: anonymize_ips must be a boolean, not the string "no"'],
    ['is_demo: "true"', 's.yaml:1: is_demo must be a boolean, not the string "true"'],
    ['week_start_day: 2', 's.yaml:1: week_start_day 2 is more than 1'],
    ['week_start_day: two', 's.yaml:1: week_start_day must be an integer, not the string "two"'],
    ['primary_dashboard: 1.0', 's.yaml:1: primary_dashboard must be an integer, not the number 1.0'],
    ['app_urls: https://a.example.com', 's.yaml:1: app_urls must be a list, not the string "https://a.example.com"'],
    ['app_urls:\n  - a\n  - 5', 's.yaml:1: app_urls item 2 must be a string, not the number 5'],
    [
      'slack_incoming_webhook: 12345',
      's.yaml:1: slack_incoming_webhook must be a string | Correct the value in the file',
    ],
    ['timezone:\n', `s.yaml:1: timezone ${noValue}`],
    ['name: a\napp_urls:\n  -\n', `s.yaml:2: app_urls ${noValue}`],
    // Ambiguous YAML.
    ['name: a\ntimezone: UTC\nname: b', 's.yaml:3: name is given twice'],
    ['extra_settings: {1: 1, "1": 2}', 's.yaml:1: extra_settings has a duplicate member'],
    ['extra_settings: [.inf]', 's.yaml:1: extra_settings has a number that JSON does not support'],
    ['name: a\n---\nname: b', 's.yaml:2: invalid YAML (multiple docs) | Check indentation, quotes and brackets'],
    ['name: "a', 's.yaml:1: invalid YAML (missing char)'],
    ['app_urls:\n\t- a', 's.yaml:2: invalid YAML (tab as indent)'],
    ['- name: a', 's.yaml:1: not a settings file, which has lines of the form field: value'],
    ['name:a', 's.yaml:1: not a settings file, which has lines of the form field: value'],
    [`name: a\n#${' '.repeat(1024 * 1024)}`, 's.yaml is larger than 1 MB'],
  ])('is refused: %j', async (text = '', problem = '') => {
    expect((await readOne(text)).slice(0, problem.length)).toBe(problem)
  })

  test.each([
    `\${HOOK}`,
    `"\${HOOK:-x}"`,
    '(secret)',
    '(another secret)',
    '"***"',
    '"***Ab1z"',
    `" \${HOOK} "`,
    `[{b: "\${C}"}]`,
  ])('a placeholder is refused: %s', async value => {
    for (const field of ['slack_incoming_webhook', 'extra_settings', 'not_documented']) {
      expect(await readOne(`${field}: ${value}`)).toMatch(
        `s.yaml:1: ${field} is a placeholder, not a value | Replace it`,
      )
    }
  })

  test('a file that is not UTF-8 is refused', async () => {
    expect(await readOne(Buffer.from('name: \xe9', 'latin1'))).toBe('s.yaml is not UTF-8 text | Save it as UTF-8')
  })

  test.each([
    'name: &n a',
    'name: *n',
    'name: !!str 5',
    'extra_settings: !secret {a: 1}',
    '<<: {name: a}',
    'extra_settings: {a: [{<<: 1}]}',
  ])('an anchor, an alias, a tag or a merge key is refused: %s', async text => {
    expect(await readOne(text)).toMatch(/^s\.yaml:1: .* has an anchor, an alias, a tag or a merge key/)
  })

  test('all mistakes of all files are reported at once, each with its file and line', async () => {
    const files = { 'a.yaml': 'name:\nweek_start_day: 2\n', 'b.yaml': 'name: "x', 'c.yaml': 'id: 1\nis_demo: *x\n' }
    expect((await read(files)).map(line => line.replace(/(?<=[.?]) .*| \|.*/, ''))).toEqual([
      'a.yaml:1: name has no value: use null to clear it, or "" for empty text.',
      'a.yaml:2: week_start_day 2 is more than 1.',
      'b.yaml:1: invalid YAML (missing char).',
      'c.yaml:1: id is read-only.',
      'c.yaml:2: is_demo has an anchor, an alias, a tag or a merge key, which settings files do not support.',
      'The settings have 5 mistakes; nothing was sent',
    ])
  })

  test('messages about a file never repeat its secrets', async () => {
    const secret = 'Q7ZK9XW2J5QK'
    const sign = fc.constantFrom(...'"\'\\{}[],:-?&*!%@`|>#\n\t ', '\\x', '\\U', ': ', '- ', ' #', '--- ', secret)
    await fc.assert(
      fc.asyncProperty(fc.array(sign, { maxLength: 6 }), async signs => {
        const printed = await readOne(`slack_incoming_webhook: ${signs.join('')}${secret}\n`)
        // The names of fields are shown.
        const shown = printed.replace(/^(s\.yaml:\d+: )\S+(?= has no value)/gm, '$1')
        if (!printed.startsWith('- ')) expect(shown).not.toMatch(/[Q7ZK9XW2J5]{4}/)
      }),
      { numRuns: 300, examples: [[['"', '\\U']], [['{', '\\x']], [['{']]] },
    )
    expect(await readOne(`{https://hooks.example.com/${secret}}`)).not.toContain(secret)
  })

  test('deep nesting and many aliases are refused quickly', async () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `  a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]\n`).join('')
    expect(await readOne(`extra_settings:\n  a0: &a0 ha\n${laughs}`)).toMatch('has an anchor, an alias')
    for (const bomb of ['['.repeat(90_000), '\n '.concat('- '.repeat(90_000)), '\n '.concat('? '.repeat(90_000))]) {
      expect(await readOne(`extra_settings: ${bomb}`)).toMatch('nested too deeply')
    }
    expect(await readOne(`extra_settings: ${'['.repeat(150)}${']'.repeat(150)}`)).toMatch(/^- /)
  })
})

describe('several files', () => {
  const base = { 'base.yaml': 'timezone: UTC\nis_demo: false\n' }

  test('without a project are merged field by field, left to right', async () => {
    const files = { 'a.yaml': 'name: A\nextra_settings: {x: 1, y: 2}', 'b.json': '{"extra_settings":{"y":3}}' }
    expect(await read(files)).toEqual(['- {"name":"A","extra_settings":{"y":3}}'])
    expect(await read(files, ['a.yaml', '-'], 'name: B')).toEqual(['- {"name":"B","extra_settings":{"x":1,"y":2}}'])
  })

  test('with a project are one project each, and a file without one is merged under all of them', async () => {
    const files = {
      'one.yaml': 'project: 1\ntimezone: Europe/Berlin\n',
      ...base,
      'two.yaml': 'project: "2"\nname: Two\n',
    }
    expect(await read(files)).toEqual([
      '1 {"timezone":"Europe/Berlin","is_demo":false}',
      '2 {"timezone":"UTC","is_demo":false,"name":"Two"}',
    ])
  })

  test('files of a folder are read as if each were named; hidden files and other types are not', async () => {
    const files = {
      'fleet/b.yml': 'project: 2\nname: B',
      'fleet/a.json': '{"project":1,"name":"A"}',
      'fleet/README.md': 'x',
      'fleet/.1.yaml': 'name: hidden',
      ...base,
    }
    expect(await read(files, ['base.yaml', 'fleet'])).toEqual([
      '1 {"timezone":"UTC","is_demo":false,"name":"A"}',
      '2 {"timezone":"UTC","is_demo":false,"name":"B"}',
    ])
  })

  test.each<[string, Files, string[], string]>([
    ['no file', base, [], 'No settings file given | Use -f FILE'],
    [
      'one that is not there',
      base,
      ['gone.yaml'],
      'gone.yaml cannot be read: no such file or folder | Check the name, and that you can read it',
    ],
    [
      'a folder without a settings file',
      { 'empty/README.md': '', 'empty/.hidden.yaml': 'project: 1\nname: A' },
      ['empty'],
      'empty has no settings files | Settings files end in .yaml, .yml or .json',
    ],
    [
      'a file of a folder without a project',
      { 'f/a.yaml': 'name: A' },
      ['f'],
      `${join('f', 'a.yaml')} does not name its project | Add a line such as project: 42, or give the file its own -f`,
    ],
    [
      'two files of one project',
      { a: 'project: 1\nname: A', b: 'project: "1"\nname: B' },
      ['a', 'b'],
      'a and b are both for project 1 | Use only one of them',
    ],
    [
      'a name for all projects',
      { a: 'project: 1\nis_demo: true', b: '\nname: B' },
      ['a', 'b'],
      'b:2: the projects would all get the same name | Move name to the file of one project',
    ],
    [
      'a file without a setting',
      { a: 'project: 1\nname: A', b: '# later' },
      ['a', 'b'],
      'b has no settings | To start from the settings of a project: analytics projects pull ID',
    ],
  ])('are refused: %s', async (_, files, named, problem) => {
    expect(await read(files, named)).toEqual([problem])
  })
})
