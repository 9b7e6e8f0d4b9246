import { endpointOf } from '../api/effects.ts'
import { stateFolder } from '../config/folders.ts'
import type { ValuesInUse } from '../config/settings.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Send } from '../http/message.ts'
import type { Messages } from '../messages/messages.ts'
import { openSandbox, type Sandbox } from '../sandbox/open.ts'

/** `--timeout` and an interrupt end a slow answer, as with a service. */
export function openOwnSandbox(host: Host, values: ValuesInUse): Promise<Sandbox> {
  return open(host, values, { timeout: values.timeout * 1000, signal: host.interrupted })
}

/** Only options choose the project, since variables may name one of a real service. Throws `UsageError`. */
export async function openServedSandbox(context: Context): Promise<Sandbox> {
  const { host, values, messages } = context
  const { typed } = context.config
  const sandbox = await open(host, values, { timeout: Number.POSITIVE_INFINITY, signal: undefined })
  try {
    // It is served without a project too, so that one can be created.
    const project = typed.project === undefined ? sandbox.project : sandbox.projectNamed(typed.project)
    refuseOtherOrganization(sandbox, typed.organization)
    return { ...sandbox, project, send: announcingShape(sandbox.send, values, messages) }
  } catch (error) {
    sandbox.close()
    throw error
  }
}

/** The document shows an object where many servers return another shape; a notice tells it. */
export function announcingShape(send: Send, { dialect }: ValuesInUse, { notice }: Messages): Send {
  if (dialect !== 'documented') return send
  let isSaid = false
  return async request => {
    const response = await send(request)
    const endpoint = endpointOf(request.method, request.url.pathname)
    if (!isSaid && response.status < 300 && endpoint?.returns.shape === 'undocumented') {
      isSaid = true
      notice('sandbox: this is the shape that the document shows; servers answer otherwise: see --dialect observed')
    }
    return response
  }
}

function refuseOtherOrganization({ organization }: Sandbox, named = '@current'): void {
  if (named === '@current' || named.toLowerCase() === organization) return
  throw new UsageError(`The sandbox has no organization ${named}`, { hint: `Its own is ${organization}` })
}

function open(
  host: Host,
  { dialect, faults, seed }: ValuesInUse,
  waits: { readonly timeout: number; readonly signal: AbortSignal | undefined },
): Promise<Sandbox> {
  const { clock, random } = host
  return openSandbox({ stateDir: stateFolder(host), dialect, faults, seed, clock, random, ...waits })
}
