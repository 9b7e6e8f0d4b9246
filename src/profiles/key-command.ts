/** A key that a command prints: a password manager's, usually. */
import { execFile } from 'node:child_process'
import { AuthError } from '../errors.ts'
import type { Host } from '../host.ts'
import { wordsOf } from '../values/words.ts'
import { isKey } from './key.ts'

/**
 * Runs the command without a shell, its words split at white space and quotes, for at most 10 seconds, and returns the
 * first line it prints. What it says on stderr is passed on. Throws `AuthError` when there is no key to be had from it.
 */
export function runKeyCommand(command: string, host: Host): Promise<string> {
  const [program, ...args] = wordsOf(command)
  if (program === undefined) throw new AuthError('The profile names no command for its key')
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(
        new AuthError(`The key command ${program} ${why}`, {
          hint: 'Run it yourself, then see analytics profiles show',
        }),
      )
    execFile(
      program,
      args,
      { timeout: 10_000, cwd: host.cwd, env: { ...host.env }, maxBuffer: 1 << 20 },
      (error, stdout, stderr) => {
        if (stderr) void host.stderr.write(stderr)
        if (error?.killed) return fail('did not finish in 10 seconds')
        if (error) return fail(error.code === 'ENOENT' ? 'is not there' : `failed (${error.code ?? error.signal})`)
        const key = stdout.split('\n')[0]?.trim() ?? ''
        return isKey(key) ? resolve(key) : fail('printed no key')
      },
    )
  })
}
