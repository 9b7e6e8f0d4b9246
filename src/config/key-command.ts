import { execFile } from 'node:child_process'
import { isAbsolute } from 'node:path'
import { AuthError } from '../errors.ts'
import type { Host } from '../host.ts'
import { createSecrets, isKey } from '../secrets/secrets.ts'
import { wordsOf } from '../text/shell-words.ts'

const notFoundHint = 'Install it, or change the command with analytics profiles set NAME --api-key-command COMMAND'

type Asking = Pick<Host, 'env' | 'stderr' | 'interrupted'>

/** Runs without a shell for at most `limit` milliseconds. Throws `AuthError`, or the reason of the interruption. */
export async function runKeyCommand(command: string, host: Asking, limit = 10_000): Promise<string> {
  const [program, ...args] = wordsOf(command)
  if (!program) throw new AuthError('The profile names no command for its key')
  if (isRelative(program)) {
    throw new AuthError(`The key command ${program} is a relative path`, { hint: 'Give the whole path in the profile' })
  }
  return new Promise((resolve, reject) => {
    const fail = (why: string, hint = 'Run it yourself to see what it says') =>
      reject(new AuthError(`The key command ${program} ${why}`, { hint }))
    const { interrupted } = host
    const options = { timeout: limit, killSignal: 'SIGKILL', cwd: '/', env: { ...host.env } } as const
    const child = execFile(program, args, { ...options, signal: interrupted }, (error, stdout, stderr) => {
      const key = stdout.split('\n')[0]?.trim() ?? ''
      if (!host.stderr.isTerminal && stderr !== '') void host.stderr.write(withoutKey(stderr, key))
      if (interrupted.aborted) reject(interrupted.reason)
      else if (error?.code === 'ENOENT') fail('was not found', notFoundHint)
      else if (error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') fail('printed more than a key')
      else if (error?.killed) fail(`did not finish in ${limit / 1000} seconds`)
      else if (error) fail(`failed (${error.code ?? error.signal})`)
      else if (isKey(key)) resolve(key)
      else fail('printed no key', 'It runs without a shell: run it yourself, word for word, to see what it prints')
    })
    // A person must see a question at once; elsewhere, stderr may be a log, and a tracing shell prints the key.
    if (host.stderr.isTerminal) child.stderr?.on('data', chunk => void host.stderr.write(chunk))
    // Our stdin may contain ids.
    child.stdin?.end()
  })
}

/** A relative path could run any file of that name in the current folder. */
export function isRelative(program: string): boolean {
  return /[\\/]/.test(program) && !isAbsolute(program)
}

function withoutKey(text: string, key: string): string {
  const secrets = createSecrets()
  secrets.add(key)
  return secrets.hide(text)
}
