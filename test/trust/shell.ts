/** Lines of bash in which `analytics` is the built program, with a service of their own and a folder for a home. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bash, bin, type Env, type Finished } from '../process/program.ts'
import { startServer, type TestServer } from '../server.ts'
import { accepting, writesOf } from '../service.ts'

export interface Shell {
  readonly server: TestServer
  readonly folder: string
  /** Names the service and gives a key for it. */
  readonly env: Env
  /** Runs a line, with the words `through` in front of bash. `sent` is how many writes reached the service. */
  run(line: string, more?: Env, through?: readonly string[]): Promise<Finished & { readonly sent: number }>
  close(): Promise<void>
}

export const isRoot = process.getuid?.() === 0

/** Words in front of bash that take the capabilities of root, which ignores modes; undefined if that is not allowed. */
export const unprivileged = isRoot ? asRoot('setpriv', '--bounding-set=-all', '--inh-caps=-all') : []

/** Words in front of bash that change to a user unknown to the system, as in a container; undefined if not allowed. */
export const unknownUser = asRoot('setpriv', '--reuid=54321', '--regid=54321', '--clear-groups')

function asRoot(program: string, ...words: readonly string[]): readonly string[] | undefined {
  const isAllowed = isRoot && spawnSync(program, [...words, process.execPath, bin, '--version']).status === 0
  return isAllowed ? [program, ...words] : undefined
}

export async function startShell(): Promise<Shell> {
  const server = await startServer(accepting)
  const folder = mkdtempSync(join(tmpdir(), 'analytics-machine-'))
  chmodSync(folder, 0o755)
  const { env } = server
  return {
    server,
    folder,
    env,
    async run(line, more, through) {
      const before = writesOf(server.asked).length
      const finished = await bash(line, { ...env, ...more }, folder, through)
      return { ...finished, sent: writesOf(server.asked).length - before }
    },
    close: () => server.close(),
  }
}

export const deleting = 'analytics persons delete 1 2 3 --yes'
