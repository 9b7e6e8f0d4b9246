import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { InterruptedError, UsageError } from './errors.ts'

/** Passes signals on, except a terminal's Ctrl-C, which reaches the child anyway. Throws `UsageError`. */
export function runChild(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { interrupted, hasTerminal }: { readonly interrupted: AbortSignal; readonly hasTerminal: boolean },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env }, stdio: 'inherit' })
    interrupted.addEventListener('abort', () => {
      const { reason } = interrupted
      if (reason instanceof InterruptedError && !(reason.signal === 'SIGINT' && hasTerminal)) child.kill(reason.signal)
    })
    child.once('error', cause =>
      reject(
        new UsageError(`${program} cannot be started`, { hint: 'Check its name, and that it is installed', cause }),
      ),
    )
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}
