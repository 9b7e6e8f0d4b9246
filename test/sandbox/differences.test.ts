/** The differences of the dialects; `UPDATE=1` writes their sentences into `docs/sandbox.md`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { differences } from './differences.ts'
import { type Fact, wrongFacts } from './facts.ts'

const rows = differences.flatMap(({ facts }) => facts)

describe.each(['in process', 'over HTTP'] as const)('%s', way => {
  test('as documented', async () => {
    const facts = rows.map(([request, documented]): Fact => [request, documented])
    expect(await wrongFacts(facts, 'documented', way)).toEqual([])
  })

  test('as observed', async () => {
    const facts = rows.map(([request, _, observed]): Fact => [request, observed])
    expect(await wrongFacts(facts, 'observed', way)).toEqual([])
  })
})

test('docs/sandbox.md tells them', () => {
  const file = join(import.meta.dirname, '../../docs/sandbox.md')
  const page = readFileSync(file, 'utf8')
  const said = differences.map(({ says }, i) => `${i + 1}. ${says}\n`).join('')
  const fresh = page.replace(/(?<=<!-- differences -->\n).*(?=<!-- end -->)/s, `\n${said}\n`)
  if (process.env.UPDATE) writeFileSync(file, fresh)
  else expect(page).toBe(fresh)
})
