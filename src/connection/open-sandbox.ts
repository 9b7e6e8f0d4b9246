import { stateFolder } from '../config/folders.ts'
import { type Dialect, dialectIn } from '../config/sandbox-variable.ts'
import type { Host } from '../host.ts'
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts'

/** Throws `UsageError` for an unusable database. */
export function openOwnSandbox(host: Host, dialect: Dialect = dialectOf(host)): Promise<Sandbox> {
  return openSandbox({ stateDir: stateFolder(host), isObserved: dialect === 'observed', clock: host.clock })
}

/** `--sandbox` beside the variable leaves its dialect. */
export function dialectOf({ env }: Pick<Host, 'env'>): Dialect {
  return dialectIn(env.ANALYTICS_SANDBOX) ?? 'documented'
}
