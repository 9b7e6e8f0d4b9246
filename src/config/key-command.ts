import { type ChildProcess, spawn } from 'node:child_process'
import { basename, isAbsolute } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { AuthError } from '../errors.ts'
import { codeOf } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { createSecrets, isKey } from '../secrets/secrets.ts'
import { wordsOf } from '../text/shell-words.ts'

type CommandHost = Pick<Host, 'env' | 'stderr' | 'interrupted'>

/** Runs without a shell. Throws `AuthError`, or the reason of the interruption. */
export async function runKeyCommand(command: string, host: CommandHost, timeoutMs = 10_000): Promise<string> {
  const [program = '', ...args] = wordsOf(command)
  if (!isProgram(program)) {
    throw new AuthError(`The key command ${JSON.stringify(program)} is not a program`, {
      hint: 'Use its name or full path in the profile',
    })
  }
  const { env, stderr, interrupted } = host
  // The stdin of analytics may contain ids.
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const options = { timeout: timeoutMs, killSignal: 'SIGKILL', cwd: '/', env: { ...env }, signal: interrupted } as const
  const child: ChildProcess = spawn(program, args, { ...options, stdio })
  const printed = { stdout: '', stderr: '' }
  const problem = await new Promise<string | undefined>(resolve => {
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text
        // The user must see a prompt at once.
        if (name === 'stderr' && stderr.isTerminal) void stderr.write(text)
        if (printed[name].length > maxOutputLength) resolve(`printed more than ${maxOutputLength / 1024} KB`)
      })
    }
    child.once('error', error => resolve(codeOf(error) === 'ENOENT' ? 'was not found' : `failed (${codeOf(error)})`))
    // Not `close`: a child of the command can keep its stdout open.
    child.once('exit', async (code, signal) => {
      // Node reads the rest of the output in a turn of the event loop.
      for (let turns = 0; turns < 3; turns++) await turn()
      if (signal !== null && child.killed) resolve(`did not finish in ${timeoutMs / 1000} seconds`)
      else resolve(code === 0 ? undefined : `failed (${code ?? signal})`)
    })
  })
  child.kill('SIGKILL')
  child.stdout?.destroy()
  child.stderr?.destroy()
  interrupted.throwIfAborted()
  const key = printed.stdout.split('\n')[0]?.trim() ?? ''
  // stderr may be a log, and a tracing shell prints the key.
  if (!stderr.isTerminal && printed.stderr !== '') void stderr.write(withoutKey(printed.stderr, key))
  if (problem === undefined && isKey(key)) return key
  throw new AuthError(`The key command ${program} ${problem ?? 'printed no key'}`, {
    hint: 'It runs without a shell. Run it yourself to see its messages',
  })
}

const maxOutputLength = 1024 * 1024

/** Refuses relative paths, which could run any file of that name in the current folder. */
export function isProgram(text: string): boolean {
  return text !== '' && (basename(text) === text || isAbsolute(text))
}

function withoutKey(text: string, key: string): string {
  const secrets = createSecrets()
  secrets.add(key)
  return secrets.hide(text)
}
