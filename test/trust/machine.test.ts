/** A machine that is in the way: full disks, folders that are not ours, nobody at home, clocks that jump. */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bin, type Env, type Finished, start } from '../process/program.ts'
import { json, startServer, type TestServer } from '../server.ts'
import { accepting, startService, writesOf } from '../service.ts'

let server: TestServer
let env: Env
let folder: string
beforeAll(async () => {
  server = await startServer(accepting)
  env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
})
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-machine-'))
  chmodSync(folder, 0o755)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Root may write everywhere: where we are root, somebody else runs it. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Runs a line of bash in which `analytics` is the program. */
function shell(line: string, more: Env = {}, as: object = {}): Promise<Finished> {
  const script = `analytics() { "$NODE" "$BIN" "$@"; }\n${line}`
  const options = {
    ...as,
    env: { PATH: process.env.PATH, HOME: folder, NODE: process.execPath, BIN: bin, ...env, ...more },
  }
  return new Promise(resolve => {
    execFile('bash', ['-c', script], options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: error ? Number(error.code) : 0 }),
    )
  })
}

const deleting = 'analytics persons delete 1 2 3 --yes'

/** So that what is said can be compared with what was sent. */
async function sentBy(line: string, more: Env = {}, as: object = {}): Promise<Finished & { sent: number }> {
  const before = writesOf(server.asked).length
  const finished = await shell(line, more, as)
  return { ...finished, sent: writesOf(server.asked).length - before }
}

const isLinux = process.platform === 'linux'

describe.runIf(isLinux)('a full disk', () => {
  const full = 'The output could not be written.\nIs the disk full?\n'

  test.each([
    '--version',
    '--help',
    'persons list --help',
    'persons get 1',
    'commands',
    'help exit-codes',
  ])('under stdout of analytics %s', async words => {
    expect(await shell(`analytics ${words} >/dev/full`)).toEqual({ stdout: '', stderr: full, code: 2 })
  })

  test('under stderr is no reason not to do the work', async () => {
    expect(await sentBy(`${deleting} --debug 2>/dev/full`)).toMatchObject({ code: 0, sent: 3 })
  })

  test('under stdout of a run of many: it is done to its end, and said', async () => {
    const { stderr, code, sent } = await sentBy(`${deleting} -o csv >/dev/full`)
    expect([code, sent, stderr.endsWith(full)]).toEqual([2, 3, true])
  })

  /** Mounted where nobody but the commands in it can see it. */
  const own = (size: string, line: string) => `unshare -rm bash -c '
    set -e; mkdir -p "$HOME/disk"; mount -t tmpfs -o size=${size} tmpfs "$HOME/disk"; set +e
    analytics() { "$NODE" "$BIN" "$@"; }
    ${line}'`
  const canMount = isLinux && spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

  describe.runIf(canMount)('of our own', () => {
    const state = { ANALYTICS_STATE_DIR: '' }
    beforeAll(() => {
      state.ANALYTICS_STATE_DIR = join(folder, 'disk')
    })

    test('that has no room for a job: nothing is sent', async () => {
      const line = own(
        '64k',
        'seq 1 20000 | analytics persons delete --from - --yes; code=$?; ls -A "$HOME/disk/jobs"; exit $code',
      )
      const { stdout, stderr, code, sent } = await sentBy(line, state)
      expect([code, stdout, sent]).toEqual([2, '', 0])
      expect(stderr).toContain(`The job cannot be kept in ${join(folder, 'disk/jobs')}.`)
    })

    test('that fills up during a run: what was sent is in the journal, and with room it goes on', async () => {
      const line = own(
        '64k',
        `seq 1 3000 | analytics persons delete --from - --yes -q; echo "first $?"
         mount -o remount,size=10m "$HOME/disk"
         analytics jobs resume $(ls "$HOME/disk/jobs") -q; echo "second $?"
         analytics jobs list -o json`,
      )
      const before = server.asked.length
      const { stdout, stderr } = await shell(line, state)
      expect(stderr).toContain('cannot be written.\nMake room on the disk.')
      expect(stdout.match(/^(first|second) \d+$/gm)).toEqual(['first 7', 'second 0'])
      expect(JSON.parse(stdout.slice(stdout.indexOf('[')))).toMatchObject([{ state: 'done', done: 3000, failed: 0 }])
      const paths = server.asked.slice(before).map(({ path }) => path)
      expect(new Set(paths).size).toBe(3000)
    })

    test('that has no room for a profile: the ones that were there stay', async () => {
      const add = 'analytics profiles add $1 --base-url https://$1.example.com --api-key-stdin'
      const line = own(
        '64k',
        `add() { echo a-key | ${add}; }; add one; head -c 100000 /dev/zero >"$HOME/disk/zero" 2>/dev/null
         add two; echo "code $?"; ls -A "$HOME/disk"; cat "$HOME/disk/config.json"`,
      )
      const { stdout } = await shell(line, { ANALYTICS_CONFIG_DIR: join(folder, 'disk') })
      const [code, ...rest] = stdout.split('\n')
      expect([code, rest.slice(0, 2)]).toEqual(['code 2', ['config.json', 'zero']])
      expect(Object.keys(JSON.parse(rest.slice(2).join('\n')).profiles)).toEqual(['one'])
    })
  })
})

describe('folders', () => {
  test('without a home one thing can be done, and what needs a folder says so', async () => {
    const homeless = 'unset HOME USERPROFILE XDG_CONFIG_HOME XDG_STATE_HOME;'
    expect(await sentBy(`${homeless} analytics persons delete 1 --yes -q`)).toMatchObject({ code: 0, sent: 1 })
    for (const words of [
      `${deleting} -q`,
      'analytics jobs list',
      'analytics profiles list',
      'analytics --sandbox persons list -q',
    ]) {
      const { stderr, code, sent } = await sentBy(`${homeless} ${words}`)
      expect([code, sent]).toEqual([2, 0])
      expect(stderr).toContain('There is no home folder to keep things in.\nSet HOME, or ANALYTICS_')
    }
  })

  test('in a home that cannot be written one thing can be done, and nothing else is begun', async () => {
    const home = join(folder, 'read-only')
    mkdirSync(home, { mode: 0o555 })
    const run = (line: string) => sentBy(line, { HOME: home }, nobody)
    expect(await run('analytics persons delete 1 --yes -q')).toMatchObject({ code: 0, sent: 1 })
    expect(await run(deleting)).toMatchObject({ code: 2, sent: 0 })
    expect(await run('analytics --sandbox persons list')).toMatchObject({ code: 2 })
    expect(
      await run('echo a-key | analytics profiles add p --base-url https://a.example.com --api-key-stdin'),
    ).toMatchObject({ code: 2 })
    expect(readdirSync(home)).toEqual([])
  })

  test.each([
    ["that are somebody else's", 0o700],
    ["that are somebody else's, and can be looked into", 0o755],
  ])('%s are left alone', async (_, mode) => {
    const foreign = mkdtempSync(join(folder, 'foreign-'))
    mkdirSync(join(foreign, 'jobs'))
    if (!('uid' in nobody)) mode &= 0o555
    chmodSync(join(foreign, 'jobs'), mode)
    chmodSync(foreign, mode)
    const run = (line: string) => sentBy(line, { ANALYTICS_STATE_DIR: foreign, ANALYTICS_CONFIG_DIR: foreign }, nobody)
    for (const line of [deleting, 'analytics --sandbox persons list', 'analytics sandbox load /dev/null']) {
      const { stderr, code, sent } = await run(line)
      expect([code, sent, stderr.includes(foreign)]).toEqual([2, 0, true])
    }
    chmodSync(foreign, 0o755)
    expect(readdirSync(foreign)).toEqual(['jobs'])
  })

  test('with a file in their place: it is named, and nothing is sent', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'mine')
    const add = 'echo a-key | analytics profiles add p --base-url https://a.example.com --api-key-stdin'
    for (const line of [
      deleting,
      add,
      'analytics persons list --profile p',
      'analytics --sandbox persons list',
      'analytics sandbox serve --port 0',
    ]) {
      const { stderr, code, sent } = await sentBy(line, { ANALYTICS_STATE_DIR: file, ANALYTICS_CONFIG_DIR: file })
      expect([line, code, sent, stderr.includes(file)]).toEqual([line, 2, 0, true])
    }
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test('that are gone while somebody stands in them', async () => {
    const line = 'mkdir gone && cd gone && rmdir ../gone && analytics persons get 1 -o ids'
    expect(await shell(line, {}, { cwd: folder })).toEqual({ stdout: '1\n', stderr: '', code: 0 })
  })
})

test('a terminal that goes away (SIGHUP) in the middle of a run leaves a job that can be finished', async () => {
  let hung = (_: unknown) => {}
  const reached = new Promise(resolve => {
    hung = resolve
  })
  let isSlow = true
  const slow = await startServer((asked, response) => {
    if (isSlow && asked.path.endsWith('/50/')) return hung(asked)
    return accepting(asked, response)
  })
  const home = mkdtempSync(join(folder, 'home-'))
  const own = { ...env, ANALYTICS_BASE_URL: slow.url, HOME: home }
  const ids = `${Array.from({ length: 100 }, (_, i) => i + 1).join('\n')}\n`
  const { child, finished } = start(['persons', 'delete', '--from', '-', '--yes', '--concurrency', '2'], own, ids)
  await reached
  child.kill('SIGHUP')
  expect((await finished).code).toBe(null)
  isSlow = false
  const [job = ''] = readdirSync(join(home, '.local/state/analytics/jobs'))
  expect(await start(['jobs', 'resume', job], own).finished).toMatchObject({ code: 0 })
  const shown = await start(['jobs', 'show', job, '-o', 'ndjson'], own).finished
  const outcomes = shown.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { id: string; status: string })
  expect(outcomes.map(({ id }) => id)).toEqual(ids.trimEnd().split('\n'))
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['deleted']))
  await slow.close()
})

test.each([
  ['forward', 1],
  ['back', -1],
  ['to and fro', 0],
])('a clock that jumps %s by years neither ends a run nor keeps it', async (_, direction) => {
  const year = 365 * 86_400_000
  let asked = 0
  const { world, env } = await startService((one, response) => {
    world.now += year * (direction || (++asked % 2 === 0 ? 1 : -1))
    if (asked % 5 === 4) return json(response, {}, 429)
    return accepting(one, response)
  })
  const argv = ['persons', 'delete', ...Array.from({ length: 20 }, (_, i) => String(i + 1)), '--yes', '--rate', '100/s']
  const { code, stderr } = await world.run([...argv, '--receipt', 'receipt.json'], { env })
  expect(code).toBe(0)
  expect(stderr).toContain('Deleted 20 persons (')
  expect(Math.max(...world.sleeps)).toBeLessThan(60_000)
})
