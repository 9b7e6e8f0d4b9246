/**
 * All 44 endpoints over real HTTP, in both dialects, one after the other on two new sandboxes, each a process: asked plainly
 * on one, by `analytics` on the other. What is printed has to be what was answered.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { type Call, calls } from '../calls.ts'
import { needsPosix } from '../posix.ts'
import { World } from '../world.ts'
import { type Env, emptyHome, type Started, start } from './program.ts'

needsPosix('signals')

const serving: Started[] = []

afterAll(async () => {
  for (const { child } of serving) child.kill('SIGTERM')
  await Promise.all(serving.map(({ finished }) => finished))
})

/** A new sandbox, and what a client needs to know of it. */
async function serve(dialect: string): Promise<Env> {
  const HOME = emptyHome()
  const served = start(['sandbox', 'serve', '--port', '0', '-o', 'json', '--dialect', dialect], { HOME })
  serving.push(served)
  const greeting = await new Promise<string>(resolve =>
    served.child.stdout?.once('data', text => resolve(String(text))),
  )
  const { base_url, api_key, project } = JSON.parse(greeting)
  return { HOME, ANALYTICS_BASE_URL: base_url, ANALYTICS_API_KEY: api_key, ANALYTICS_PROJECT: project }
}

describe.each(['documented', 'observed'])('%s', dialect => {
  test.concurrent('what is printed is what was answered', async ({ expect }) => {
    const [plain, ours] = await Promise.all([serve(dialect), serve(dialect)])
    const answered: Record<string, unknown> = {}
    const printed: Record<string, unknown> = {}
    const world = new World()
    for (const call of calls) {
      const [name, typed] = call
      const [wanted, { stdout, stderr, code }] = await Promise.all([
        ask(plain, call),
        world.run([...wordsOf(typed), '-o', 'json'], { env: ours }),
      ])
      expect([name, code, stderr.includes('error')]).toEqual([name, 0, false])
      answered[name] = settled(wanted)
      printed[name] = settled(JSON.parse(stdout))
    }
    expect(Object.keys(printed)).toHaveLength(44)
    expect(printed).toEqual(answered)
  })
})

/** The answer to a plain request, in the form in which it is to be printed. */
async function ask(env: Env, [name, , sent, body]: Call): Promise<unknown> {
  const [method = '', path] = sent.split(' ')
  const response = await fetch(`${env.ANALYTICS_BASE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${env.ANALYTICS_API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  expect([name, response.status]).toEqual([name, expect.toSatisfy((status: number) => status >= 200 && status < 300)])
  const id = /\/([\da-f-]+)\/(\w+\/)?(\?|$)/.exec(path ?? '')?.[1]
  if (method === 'DELETE') return [{ id, status: 'deleted', error: null }]
  const value = text === '' ? { success: true } : JSON.parse(text)
  return value.success ? { id, status: 'updated' } : (value.results ?? value.result ?? value)
}

/** Without what differs from run to run: the time of it, and what is drawn by lot. */
function settled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one) => {
    if (typeof one !== 'string') return one
    if (Math.abs(Date.now() - Date.parse(one)) < 3600_000) return 'now'
    return one.replace(/^phc_sandbox_.*/, 'a token')
  })
}
