/** Folders of other users, a missing home, a terminal that is closed, clocks that jump. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { start } from '../process/program.ts'
import { hasTerminal, openTerminal } from '../process/terminal.ts'
import { json, serve } from '../server.ts'
import { accepting, startService, writesOf } from '../service.ts'
import { deleting, isRoot, type Shell, startShell, unknownUser, unprivileged } from './shell.ts'

needsPosix('a shell and modes')

let shell: Shell
beforeAll(async () => {
  shell = await startShell()
})
afterAll(() => shell.close())

describe('folders', () => {
  const homeless = 'unset HOME USERPROFILE XDG_CONFIG_HOME XDG_STATE_HOME;'

  test('are in the home that the system knows if HOME is not set', async () => {
    const { stdout } = await shell.run(`${homeless} analytics doctor`)
    expect(stdout).toContain(join(userInfo().homedir, '.local/state/analytics'))
  })

  test.skipIf(isRoot)('that cannot be read: doctor names the one that it needs', async () => {
    const line = 'mkdir shut; chmod 0 shut; HOME=$PWD/shut/home analytics doctor; chmod 700 shut'
    expect((await shell.run(`${homeless} ${line}`)).stdout).toMatch(/^state folder +fail .*shut\/home/m)
  })

  test.runIf(existsSync('/proc/self'))('in /proc, where none can be made, exit with 2', async () => {
    const run = (line: string) => shell.run(`HOME=/proc timeout --signal=KILL 20 $NODE $BIN ${line}`)
    for (const [line, file] of [
      ['--sandbox persons list', 'sandbox.db'],
      ['persons delete 1 2 --yes', 'analytics/jobs'],
      ['profiles add p --base-url https://a.example.com --api-key-stdin <<< key', 'config.json'],
    ] as const) {
      const { code, stderr, sent } = await run(line)
      expect([code, sent, stderr]).toEqual([2, 0, expect.stringContaining(file)])
    }
  })

  test('without a home, commands that need a folder exit with 2, and nothing is sent', async ({ skip }) => {
    if (!unknownUser) return skip('Only root can change to an unknown user')
    const run = (line: string) => shell.run(`${homeless} ${line}`, {}, unknownUser)
    for (const words of [`${deleting} -q`, 'analytics profiles list', 'analytics --sandbox persons list -q']) {
      const { stderr, code, sent } = await run(words)
      expect([code, sent]).toEqual([2, 0])
      expect(stderr).toContain('No home folder was found.\nSet HOME, or ANALYTICS_')
    }
  })

  const keepsItsRights = 'Root cannot give up its capabilities here: setpriv is missing or not allowed'

  test('in a home that is read-only: no run starts, and the message names the variable', async ({ skip }) => {
    if (!unprivileged) return skip(keepsItsRights)
    const home = join(shell.folder, 'read-only')
    mkdirSync(home, { mode: 0o555 })
    const run = (line: string) => shell.run(line, { HOME: home }, unprivileged)
    const { stderr, code, sent } = await run(deleting)
    expect([code, sent]).toEqual([2, 0])
    expect(stderr).toMatch(/The job cannot be saved in .*: not allowed\.\n.*ANALYTICS_STATE_DIR/)
    expect(await run('analytics --sandbox persons list')).toMatchObject({ code: 2 })
    expect(
      await run('echo a-key | analytics profiles add p --base-url https://a.example.com --api-key-stdin'),
    ).toMatchObject({ code: 2 })
    expect(readdirSync(home)).toEqual([])
  })

  test.for([
    ['of another user', 0o700],
    ['of another user that everyone can read', 0o755],
  ] as const)('%s are not used', async ([, mode], { skip }) => {
    if (!isRoot) return skip('Only root can change the owner of a folder')
    if (!unprivileged) return skip(keepsItsRights)
    const foreign = mkdtempSync(join(shell.folder, 'foreign-'))
    mkdirSync(join(foreign, 'jobs'))
    for (const folder of [foreign, join(foreign, 'jobs')]) {
      chmodSync(folder, mode)
      chownSync(folder, 65_534, 65_534)
    }
    const run = (line: string) =>
      shell.run(line, { ANALYTICS_STATE_DIR: foreign, ANALYTICS_CONFIG_DIR: foreign }, unprivileged)
    for (const line of [deleting, 'analytics --sandbox persons list']) {
      const { stderr, code, sent } = await run(line)
      const refused = line === deleting && mode === 0o755 ? 10 : 2
      expect([code, sent, stderr.includes(foreign)]).toEqual([refused, 0, true])
    }
    expect(readdirSync(foreign)).toEqual(['jobs'])
  })

  test('with a file in their place: it is named, and nothing is sent', async () => {
    const file = join(shell.folder, 'file')
    writeFileSync(file, 'mine')
    const add = 'echo a-key | analytics profiles add p --base-url https://a.example.com --api-key-stdin'
    for (const line of [deleting, add, 'analytics --sandbox persons list']) {
      const { stderr, code, sent } = await shell.run(line, { ANALYTICS_STATE_DIR: file, ANALYTICS_CONFIG_DIR: file })
      expect([line, code, sent, stderr.includes(file)]).toEqual([line, 2, 0, true])
    }
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})

test('a limit of open files stops a run with 7, and without the limit it resumes', async () => {
  const line = `(ulimit -n 40; seq 1 200 | analytics persons delete --from - --concurrency 64 --yes --retries 0)
    echo "first $?"; analytics jobs resume --last -o json; echo "second $?"`
  const before = shell.server.asked.length
  const { stdout, stderr } = await shell.run(line, { HOME: mkdtempSync(join(shell.folder, 'home-')) })
  expect(stderr).toMatch(/failed: too many files are open\.\n.*limit of open files \(ulimit -n\)/)
  expect(stdout.match(/(?<=first |second )\d+/g)).toEqual(['7', '0'])
  // Nothing was sent without a connection, so nothing was sent twice.
  const ids = writesOf(shell.server.asked.slice(before)).map(({ path }) => Number(path.split('/')[5]))
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
})

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

describe('SIGHUP in the middle of a run', () => {
  const argv = ['persons', 'delete', '--from', '-', '--yes', '--concurrency', '2']
  const ids = Array.from({ length: 100 }, (_, i) => `${i + 1}\n`).join('')

  /** A service that delays the first response for person 50. */
  async function begin() {
    let reach: (answer: () => void) => void = () => undefined
    const reached = new Promise<() => void>(resolve => {
      reach = resolve
    })
    let isSlow = true
    const { env } = await serve((asked, response) => {
      if (!isSlow || !asked.path.endsWith('/50/')) return accepting(asked, response)
      isSlow = false
      return reach(() => void accepting(asked, response))
    })
    const home = mkdtempSync(join(shell.folder, 'home-'))
    return { env: { ...env, HOME: home }, home, reached }
  }

  test('does not stop a run without a terminal, as nohup would do', async () => {
    const { env, reached } = await begin()
    const { child, finished } = start(argv, env, ids)
    const answer = await reached
    child.kill('SIGHUP')
    answer()
    expect(await finished).toMatchObject({ code: 0, stderr: expect.stringContaining('Deleted 100 persons') })
  })

  test.runIf(hasTerminal)('from a closed window leaves a job to resume', async () => {
    const { env, home, reached } = await begin()
    const list = join(home, 'ids.txt')
    const file = join(home, 'receipt.json')
    writeFileSync(list, ids)
    const codeFile = join(home, 'code')
    const window = openTerminal(argv, env, { redirect: `< '${list}'`, codeFile })
    await reached
    window.close()
    // An abort (134) could leave a core dump, which holds the key.
    await expect.poll(() => textOf(codeFile)).toBe('129\n')
    const [job] = JSON.parse((await start(['jobs', 'list', '-o', 'json'], env).finished).stdout)
    expect(job.state).toBe('interrupted')
    expect(await start(['jobs', 'resume', job.id, '--receipt', file], env).finished).toMatchObject({ code: 0 })
    const { complete, outcomes } = JSON.parse(readFileSync(file, 'utf8'))
    expect([complete, outcomes.map((one: { id: string }) => `${one.id}\n`).join('')]).toEqual([true, ids])
    expect(outcomes.every((one: { status: string }) => one.status === 'deleted')).toBe(true)
  })
})

test.each([
  ['forward', 1],
  ['back', -1],
  ['forward and back', 0],
])('a clock that jumps %s by years does not affect a run', async (_, direction) => {
  const year = 365 * 86_400_000
  let asked = 0
  const { world, env } = await startService((one, response) => {
    world.clock.set(world.clock.now() + year * (direction || (++asked % 2 === 0 ? 1 : -1)))
    if (asked % 5 === 4) return json(response, {}, 429)
    return accepting(one, response)
  })
  const argv = ['persons', 'delete', ...Array.from({ length: 20 }, (_, i) => String(i + 1)), '--yes', '--rate', '100/s']
  const { code, stderr } = await world.run([...argv, '--receipt', 'receipt.json'], { env })
  expect([code, stderr]).toEqual([0, expect.stringContaining('Deleted 20 persons')])
  expect(Math.max(...world.clock.sleeps)).toBeLessThan(60_000)
})
