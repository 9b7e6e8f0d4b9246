import { expect, test } from 'vitest'
import { draw } from '../../src/settings/draw.ts'
import { markdown } from '../../src/settings/markdown.ts'
import { text } from '../output/print.ts'

const zone = { field: 'timezone', from: 'Europe/London', to: 'Europe/Berlin' }

test('a value that changes is a line that goes and a line that comes', () => {
  expect(draw([zone, { field: 'primary_dashboard', from: null, to: 5 }], false)).toBe(text`
    - timezone: Europe/London
    + timezone: Europe/Berlin
    - primary_dashboard: null
    + primary_dashboard: 5
  `)
  expect(draw([], false)).toBe('')
})

test('of a long value only the lines near a change are shown', () => {
  const urls = Array.from({ length: 9 }, (_, i) => `https://${i}.example.com`)
  const to = urls.with(5, 'https://new.example.com')
  expect(draw([{ field: 'app_urls', from: urls, to }], false).split('\n')).toEqual([
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

test('in colour the words that differ are inverted, where the lines share any', () => {
  expect(draw([zone], true)).toBe(
    '\u001b[31m- timezone: Europe/\u001b[7mLondon\u001b[27m\u001b[39m\n' +
      '\u001b[32m+ timezone: Europe/\u001b[7mBerlin\u001b[27m\u001b[39m\n',
  )
  expect(draw([{ field: 'is_demo', from: false, to: true }], true)).toBe(
    '\u001b[31m- is_demo: false\u001b[39m\n\u001b[32m+ is_demo: true\u001b[39m\n',
  )
})

test('secrets that look the same when masked are shown to differ', () => {
  expect(draw([{ field: 'slack_incoming_webhook', from: '***', to: '***' }], false)).toBe(
    '- slack_incoming_webhook: "***"\n+ slack_incoming_webhook: "***"\n',
  )
})

test('nothing alive reaches a terminal', () => {
  const drawn = draw([{ field: 'name', from: 'a\u001b[2J', to: '\u202eb\u0007' }], false)
  expect(drawn).toBe('- name: "a\\e[2J"\n+ name: "\\u202eb\\a"\n')
})

test('large values are compared in time', () => {
  const list = (seed: number) => Array.from({ length: 20_000 }, (_, i) => `${(i * seed) % 20_011}`)
  expect(draw([{ field: 'app_urls', from: list(7), to: list(13) }], true).split('\n').length).toBeGreaterThan(20_000)
})

test('in Markdown no text of the service ends the block or makes a link', () => {
  const change = { field: 'name', from: '```', to: '[a](https://example.com)' }
  expect(markdown('1 setting of project 1 (a_b) differs', [change], ['<b>']).split('\n')).toEqual([
    '### 1 setting of project 1 (a\\_b) differs',
    '',
    '````diff',
    '- name: "```"',
    '+ name: "[a](https://example.com)"',
    '````',
    '',
    '\\<b\\>',
    '',
  ])
})
