import { expect, test } from 'vitest'
import { drawChanges } from '../../src/settings/draw.ts'
import { markdown } from '../../src/settings/markdown.ts'
import { text } from '../output/print.ts'

const zone = { field: 'timezone', from: 'Europe/London', to: 'Europe/Berlin' }

test('a value that changes is a line that goes and a line that comes', () => {
  expect(drawChanges([zone, { field: 'primary_dashboard', from: null, to: 5 }], false)).toBe(text`
    - timezone: Europe/London
    + timezone: Europe/Berlin
    - primary_dashboard: null
    + primary_dashboard: 5
  `)
  expect(drawChanges([], false)).toBe('')
})

test('of a long value only the lines near a change are shown', () => {
  const urls = Array.from({ length: 9 }, (_, i) => `https://${i}.example.com`)
  const to = urls.with(5, 'https://new.example.com')
  expect(drawChanges([{ field: 'app_urls', from: urls, to }], false).split('\n')).toEqual([
    '  app_urls:',
    '  …',
    '    - https://3.example.com',
    '    - https://4.example.com',
    '-   - https://5.example.com',
    '+   - https://new.example.com',
    '    - https://6.example.com',
    '    - https://7.example.com',
    '  …',
    '',
  ])
})

test('in colour, what goes is red and what comes is green', () => {
  expect(drawChanges([zone], true)).toBe(
    '\u001b[31m- timezone: Europe/London\u001b[39m\n\u001b[32m+ timezone: Europe/Berlin\u001b[39m\n',
  )
})

test('secrets that look the same when masked are shown to differ', () => {
  expect(drawChanges([{ field: 'slack_incoming_webhook', from: '***', to: '***' }], false)).toBe(
    '- slack_incoming_webhook: "***"\n+ slack_incoming_webhook: "***"\n',
  )
})

test('nothing alive reaches a terminal', () => {
  const drawn = drawChanges([{ field: 'name', from: 'a\u001b[2J', to: '\u202eb\u0007' }], false)
  expect(drawn).toBe('- name: "a\\e[2J"\n+ name: "\\u202eb\\a"\n')
})

test('large values are compared in time', () => {
  const list = (seed: number) => Array.from({ length: 20_000 }, (_, i) => `${(i * seed) % 20_011}`)
  expect(drawChanges([{ field: 'app_urls', from: list(7), to: list(13) }], true).split('\n').length).toBeGreaterThan(
    20_000,
  )
})

test('no line is a command of a CI runner', () => {
  const from = 'a\n##[group]\n::add-mask::b\nc'
  const drawn = drawChanges([{ field: 'name', from, to: `${from}d` }], false)
  expect(drawn).not.toMatch(/^\s*(::|##\[|##vso\[)/m)
})

test('in Markdown no text of the service is read as Markdown, a link or a mention', () => {
  const change = { field: 'name', from: '`|` @org/team', to: 'https://a.example.com' }
  const where = 'project 1 (@org `x`, sandbox)'
  expect(
    markdown([
      {
        title: '1 setting to change',
        where,
        place: where,
        project: 'a|b',
        changes: [change],
        remarks: ['@org [a](https://a)'],
      },
    ]).split('\n'),
  ).toEqual([
    '### 1 setting to change: ``project 1 (@org `x`, sandbox)``',
    '',
    '| Project | Field | Old | New |',
    '|---|---|---|---|',
    '| <code>a&#124;b</code> | `name` | <code>&#34;&#96;&#124;&#96; &#64;<!-- -->org&#47;team&#34;</code> | `https://a.example.com` |',
    '',
    '`@org [a](https://a)`',
    '',
  ])
})

test('in Markdown a long value is folded, and stays one line of the table', () => {
  const to = Array.from({ length: 9 }, (_, i) => `https://www.${i}.example.com/<b>`)
  const [, , , , row = ''] = markdown([
    { title: 't', where: 'w', place: 'w', project: '1', changes: [{ field: 'app_urls', from: [], to }], remarks: [] },
  ]).split('\n')
  expect(row).toMatch(/^\| `1` \| `app_urls` \| `\[\]` \| <details><summary>10 lines<\/summary><pre>app&#95;urls/)
  expect(row).toContain('https&#58;<!-- -->&#47;&#47;www<!-- -->&#46;0&#46;example')
  expect(row).not.toContain('<b>')
})
