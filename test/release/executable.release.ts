/** The executable of a release does what the package does, with no Node on the path, and so does the one of the `.deb`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { leasePeriod } from '../../src/locks/holder.ts'
import { bin } from '../process/program.ts'
import { addLibraries, executable, isRoot, newFolder, ownFolder, unpacked, within } from './program.ts'

const minutes = 60_000

interface Installed {
  /** Its home folder, as everybody sees it. */
  readonly home: string
  /** The program, with the words before it that lead to where it runs. */
  readonly program: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
}

function asFile(): Installed {
  const home = newFolder()
  return { home, program: [executable], env: { PATH: '/nowhere', HOME: home } }
}

function asPackage(): Installed {
  const root = unpacked()
  addLibraries(root)
  return {
    home: ownFolder(root, '/home/somebody'),
    program: [...within(root, '/home/somebody'), '/usr/bin/analytics'],
    env: { PATH: process.env.PATH ?? '', HOME: '/home/somebody', TMPDIR: '/home/somebody' },
  }
}

function run({ program: [command, ...words], env }: Installed, argv: readonly string[], more = {}): string {
  return execFileSync(command, [...words, ...argv], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
}

/** The holder of each job has not renewed its lease for a while. Without `/proc`, nobody can see that it is gone. */
function expire({ home }: Installed): void {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const then = new Date(Date.now() - leasePeriod - 1000)
  for (const name of names.filter(name => /journal(\.\d+)?$/.test(name))) utimesSync(join(home, name), then, then)
}

describe.each([
  ['the executable', asFile],
  ...(isRoot
    ? [['the program of the Debian package, as an ordinary user in a root folder of its own', asPackage] as const]
    : []),
] as const)('%s', (_, install) => {
  test('goes on with a job that was killed', { timeout: 5 * minutes }, async () => {
    const installed = install()
    const { program, env } = installed
    const start = (argv: readonly string[], more = {}) =>
      spawn(program[0], [...program.slice(1), ...argv], {
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    const server = start(['sandbox', 'serve', '--port', '0', '-o', 'json', '--faults', 'slow=200ms'])
    try {
      const { base_url, api_key, project } = JSON.parse(String((await once(server.stdout, 'data'))[0]))
      const service = { ANALYTICS_BASE_URL: base_url, ANALYTICS_API_KEY: api_key, ANALYTICS_PROJECT: project }
      const ids = ['3', '4', '5', '6', '7', '8', '9', '10']
      const child = start(['persons', 'delete', ...ids, '--yes', '--concurrency', '1', '-o', 'ndjson'], service)
      await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'exit')
      expire(installed)
      const job = () => JSON.parse(run(installed, ['jobs', 'list', '-o', 'json'], service))[0]
      expect(job()).toMatchObject({ state: 'interrupted' })
      run(installed, ['jobs', 'resume', job().id, '--yes'], service)
      expect(job()).toMatchObject({ state: 'done', total: 8, done: 8, failed: 0 })
    } finally {
      server.kill()
      await once(server, 'exit')
    }
  })

  test('completes what is typed', () => {
    const installed = install()
    expect(run(installed, ['__complete', '--', 'persons', 'delete-p'])).toBe(
      'delete-property\tDelete properties of persons\n',
    )
    expect(run(installed, ['completion', 'bash'])).toContain('complete ')
  })
})

test('the executable has its sandbox inside, and needs no folder for temporary files', () => {
  const TMPDIR = '/nowhere'
  const installed = asFile()
  expect(run(installed, ['--version'], { TMPDIR })).toBe(`analytics ${manifest.version}\n`)
  expect(run(installed, ['--sandbox', 'persons', 'list', '--search', 'ada', '-o', 'ids'], { TMPDIR })).toBe('55\n')
})

test('the executable keeps the files that the package keeps, and no other', () => {
  const kept = (installed: Installed) => {
    run(installed, ['--sandbox', 'persons', 'delete', '3', '4', '--yes'])
    const files = readdirSync(installed.env.HOME ?? '', { recursive: true, encoding: 'utf8' })
    // libsql leaves the write-ahead log of the sandbox where Node's own database removes it.
    const lasting = files.filter(file => !/\.db-(wal|shm)$/.test(file))
    return lasting.map(file => file.replace(/\d{8}-\d{6}-\w+/, 'JOB')).sort()
  }
  expect(kept(asFile())).toEqual(kept({ ...asFile(), program: [process.execPath, bin] }))
})
