/** Lines of bash in which `analytics` is the built program, with a service of their own and a folder for a home. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bin, type Env, type Finished } from '../process/program.ts'
import { startServer, type TestServer } from '../server.ts'
import { accepting, writesOf } from '../service.ts'

export interface Shell {
  readonly server: TestServer
  readonly folder: string
  /** Names the service and gives a key for it. */
  readonly env: Env
  /** Runs a line; `as` may name a folder or another user. `sent` is how many writes reached the service. */
  run(line: string, more?: Env, as?: object): Promise<Finished & { readonly sent: number }>
  close(): Promise<void>
}

/** Root may write everywhere: where we are root, somebody else runs what is not to. */
export const nobody: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

export async function startShell(): Promise<Shell> {
  const server = await startServer(accepting)
  const folder = mkdtempSync(join(tmpdir(), 'analytics-machine-'))
  chmodSync(folder, 0o755)
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
  const own = { PATH: process.env.PATH, HOME: folder, NODE: process.execPath, BIN: bin, ...env }
  return {
    server,
    folder,
    env,
    async run(line, more, as) {
      const before = writesOf(server.asked).length
      const finished = await bash(line, { ...as, env: { ...own, ...more } })
      return { ...finished, sent: writesOf(server.asked).length - before }
    },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function bash(line: string, options: object): Promise<Finished> {
  return new Promise(resolve => {
    execFile('bash', ['-c', `${program}\n${line}`], options, (error, stdout, stderr) =>
      resolve({ stdout: String(stdout), stderr: String(stderr), code: error ? Number(error.code) : 0 }),
    )
  })
}

/** The program as a word of the shell. */
export const program = 'analytics() { "$NODE" "$BIN" "$@"; }'

export const deleting = 'analytics persons delete 1 2 3 --yes'
