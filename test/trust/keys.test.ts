/** The key is in `config.json`, and in nothing else that is ever written. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allCommands } from '../../scripts/all-commands.ts'
import { splitExample } from '../../src/cli/help.ts'
import { wordsOf } from '../../src/text/shell-words.ts'
import { filesIn } from '../files-in.ts'
import type { Answer } from '../server.ts'
import { accepting, startService } from '../service.ts'
import type { Ran, World } from '../world.ts'

const key = 'phx_0123456789-this-is-the-key'
const spellings = [
  key,
  Buffer.from(key).toString('base64').slice(0, 24),
  'session-cookie',
  Buffer.from(`Bearer ${key}`).toString('base64').slice(0, 24),
]

/** Every example in the help of every command, but `sandbox serve`, which runs until it is interrupted. */
async function examples(): Promise<string[][]> {
  const { commands } = await allCommands()
  const lines = commands.flatMap(({ command }) => command.examples.map(example => wordsOf(splitExample(example).line)))
  return lines.filter(([group, verb]) => !(group === 'sandbox' && verb === 'serve'))
}

/** Refuses, and repeats the key in every part of the response. */
const repeating =
  (status: number): Answer =>
  ({ headers }, response) => {
    const { authorization = '' } = headers
    const bare = authorization.replace('Bearer ', '')
    response.writeHead(status, {
      'content-type': 'application/json',
      'set-cookie': 'sid=session-cookie; Path=/',
      'x-request-id': bare,
      location: `/login/${bare}/`,
    })
    response.end(
      JSON.stringify({ code: bare, attr: authorization, detail: `Who is ${bare}? Who is ${authorization}?` }),
    )
  }

const pleased: Answer = (asked, response) => {
  response.setHeader('set-cookie', 'sid=session-cookie; Path=/')
  return accepting(asked, response)
}

/** What was written to the streams, and to every file but `config.json`. */
function written(world: World, runs: readonly Ran[]): string {
  const files = filesIn(world.folder).filter(file => basename(file) !== 'config.json')
  return [
    ...runs.flatMap(({ stdout, stderr }) => [stdout, stderr]),
    ...files.map(file => `${basename(file)}\n${readFileSync(file, 'latin1')}`),
  ].join('\n')
}

function expectNoKey(text: string): void {
  for (const spelling of spellings) {
    const at = text.indexOf(spelling)
    expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 60)).toBe('')
  }
}

describe('examples of commands write no key', () => {
  /** With a number: one example in three, from that one on. */
  test.each<[string, Answer, readonly string[], number?]>([
    ['on success, even with --debug', pleased, ['--debug', '--yes']],
    ['when the service refuses, and repeats the key', repeating(400), ['--debug', '--yes'], 2],
    ['in a dry run', pleased, ['--dry-run', '-o', 'json'], 0],
    ['when the service rejects the key, in JSON', repeating(401), ['-o', 'json', '--yes'], 1],
  ])('%s', async (_, answer, options, first) => {
    const { world, env } = await startService(answer)
    const runs: Ran[] = []
    const chosen = (await examples()).filter((_, i) => first === undefined || i % 3 === first)
    for (const words of chosen) {
      runs.push(await world.run([...words, ...options], { env: { ...env, ANALYTICS_API_KEY: key }, stdin: '1\n2\n' }))
    }
    expectNoKey(written(world, runs))
    // Most examples reached the service.
    expect(runs.filter(({ code }) => code !== 2).length).toBeGreaterThan(chosen.length / 2)
  })

  test('when the program has a bug', async () => {
    const { world, env } = await startService()
    const dispatcher = {
      dispatch(options: { readonly headers: object }): boolean {
        throw new TypeError(`Cannot send ${JSON.stringify(options.headers)}`)
      },
      destroy: async () => undefined,
    }
    const ran = await world.run(['persons', 'list', '--debug'], { env: { ...env, ANALYTICS_API_KEY: key }, dispatcher })
    expect(ran.code).toBe(1)
    expectNoKey(ran.stderr)
  })
})

test('a run of many leaves no key in its job, backup and receipt', async () => {
  const { world, env } = await startService((asked, response) => {
    const gone = asked.method === 'DELETE' && asked.path.endsWith('/2/')
    return gone ? repeating(400)(asked, response) : pleased(asked, response)
  })
  const options = { env: { ...env, ANALYTICS_API_KEY: key } }
  const files = '--receipt receipt.json --backup backup.ndjson --reason asked --debug'
  const first = await world.run(`persons delete 1 2 3 --yes ${files}`.split(' '), options)
  expect(first.code).toBe(8)
  const [job] = readdirSync(join(world.folder, 'state/jobs'))
  const runs = [
    first,
    await world.run(['jobs', 'resume', job ?? '', '--debug', '-o', 'json'], options),
    await world.run(['jobs', 'show', job ?? '', '-o', 'ndjson'], options),
    await world.run(['jobs', 'list', '-o', 'csv'], options),
  ]
  expectNoKey(written(world, runs))
})
test.each([
  'persons delete 3 --yes --receipt r.json --reason',
  'projects delete 1 --yes --receipt r.json --reason',
])('%s with the key is refused before anything is sent', async line => {
  const { world, env, server } = await startService(pleased)
  for (const from of [{ ANALYTICS_API_KEY: key }, { ANALYTICS_API_KEY: '', ANALYTICS_API_KEY_FILE: 'key' }]) {
    writeFileSync(join(world.folder, 'key'), key, { mode: 0o600 })
    const ran = await world.run([...line.split(' '), `for ${encodeURIComponent(key)}`], { env: { ...env, ...from } })
    rmSync(join(world.folder, 'key'))
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/^--reason contains a secret/)])
    expectNoKey(written(world, [ran]))
  }
  expect(server.asked).toEqual([])
})

test('a saved key is in config.json, and is never shown', async () => {
  const { world, env } = await startService(repeating(400))
  const base = env.ANALYTICS_BASE_URL ?? ''
  const runs = [
    await world.run(['profiles', 'add', 'prod', '--base-url', base, '--project', '1', '--api-key-stdin', '--debug'], {
      stdin: `${key}\n`,
    }),
    await world.run(['profiles', 'add', 'prod', '--base-url', base, '--api-key-stdin'], { stdin: `${key}\n` }),
    await world.run(['profiles', 'set', 'prod', '--api-key-stdin'], { stdin: `${key}\n` }),
    await world.run(['profiles', 'set', 'prod', '--api-key-stdin', '-o', 'json'], { stdin: `${key} and more\n` }),
    await world.run(['profiles', 'list', '-o', 'json', '--reveal']),
    await world.run(['profiles', 'show', 'prod', '--reveal', '--debug']),
    await world.run(['profiles', 'show', '-o', 'csv'], { env: { ANALYTICS_API_KEY: key } }),
    await world.run(['persons', 'list', '--debug', '-o', 'json']),
  ]
  expect(runs.map(({ code }) => code)).toEqual([0, 2, 0, 2, 0, 0, 0, 5])
  expectNoKey(written(world, runs))
  expect(readFileSync(join(world.folder, 'config/config.json'), 'utf8')).toContain(key)
})
