import { expect, test } from 'vitest'
import { diffLines } from '../../../src/commands/projects/diff.ts'

type Changes = Parameters<typeof diffLines>[0][number]['changes']

function drawn(changes: Changes, isColored: boolean): string {
  const [title, ...lines] = diffLines([{ title: 'project 1 (Shop)', changes }])
  expect(title).toBe('project 1 (Shop):')
  const painted = lines.map(line => {
    if (typeof line === 'string') return line
    return isColored ? `\u001b[${line.color}m${line.text}\u001b[39m` : line.text
  })
  return painted.map(line => `${line}\n`).join('')
}

const zone = { field: 'timezone', from: 'Europe/London', to: 'Europe/Berlin' }

test('a changed value is a line with - and a line with +', () => {
  expect(drawn([zone, { field: 'primary_dashboard', from: null, to: 5 }], false)).toBe(
    '- timezone: Europe/London\n+ timezone: Europe/Berlin\n- primary_dashboard: null\n+ primary_dashboard: 5\n',
  )
})

test('the diff of a long value shows only the lines around a change', () => {
  const urls = Array.from({ length: 9 }, (_, i) => `https://${i}.example.com`)
  const to = urls.with(5, 'https://new.example.com')
  expect(drawn([{ field: 'app_urls', from: urls, to }], false).split('\n')).toEqual([
    '  app_urls:',
    '  …',
    '    - https://3.example.com',
    '    - https://4.example.com',
    '-   - https://5.example.com',
    '+   - https://new.example.com',
    '',
  ])
})

test('old values are red and new ones are green', () => {
  expect(drawn([zone], true)).toBe(
    '\u001b[31m- timezone: Europe/London\u001b[39m\n\u001b[32m+ timezone: Europe/Berlin\u001b[39m\n',
  )
})

test('lines that differ only in a masked secret are not shown as unchanged', () => {
  const urls = (password: string, last: string) => [`https://u:${password}@a.example.com`, 'b', last]
  expect(drawn([{ field: 'app_urls', from: urls('one', 'c'), to: urls('two', 'd') }], false).split('\n')).toEqual([
    '  app_urls:',
    ...['-   - https://***@a.example.com', '-   - b', '-   - c'],
    ...['+   - https://***@a.example.com', '+   - b', '+   - d'],
    '',
  ])
})

test('control characters are escaped', () => {
  const text = drawn([{ field: 'name', from: 'a\u001b[2J', to: '\u202eb\u0007' }], false)
  expect(text).toBe('- name: "a\\e[2J"\n+ name: "\\U0000202eb\\a"\n')
})

test('large values are compared quickly', () => {
  const list = (seed: number) => Array.from({ length: 20_000 }, (_, i) => `${(i * seed) % 20_011}`)
  expect(drawn([{ field: 'app_urls', from: list(7), to: list(13) }], true).split('\n').length).toBeGreaterThan(20_000)
})
