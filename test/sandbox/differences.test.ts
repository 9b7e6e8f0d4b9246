/** The table of the twelve differences, in process and over HTTP; `UPDATE=1` writes it into `docs/sandbox.md`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dialects } from '../../src/config/sandbox-variable.ts'
import { uuidOf } from '../../src/sandbox/hash.ts'
import { serve } from '../../src/sandbox/server.ts'
import { differences } from './differences.ts'
import { visit } from './visit.ts'

interface Told {
  readonly status: number
  readonly text: string
}

type Ask = (method: string, path: string, body?: string) => Promise<Told>

const devices = Array.from({ length: 1001 }, (_, i) => `device-${i + 1}`)
const manyNamed = JSON.stringify({ id: 900, distinct_ids: devices, created_at: '2020-05-01T00:00:00Z' })
const event = uuidOf('event definition 1 order placed')

describe.each(dialects)('%s', dialect => {
  test('in process', async () => {
    const { ask, sandbox } = await visit({ dialect })
    await sandbox.load([manyNamed])
    expect(await failures(dialect, ask)).toEqual([])
  })

  test('over HTTP', async () => {
    const { sandbox } = await visit({ dialect })
    await sandbox.load([manyNamed])
    const server = await serve({ port: 0, answer: sandbox.answer })
    onTestFinished(() => server.close())
    const headers = { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' }
    const ask: Ask = async (method, path, body) => {
      const response = await fetch(server.baseUrl + path, { method, headers, ...(body ? { body } : {}) })
      return { status: response.status, text: await response.text() }
    }
    expect(await failures(dialect, ask)).toEqual([])
  })
})

/** Asks all of it on one sandbox, so that every answer that is not as it should be is shown at once. */
async function failures(dialect: (typeof dialects)[number], ask: Ask): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const [request, documented, observed] of differences.flatMap(({ facts }) => facts)) {
    const [, method = '', short = '', body] = /^(\w+) (\S+)(?: (.*))?$/.exec(request) ?? []
    const answer = await ask(method, pathOf(short), body)
    const [status, ...conditions] = partsOf(dialect === 'observed' ? observed : documented)
    const isRight = String(answer.status) === status && conditions.every(one => holds(answer.text, one))
    if (!isRight) wrong.push([request, status, conditions, answer.status, answer.text.slice(0, 300)])
  }
  return wrong
}

function pathOf(short: string): string {
  return short
    .replace(/^P/, '/api/projects/1/persons')
    .replace(/^E/, '/api/projects/1/event_definitions')
    .replace(/^G/, '/api/organizations/@current/plugins')
    .replace(/^J/, '/api/projects')
    .replace(':event', event)
}

/** A blank within quotes ends no condition. */
function partsOf(answer: string): readonly string[] {
  return answer.match(/(?:"(?:[^"\\]|\\.)*"|\S)+/g) ?? []
}

function holds(text: string, condition: string): boolean {
  if (condition === 'empty') return text === ''
  const [, not, path = '', sign, wanted = ''] = /^(!?)([\w.$]*)([=~#]?)(.*)$/s.exec(condition) ?? []
  const names = path.split('.')
  const value = names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | null)?.[name],
    JSON.parse(text),
  )
  if (not) return value === undefined
  if (sign === '=') return JSON.stringify(value) === wanted
  if (sign === '~') return String(value).includes(wanted)
  if (sign === '#') return Array.isArray(value) && value.length === Number(wanted)
  return value !== undefined
}

test('docs/sandbox.md shows the table', () => {
  const file = join(import.meta.dirname, '../../docs/sandbox.md')
  const page = readFileSync(file, 'utf8')
  const [head, tail] = page.split(/(?<=<!-- differences -->\n).*(?=<!-- end -->)/s)
  const cell = (text: string) => `\`${text.replaceAll('|', '\\|')}\``
  const lines = differences.flatMap(({ says, facts }, i) => [
    `${i + 1}. ${says}`,
    '',
    '   | request | documented | observed |',
    '   |---|---|---|',
    ...facts.map(fact => `   | ${fact.map(cell).join(' | ')} |`),
    '',
  ])
  const fresh = `${head}\n${lines.join('\n')}\n${tail}`
  if (process.env.UPDATE) writeFileSync(file, fresh)
  else expect(page).toBe(fresh)
})
