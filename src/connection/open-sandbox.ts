import type { Context } from '../cli/command.ts'
import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { stateFolder } from '../profiles/folders.ts'
import type { ValuesInUse } from '../profiles/settings.ts'
import { openSandbox, type Sandbox } from '../sandbox/open.ts'
import { timeoutOf } from './open-transport.ts'

/** A slow answer ends with `--timeout` and with an interrupt, as that of a service does. */
export function openOwnSandbox(host: Host, values: ValuesInUse): Promise<Sandbox> {
  return open(host, values, { timeout: timeoutOf(values), signal: host.interrupted })
}

/**
 * For programs that call it over HTTP: each decides how long it waits for a slow answer. Variables may name a project
 * of a real service, so only options choose one. Throws `UsageError` for what the sandbox does not have.
 */
export async function openServedSandbox({ host, values, settings: { typed } }: Context): Promise<Sandbox> {
  const sandbox = await open(host, values, {})
  try {
    // Without a project left it is served all the same, so that one can be created.
    const project = typed.project === undefined ? sandbox.project : sandbox.projectNamed(typed.project)
    refuseOtherOrganization(sandbox, typed.organization)
    return { ...sandbox, project }
  } catch (error) {
    sandbox.close()
    throw error
  }
}

function refuseOtherOrganization({ organization }: Sandbox, named = '@current'): void {
  if (named === '@current' || named.toLowerCase() === organization) return
  throw new UsageError(`The sandbox has no organization ${named}`, { hint: `Its own is ${organization}` })
}

function open(
  host: Host,
  { dialect, faults, seed }: ValuesInUse,
  waits: { readonly timeout?: number; readonly signal?: AbortSignal },
): Promise<Sandbox> {
  const { clock, random } = host
  return openSandbox({ stateDir: stateFolder(host), dialect, faults, seed, clock, random, ...waits })
}
