import { execFile } from 'node:child_process'
import { isAbsolute } from 'node:path'
import { AuthError } from '../errors.ts'
import type { Host } from '../host.ts'
import { createSecrets, isKey } from '../secrets/secrets.ts'
import { wordsOf } from '../text/shell-words.ts'

type Asking = Pick<Host, 'env' | 'stderr' | 'interrupted'>

/** Runs without a shell for at most `limit` milliseconds. Throws `AuthError`, or the reason of the interruption. */
export async function runKeyCommand(command: string, host: Asking, limit = 10_000): Promise<string> {
  const [program = '', ...args] = wordsOf(command)
  if (!isProgram(program)) {
    throw new AuthError(`The key command ${JSON.stringify(program)} is no program`, {
      hint: 'Give its name or its whole path in the profile',
    })
  }
  const { env, stderr, interrupted } = host
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      const hint = 'It runs without a shell: run it yourself, word for word, to see what it says'
      reject(new AuthError(`The key command ${program} ${why}`, { hint }))
    }
    const options = { timeout: limit, killSignal: 'SIGKILL', cwd: '/', env: { ...env }, signal: interrupted } as const
    const child = execFile(program, args, options, (error, stdout, said) => {
      const key = stdout.split('\n')[0]?.trim() ?? ''
      if (!stderr.isTerminal && said !== '') void stderr.write(withoutKey(said, key))
      if (interrupted.aborted) reject(interrupted.reason)
      else if (error?.code === 'ENOENT') fail('was not found')
      else if (error?.killed && typeof error.code !== 'string') fail(`did not finish in ${limit / 1000} seconds`)
      else if (error) fail(`failed (${error.code ?? error.signal})`)
      else if (isKey(key)) resolve(key)
      else fail('printed no key')
    })
    // A person must see a question at once; elsewhere, stderr may be a log, and a tracing shell prints the key.
    if (stderr.isTerminal) child.stderr?.on('data', chunk => void stderr.write(chunk))
    // Our stdin may contain ids.
    child.stdin?.end()
  })
}

/** A relative path could run any file of that name in the current folder. */
export function isProgram(text: string): boolean {
  return text !== '' && (!text.includes('/') || isAbsolute(text))
}

function withoutKey(text: string, key: string): string {
  const secrets = createSecrets()
  secrets.add(key)
  return secrets.hide(text)
}
