import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const docs = join(import.meta.dirname, '../../docs')

test('every promise of docs/security.md names tests that are there', () => {
  const page = readFileSync(join(docs, 'security.md'), 'utf8')
  const links = [...page.matchAll(/\]\((\.\.\/[^)]+)\)/g)].map(([, link]) => link ?? '')
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(link => !existsSync(join(docs, link)))).toEqual([])
  const rows = page.split('\n').filter(line => /^\| (?!promise|---)/.test(line))
  expect(rows.filter(row => !row.includes('](../test/'))).toEqual([])
})
