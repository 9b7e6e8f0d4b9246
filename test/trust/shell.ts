/** Lines of bash in which `analytics` is the built program, with a service of their own and a folder for a home. */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bin, type Env, type Finished, machine } from '../process/program.ts'
import { startServer, type TestServer } from '../server.ts'
import { accepting, writesOf } from '../service.ts'

export interface Shell {
  readonly server: TestServer
  readonly folder: string
  /** Names the service and gives a key for it. */
  readonly env: Env
  /** Runs a line. `sent` is how many writes reached the service. */
  run(line: string, more?: Env, how?: How): Promise<Finished & { readonly sent: number }>
  close(): Promise<void>
}

interface How {
  readonly cwd?: string | undefined
  /** Words in front of the shell. */
  readonly through?: readonly string[] | undefined
}

export const isRoot = process.getuid?.() === 0

const withoutCapabilities = ['setpriv', '--bounding-set=-all', '--inh-caps=-all']

/**
 * Words in front of a shell to which the mode of a file means what it says. Root passes every mode by its capabilities, so
 * it gives them up first; undefined where it cannot.
 */
export const unprivileged: readonly string[] | undefined = isRoot
  ? [withoutCapabilities].find(words => canRun([...words, process.execPath, bin, '--version']))
  : []

/** Words in front of a shell whose user the system does not know, as in a container; undefined where there are none. */
export const unknownUser = asRoot('setpriv', '--reuid=54321', '--regid=54321', '--clear-groups')

function asRoot(...words: readonly string[]): readonly string[] | undefined {
  return isRoot && canRun([...words, process.execPath, bin, '--version']) ? words : undefined
}

function canRun([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args).status === 0
}

export async function startShell(): Promise<Shell> {
  const server = await startServer(accepting)
  const folder = mkdtempSync(join(tmpdir(), 'analytics-machine-'))
  chmodSync(folder, 0o755)
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
  const own = { ...machine, HOME: folder, NODE: process.execPath, BIN: bin, ...env }
  return {
    server,
    folder,
    env,
    async run(line, more, { cwd, through = [] } = {}) {
      const before = writesOf(server.asked).length
      const finished = await bash(line, { cwd, env: { ...own, ...more } }, through)
      return { ...finished, sent: writesOf(server.asked).length - before }
    },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function bash(line: string, options: object, through: readonly string[]): Promise<Finished> {
  const [first = '', ...rest] = [...through, 'bash', '-c', `${program}\n${line}`]
  return new Promise(resolve => {
    execFile(first, rest, options, (error, stdout, stderr) =>
      resolve({ stdout: String(stdout), stderr: String(stderr), code: error ? Number(error.code) : 0 }),
    )
  })
}

/** The program as a word of the shell. */
export const program = 'analytics() { "$NODE" "$BIN" "$@"; }'

export const deleting = 'analytics persons delete 1 2 3 --yes'
