/** The differences between the dialects. `UPDATE=1` writes them into `docs/sandbox.md`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { differences } from './differences.ts'
import { type Fact, wrongFacts } from './facts.ts'

const rows = differences.flatMap(({ facts }) => facts)

describe.each(['in process', 'over HTTP'] as const)('requests %s', through => {
  test('get the documented responses in the documented dialect', async () => {
    const facts = rows.map(([request, documented]): Fact => [request, documented])
    expect(await wrongFacts(facts, 'documented', through)).toEqual([])
  })

  test('get the observed responses in the observed dialect', async () => {
    const facts = rows.map(([request, _, observed]): Fact => [request, observed])
    expect(await wrongFacts(facts, 'observed', through)).toEqual([])
  })
})

test('docs/sandbox.md lists every difference', () => {
  const file = join(import.meta.dirname, '../../docs/sandbox.md')
  const page = readFileSync(file, 'utf8')
  const list = differences.map(({ text }, i) => `${i + 1}. ${text}\n`).join('')
  const fresh = page.replace(/(?<=<!-- differences -->\n).*(?=<!-- end -->)/s, `\n${list}\n`)
  if (process.env.UPDATE) writeFileSync(file, fresh)
  else expect(page).toBe(fresh)
})
