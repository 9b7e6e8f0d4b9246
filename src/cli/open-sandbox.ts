import type { Host } from '../host.ts'
import { stateFolder } from '../profiles/folders.ts'
import type { ValuesInUse } from '../profiles/settings.ts'
import { openSandbox, type Sandbox } from '../sandbox/open.ts'
import { timeoutOf } from './open-transport.ts'

/** A slow answer ends with `--timeout` and with an interrupt, as that of a service does. */
export function openOwnSandbox(host: Host, values: ValuesInUse): Promise<Sandbox> {
  return open(host, values, { timeout: timeoutOf(values), signal: host.interrupted })
}

/** For programs that call it over HTTP: each decides how long it waits for a slow answer. */
export function openServedSandbox(host: Host, values: ValuesInUse): Promise<Sandbox> {
  return open(host, values, {})
}

function open(
  host: Host,
  { dialect, faults, seed }: ValuesInUse,
  waits: { readonly timeout?: number; readonly signal?: AbortSignal },
): Promise<Sandbox> {
  const { clock, random } = host
  return openSandbox({ stateDir: stateFolder(host), dialect, faults, seed, clock, random, ...waits })
}
