/** Requests with their expected responses, sent one after the other to one sandbox, in process or over HTTP. */
import { onTestFinished } from 'vitest'
import type { Dialect } from '../../src/config/settings.ts'
import { serve } from '../../src/sandbox/server.ts'
import { uuidOf } from '../../src/sandbox/store.ts'
import { visit } from './visit.ts'

/**
 * P, E, G and J are the persons, event definitions, plugins and projects. A response is its status, then conditions on its
 * body: `count=55`, `!count` (absent), `next~cursor` (contains), `results#0` (number of items), `?a,b` (members), `empty`.
 */
export type Fact = readonly [request: string, response: string]

const devices = Array.from({ length: 1001 }, (_, i) => `device-${i + 1}`)
/** Has more distinct ids than a list shows. */
const manyNamed = JSON.stringify({ id: 900, distinct_ids: devices, created_at: '2020-05-01T00:00:00Z' })

/** Returns the facts that are wrong. */
export async function wrongFacts(facts: readonly Fact[], dialect: Dialect, through: 'in process' | 'over HTTP') {
  const { request: inProcess, sandbox } = await visit({ dialect })
  await sandbox.load([manyNamed])
  const load = async (line: string) => ({ status: 200, text: JSON.stringify({ loaded: await sandbox.load([line]) }) })
  const send = through === 'in process' ? inProcess : await overHttp(sandbox)
  const wrong: unknown[] = []
  for (const [request, expected] of facts) {
    const [, method = '', path = '', body] = /^(\w+) (\S+)(?: (.*))?$/.exec(request) ?? []
    const { status, text } = method === 'LOAD' ? await load(path) : await send(method, pathOf(path), body)
    // A space inside quotes does not end a condition.
    const [wanted, ...conditions] = expected.match(/(?:"(?:[^"\\]|\\.)*"|\S)+/g) ?? []
    const failed = conditions.filter(one => !holds(text, one))
    if (String(status) !== wanted || failed.length > 0) wrong.push([request, expected, status, text.slice(0, 300)])
  }
  return wrong
}

async function overHttp({ respond, key }: Awaited<ReturnType<typeof visit>>['sandbox']) {
  const server = await serve(0, respond)
  onTestFinished(() => server.close())
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return async (method: string, path: string, body?: string) => {
    const response = await fetch(server.baseUrl + path, { method, headers, ...(body ? { body } : {}) })
    return { status: response.status, text: await response.text() }
  }
}

function pathOf(short: string): string {
  return short
    .replace(/^P/, '/api/projects/1/persons')
    .replace(/^E/, '/api/projects/1/event_definitions')
    .replace(/^G/, '/api/organizations/@current/plugins')
    .replace(/^J/, '/api/projects')
    .replace(':event', uuidOf('event definition 1 order placed'))
}

function holds(text: string, condition: string): boolean {
  if (condition === 'empty') return text === ''
  if (condition.startsWith('text=')) return JSON.stringify(text) === condition.slice('text='.length)
  const [, not, path = '', sign, wanted = ''] = /^(!?)([\w.$-]*)([=~#?]?)(.*)$/s.exec(condition) ?? []
  const names = path.split('.').filter(name => name !== '')
  const value = names.reduce<unknown>(
    (found, name) => (found as Record<string, unknown> | null)?.[name],
    JSON.parse(text),
  )
  if (not) return value === undefined
  if (sign === '=') return JSON.stringify(value) === wanted
  if (sign === '~') return String(value).includes(wanted)
  if (sign === '#') return Array.isArray(value) && value.length === Number(wanted)
  if (sign === '?') return Object.keys(value ?? {}).join() === wanted
  return value !== undefined
}
