import { stateFolder } from '../config/folders.ts'
import { type Dialect, dialectIn } from '../config/sandbox-variable.ts'
import type { Context } from '../context.ts'
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts'

/** `--sandbox` beside the variable leaves its dialect. Throws `UsageError` for an unusable database. */
export function openOwnSandbox(
  { host, messages: { notice } }: Pick<Context, 'host' | 'messages'>,
  dialect: Dialect = dialectIn(host.env.ANALYTICS_SANDBOX) ?? 'documented',
): Promise<Sandbox> {
  return openSandbox({ stateDir: stateFolder(host), isObserved: dialect === 'observed', clock: host.clock, notice })
}
