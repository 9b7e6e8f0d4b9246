import { createClient, currentProject, noOrganization, organizationOf } from '../api/client.ts'
import { failureOf } from '../api/responses/failure.ts'
import { noProject } from '../config/current.ts'
import { readHeadersFile, serverAndKey } from '../config/key.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { authorize } from '../http/authorize.ts'
import { guard } from '../http/guard.ts'
import type { Request, Send } from '../http/message.ts'
import { retry } from '../http/retry.ts'
import { trace } from '../http/trace.ts'
import { createTransport } from '../http/transport/transport.ts'
import { checkId } from '../values/ids.ts'
import { sandboxBase } from '../values/url.ts'

interface ConnectContext extends Pick<Context, 'host' | 'config' | 'messages' | 'secrets'> {
  readonly dryRun: ((request: Request) => void) | undefined
  readonly wait: () => void
}

type Server = Awaited<ReturnType<typeof serverInUse>>

/** Throws `UsageError` or `AuthError` for unusable settings. Sends no request, unless settings name a project and `@current`. */
export async function connect(connecting: ConnectContext) {
  const { config, secrets } = connecting
  const { values } = config
  const server = values.sandbox ? await ownSandbox(connecting) : await serverInUse(connecting)
  let unusedKey: string | undefined
  // The first request takes a key that was read already; after a 401 it is read again.
  const key = async () => {
    const own = unusedKey ?? (await server.key())
    unusedKey = undefined
    return own
  }
  let hasWritten = false
  const send: Send = async request => {
    connecting.wait()
    const sent = await server.send(request)
    // An unusable proxy or CA file throws above, and nothing was sent.
    hasWritten ||= request.effect !== 'read'
    return sent
  }
  const client = createClient(server.base, layers({ ...server, key, send }, connecting), secrets)
  const project = () => {
    if (server.project) return checkId('projects', server.project)
    throw new UsageError(noProject.message, { hint: noProject.hint })
  }
  const { organization: configured } = values
  const organizationSetting = () => (configured === undefined ? undefined : checkId('organizations', configured))
  let organization: Promise<string> | undefined
  const ofProject = () => (organization ??= organizationOf(client, server.project))
  let current: Promise<string> | undefined
  const readCurrent = () => (current ??= currentProject(client))
  // Settings name two projects, and one of them may be `@current`.
  if (config.possibleMismatch && (await readCurrent()) !== config.possibleMismatch.id)
    throw config.possibleMismatch.failure
  return {
    client,
    serverName: server.serverName,
    now: connecting.host.clock.now,
    interval: values.rate,
    async holdsKey(text: string) {
      unusedKey ??= await server.key()
      secrets.add(unusedKey)
      return secrets.hide(text) !== text
    },
    project,
    async resolvedProject() {
      const id = project()
      return id === '@current' ? readCurrent() : id
    },
    requireOrganization() {
      if (organizationSetting() === undefined && server.project === undefined) throw noOrganization()
    },
    organization: async () => organizationSetting() ?? ofProject(),
    hasWritten: () => hasWritten,
    close: server.close,
  }
}

function layers({ base, key, headers, send }: Server, connecting: ConnectContext): Send {
  const { host, messages, secrets, dryRun } = connecting
  const { values, safety } = connecting.config
  const { clock, random, interrupted } = host
  const traced = values.debug ? trace(send, messages.print, clock) : send
  const retried = retry(authorize(traced, { origin: base.origin, key, headers, secrets }), {
    retries: values.retries,
    maxWaitMs: values.maxWait,
    intervalMs: values.rate,
    clock,
    random,
    signal: interrupted,
    notice: messages.notice,
    failureOf: (request, response) => failureOf(request, response, secrets),
  })
  return guard(retried, { dryRun, safety })
}

async function serverInUse({ host, config, secrets }: ConnectContext) {
  const { values, profileName } = config
  const { base, key } = serverAndKey(config, host)
  const headers = values.headersFile === undefined ? {} : await readHeadersFile(values.headersFile, host)
  for (const secret of Object.values(headers)) secrets.add(secret)
  const transport = createTransport({
    timeout: values.timeout * 1000,
    userAgent: `analytics/${host.version}`,
    env: host.env,
    caFile: values.caFile,
    dispatcher: host.dispatcher,
    signal: host.interrupted,
  })
  return {
    base,
    key,
    /** As secret as the key. */
    headers,
    serverName: profileName === undefined ? base.host : `${profileName}, ${base.host}`,
    project: values.project,
    ...transport,
  }
}

async function ownSandbox(connecting: ConnectContext): Promise<Server> {
  const { config } = connecting
  const { openSandbox } = await import('../sandbox/sandbox.ts')
  const sandbox = await openSandbox(connecting)
  return {
    base: new URL(sandboxBase),
    serverName: 'sandbox',
    key: async () => sandbox.key,
    headers: {},
    project: config.values.project ?? sandbox.project,
    async send(request) {
      const { body, ...reply } = sandbox.respond(request)
      return { certainty: 'answered', response: { ...reply, body: Buffer.from(body) } }
    },
    close: async () => sandbox.close(),
  }
}
