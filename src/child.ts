/** Runs another program. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { InterruptedError, UsageError } from './errors.ts'
import { launchOf } from './files/launch.ts'

/** Shares our streams; the terminal sends a Ctrl-C to both. Throws `UsageError` where it cannot be started. */
export function runChild(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  interrupted: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { file, args: words, ...quoting } = launchOf(program, args, env)
    const child = spawn(file, words, { env: { ...env }, stdio: 'inherit', ...quoting })
    interrupted.addEventListener('abort', () => {
      if (interrupted.reason instanceof InterruptedError && interrupted.reason.exit === 143) child.kill('SIGTERM')
    })
    child.once('error', cause =>
      reject(
        new UsageError(`${program} cannot be started`, { hint: 'Check its name, and that it is installed', cause }),
      ),
    )
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}
