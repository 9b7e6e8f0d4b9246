import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseUrl } from '../../src/values/url.ts'

test('a URL with an ü is parsed however often it is read', () => {
  let refused = 0
  for (let i = 0; i < 50_000; i++) if (!parseUrl('https://m\u00fcller.example/')) refused++
  expect(refused).toBe(0)
  expect(parseUrl('no address')).toBeUndefined()
  expect(parseUrl('?q=m\u00fcller', new URL('https://analytics.example.com/'))?.search).toBe('?q=m%C3%BCller')
})

test('no code calls URL.canParse, whose result changes once it is compiled', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  expect(files.filter(file => /URL\.canParse\(/.test(readFileSync(`src/${file}`, 'utf8')))).toEqual([])
})
