/** The table of facts, in both dialects, in process and over HTTP. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Dialect } from '../../src/sandbox/call.ts'
import { serve } from '../../src/sandbox/server.ts'
import { lists, persons, pluginsAndEvents, projects, type SandboxFact, views } from './facts.ts'
import { visit } from './visit.ts'

interface Told {
  readonly status: number
  readonly text: string
}

type Ask = (method: string, path: string, body?: string, type?: string) => Promise<Told>

const tables = { lists, views, persons, projects, 'plugins and event definitions': pluginsAndEvents }

test('in at least 160 facts the dialects differ', () => {
  const differing = Object.values(tables)
    .flat()
    .filter(({ documented, observed }) => documented !== observed)
  expect(differing.length).toBeGreaterThanOrEqual(160)
})

describe.each(['documented', 'observed'] as const)('%s dialect', dialect => {
  test.each(Object.entries(tables))('%s, in process', async (_, facts) => {
    const { ask, sandbox } = await visit({ dialect })
    const headers = { authorization: `Bearer ${sandbox.key}` }
    await check(facts, dialect, (method, path, body, type) =>
      ask(method, path, body, type === undefined ? headers : { ...headers, 'content-type': type }),
    )
  })

  test.each(Object.entries(tables))('%s, over HTTP', async (_, facts) => {
    const { sandbox } = await visit({ dialect })
    const server = await serve(sandbox, { port: 0, host: '127.0.0.1' })
    onTestFinished(() => server.close())
    await check(facts, dialect, async (method, path, body, type = 'application/json') => {
      const headers = {
        authorization: `Bearer ${sandbox.key}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      }
      const response = await fetch(new URL(path, server.baseUrl), { method, headers, ...(body ? { body } : {}) })
      return { status: response.status, text: await response.text() }
    })
  })
})

/** Asks all of it on one sandbox, so that every answer that is not as it should be is shown at once. */
async function check(facts: readonly SandboxFact[], dialect: Dialect, ask: Ask): Promise<void> {
  const definitions = JSON.parse((await ask('GET', '/api/projects/1/event_definitions/')).text)
  const event = definitions.results.find(({ name }: { name: string }) => name === 'order placed').id
  const wrong: unknown[] = []
  for (const fact of facts) {
    const [, method = '', short = '', rest] = /^(\w+) (\S+)(?: (.*))?$/.exec(fact.request) ?? []
    const path = short
      .replace(/^P(?=[/?])/, '/api/projects/1/persons')
      .replace(/^E(?=[/?])/, '/api/projects/1/event_definitions')
      .replace(/^G(?=[/?])/, '/api/organizations/@current/plugins')
      .replace(/^J(?=[/?])/, '/api/projects')
      .replace(':event', event)
    const isForm = rest?.startsWith('form:')
    const type = isForm ? 'application/x-www-form-urlencoded' : undefined
    const answer = await ask(method, path, isForm ? rest?.slice('form:'.length) : rest, type)
    const failed = failures(answer, fact[dialect])
    if (/"detail":"[^"]*[.?]{2}"/.test(answer.text)) failed.push('one sentence ends once')
    if (failed.length > 0)
      wrong.push([fact.request, fact.why, fact[dialect], failed, answer.status, answer.text.slice(0, 200)])
  }
  expect(wrong).toEqual([])
}

/** The conditions that an answer does not meet. */
function failures({ status, text }: Told, expected: string): string[] {
  const [wanted, ...conditions] = expected.match(/(?:"(?:[^"\\]|\\.)*"|\S)+/g) ?? []
  if (String(status) !== wanted) return [`status ${wanted}`]
  return conditions.filter(condition => !holds(text, condition))
}

function holds(text: string, condition: string): boolean {
  if (condition === 'empty') return text === ''
  if (condition.startsWith('!')) return valueAt(text, condition.slice(1)) === undefined
  const [, path = '', sign, rest = ''] = /^([^=~#?]*)([=~#?]?)(.*)$/s.exec(condition) ?? []
  const value = valueAt(text, path)
  if (sign === '=') return JSON.stringify(value) === rest
  if (sign === '~') return String(value).includes(rest)
  if (sign === '#') return Array.isArray(value) && value.length === Number(rest)
  if (sign === '?') return Object.keys((value ?? {}) as object).join() === rest
  return value !== undefined
}

function valueAt(text: string, path: string): unknown {
  const names = path === '' ? [] : path.split('.')
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], JSON.parse(text))
}
