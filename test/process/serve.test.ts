/** `sandbox serve` as a process of its own, and the program as its client. */
import { spawnSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { type Call, calls } from '../calls.ts'
import { needsPosix } from '../posix.ts'
import { newWorld } from '../world.ts'
import { analytics, bin, type Env, emptyHome, type Started, start } from './program.ts'

needsPosix('signals')

/** A new sandbox, and the variables for it. */
async function serve(...options: readonly string[]): Promise<Started & { readonly env: Env }> {
  const HOME = emptyHome()
  const served = start(['sandbox', 'serve', '--port', '0', '-o', 'json', ...options], { HOME })
  onTestFinished(() => void served.child.kill('SIGTERM'))
  const { base_url, api_key, project } = JSON.parse(await firstOutput(served))
  return {
    ...served,
    env: { HOME, ANALYTICS_BASE_URL: base_url, ANALYTICS_API_KEY: api_key, ANALYTICS_PROJECT: project },
  }
}

/** The output up to the project, which comes last. */
async function firstOutput({ child }: Started): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    if (/project.*\n/i.test(output)) break
  }
  return output
}

test('it prints base URL, key and project: in one line of JSON, or as lines to paste into a shell', async () => {
  const { env, child, finished } = await serve()
  expect(env).toMatchObject({
    ANALYTICS_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    ANALYTICS_API_KEY: expect.stringMatching(/^phx_sandbox_/),
    ANALYTICS_PROJECT: '1',
  })
  child.kill('SIGTERM')
  expect((await finished).code).toBe(143)
  const other = start(['sandbox', 'serve', '--port', '0', '--dialect', 'observed'], env)
  const lines = await firstOutput(other)
  // The key is printed although it is the one in use.
  expect(lines).toMatch(
    /^export ANALYTICS_BASE_URL=\S+\nexport ANALYTICS_API_KEY=phx_\S+\nexport ANALYTICS_PROJECT=1\n$/,
  )
  const script = `${lines} '${process.execPath}' '${bin}' persons list --limit 1 -o ids`
  expect(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout).toMatch(/^[\da-f]{8}-/)
  other.child.kill('SIGINT')
  expect((await other.finished).code).toBe(130)
})

test('with HOME=/dev/null it reads the variables, and names the variable for what it has to keep', async () => {
  const { env } = await serve()
  const away = { ...env, HOME: '/dev/null' }
  expect(await analytics(['persons', 'list', '--limit', '1', '-o', 'ids'], away)).toMatchObject({ code: 0, stderr: '' })
  const { code, stderr } = await analytics(['persons', 'delete', '1', '2', '--yes'], away)
  expect([code, stderr]).toEqual([2, expect.stringContaining('Set HOME, or ANALYTICS_STATE_DIR')])
})

test('one process sees what another one changed, and a port in use is refused', async () => {
  const { env } = await serve()
  expect((await analytics(['persons', 'delete', '3', '--yes'], env)).code).toBe(0)
  const missing = await analytics(['persons', 'get', '3', '-o', 'json'], env)
  expect([missing.code, JSON.parse(missing.stderr).error.exit]).toEqual([3, 3])
  const { port } = new URL(env.ANALYTICS_BASE_URL ?? '')
  const { code, stderr } = await analytics(['sandbox', 'serve', '--port', port])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/Port \d+ is in use by another program\.\n/)])
})

test.each(['documented', 'observed'])('%s: each of the 44 commands prints what the server responds', async dialect => {
  const [plain, ours] = await Promise.all([serve('--dialect', dialect), serve('--dialect', dialect)])
  const answered: Record<string, unknown> = {}
  const printed: Record<string, unknown> = {}
  const world = newWorld()
  for (const call of calls) {
    const [name, typed] = call
    const [wanted, { stdout, stderr, code }] = await Promise.all([
      ask(plain.env, call),
      world.run([...wordsOf(typed), '-o', 'json'], { env: ours.env }),
    ])
    expect([name, code, stderr.includes('error')]).toEqual([name, 0, false])
    answered[name] = settled(wanted)
    printed[name] = settled(JSON.parse(stdout))
  }
  expect(Object.keys(printed)).toHaveLength(44)
  expect(printed).toEqual(answered)
})

/** The response to a plain request, in the form in which it is printed. */
async function ask(env: Env, [name, , sent, body]: Call): Promise<unknown> {
  const [method = '', path] = sent.split(' ')
  const response = await fetch(`${env.ANALYTICS_BASE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${env.ANALYTICS_API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  expect([name, response.ok]).toEqual([name, true])
  const id = /\/([\da-f-]+)\/(\w+\/)?(\?|$)/.exec(path ?? '')?.[1]
  if (method === 'DELETE') return [{ id, status: 'deleted', error: null }]
  const value = text === '' ? { success: true } : JSON.parse(text)
  return value.success ? { id, status: 'updated' } : (value.results ?? value.result ?? value)
}

/** Without the time of the run and random tokens. */
function settled(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one) => {
    if (typeof one !== 'string') return one
    if (Math.abs(Date.now() - Date.parse(one)) < 3600_000) return 'now'
    return one.replace(/^phc_sandbox_.*/, 'a token')
  })
}
