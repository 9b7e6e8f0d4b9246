/** Two containers that share a state folder: neither sees the processes of the other. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { bin, machine } from '../process/program.ts'
import { isList, json, notFound, serve, type TestServer } from '../server.ts'

needsPosix('containers')

/** Words that start a program in a PID namespace of its own; undefined if the system does not allow that. */
const own = [[], ['-r']]
  .map(more => ['unshare', ...more, '--pid', '--fork', '--kill-child', '--mount-proc'])
  .find(([program = '', ...words]) => spawnSync(program, [...words, 'true']).status === 0)

let folder: string
let server: TestServer
let deleted: string[]
let onDelete: () => void
/** No request gets a response. */
let isSilent: boolean
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-containers-'))
  deleted = []
  onDelete = () => undefined
  isSilent = false
  server = await serve((asked, response) => {
    if (isSilent) return
    const id = asked.path.split('/').at(-2) ?? ''
    if (isList(asked)) return json(response, { results: [], next: null })
    if (asked.method === 'DELETE' && !deleted.includes(id)) {
      deleted.push(id)
      onDelete()
      return void response.writeHead(204).end()
    }
    return notFound(response)
  })
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Runs `analytics` in a container of its own. */
function contained(argv: readonly string[]) {
  const [program = '', ...words] = [...(own ?? []), process.execPath, bin, ...argv]
  const child = spawn(program, words, {
    env: {
      ...machine,
      HOME: folder,
      ...server.env,
      ANALYTICS_STATE_DIR: join(folder, 'state'),
    },
  })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const ended = new Promise<{ code: number | null; output: string }>(resolve =>
    child.once('close', code => resolve({ code, output })),
  )
  return { child, ended }
}

/** The holder of the job has not touched its lock for a minute. */
function expire(job: string): void {
  const then = new Date(Date.now() - 61_000)
  const lock = join(folder, 'state/jobs', job, 'lock')
  // A killed process may have removed a lock before it made its own.
  if (existsSync(lock)) utimesSync(lock, then, then)
}

describe.runIf(own)('a job whose holder is in another container', () => {
  test('is refused while the holder works, and taken over when it was silent for a minute', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => String(i + 1))
    writeFileSync(join(folder, 'ids'), ids.join('\n'))
    const sent = new Promise<void>(resolve => {
      onDelete = () => {
        // From here on the holder waits until it is killed.
        isSilent = deleted.length === 20
        if (isSilent) resolve()
      }
    })
    const first = contained(['persons', 'delete', '--from', join(folder, 'ids'), '--yes'])
    await Promise.race([sent, first.ended.then(({ output }) => expect.fail(output))])
    const [job = ''] = readdirSync(join(folder, 'state/jobs'))

    const second = await contained(['jobs', 'resume', job]).ended
    expect(second).toEqual({ code: 10, output: expect.stringMatching(/is in use by process \d+ on /) })
    expect((await contained(['jobs', 'remove', job]).ended).code).toBe(10)
    expect((await contained(['jobs', 'list']).ended).output).toContain('running')

    first.child.kill('SIGKILL')
    await first.ended
    isSilent = false
    // Another container cannot see that the process is gone.
    expect((await contained(['jobs', 'resume', job]).ended).code).toBe(10)
    expire(job)
    const rivals = await Promise.all([1, 2, 3].map(() => contained(['jobs', 'resume', job, '-o', 'ndjson']).ended))
    expect(rivals.map(({ code }) => code).sort()).toContain(0)
    expect(rivals.filter(({ code }) => code !== 0 && code !== 10)).toEqual([])
    expect(new Set(deleted)).toEqual(new Set(ids))
    expect(deleted).toHaveLength(ids.length)
  }, 120_000)
})

test.skipIf(own)('skipped: this system does not allow PID namespaces (unshare)', () => undefined)
