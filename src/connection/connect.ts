import { createClient } from '../api/client.ts'
import { noOrganization, organizationOf } from '../api/organization-of.ts'
import { type Config, noProject } from '../config/current.ts'
import { type Headers, readHeadersFile } from '../config/headers.ts'
import { serverAndKey } from '../config/key.ts'
import type { Connection } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Clock, Host } from '../host.ts'
import { authorize, type SharedKey, sharedKey } from '../http/authorize.ts'
import { guard } from '../http/guard.ts'
import type { Request, Send } from '../http/message.ts'
import { Pacer } from '../http/pacer.ts'
import { retry } from '../http/retry.ts'
import { trace } from '../http/trace.ts'
import { createTransport } from '../http/transport/transport.ts'
import type { Messages } from '../messages/messages.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { sandboxBase } from '../values/url.ts'

interface ConnectContext {
  readonly host: Host
  readonly config: Config
  readonly messages: Messages
  readonly secrets: Secrets
  /** Gets the writes of a dry run. */
  readonly dryRun: ((request: Request) => void) | undefined
  /** Shows that something is waited for. */
  readonly awaiting: <T>(answer: Promise<T>) => Promise<T>
}

export interface Opened extends Connection {
  hasWritten(): boolean
  close(): Promise<void>
}

interface Server {
  readonly base: URL
  readonly serverName: string
  readonly now: () => number
  readonly key: SharedKey
  /** Sent with the key, and as secret. */
  readonly headers: Headers
  readonly project: string | undefined
  readonly send: Send
  hasWritten(): boolean
  close(): Promise<void>
}

/** Throws `UsageError` or `AuthError` for unusable settings. Sends no request. */
export async function connect(connecting: ConnectContext): Promise<Opened> {
  const target = connecting.config.values.sandbox ? await sandboxTarget(connecting) : await serverTarget(connecting)
  const clock = shownClock(connecting)
  const pacer = new Pacer({ interval: connecting.config.values.rate, clock, signal: connecting.host.interrupted })
  const { secrets } = connecting
  const client = createClient(target.base, layers(target, connecting, { clock, pacer }), secrets)
  const project = () => {
    if (target.project) return target.project
    const { sandbox, project: given } = connecting.config.values
    const { message, hint } = sandbox && given !== '' ? noSandboxProject : noProject
    throw new UsageError(message, { hint })
  }
  const named = connecting.config.values.organization
  let asked: Promise<string> | undefined
  return {
    client,
    serverName: target.serverName,
    now: target.now,
    interval: pacer.interval,
    async holdsKey(text) {
      await target.key.get()
      return secrets.hide(text) !== text
    },
    project,
    requireOrganization() {
      if (named === undefined && target.project === undefined) throw noOrganization()
    },
    async organization() {
      if (named !== undefined) return named
      asked ??= organizationOf(client, target.project)
      return asked
    },
    hasWritten: target.hasWritten,
    close: target.close,
  }
}

const noSandboxProject = {
  message: 'The sandbox has no project left',
  hint: 'Create one with analytics projects create, or begin again with analytics sandbox reset',
} as const

/** Progress shows waits between requests like waits for answers. */
function shownClock({ host: { clock }, awaiting }: ConnectContext): Clock {
  const { now, elapsed, sleep } = clock
  return { now, elapsed, sleep: (ms, signal) => awaiting(sleep(ms, signal)) }
}

/** Order, outermost first: guard, retry (which paces each attempt), trace, authorize, transport. */
function layers(
  target: Server,
  connecting: ConnectContext,
  pacing: { readonly clock: Clock; readonly pacer: Pacer },
): Send {
  const { host, messages, secrets, dryRun, awaiting } = connecting
  const { values, safety } = connecting.config
  const { random, interrupted } = host
  const authorized = authorize(request => awaiting(target.send(request)), {
    origin: target.base.origin,
    key: target.key,
    headers: target.headers,
    secrets,
  })
  const retried = retry(values.debug ? trace(authorized, { write: messages.say, clock: host.clock }) : authorized, {
    retries: values.retries,
    maxWait: values.maxWait,
    ...pacing,
    random,
    signal: interrupted,
    notice: messages.notice,
  })
  return guard(retried, { dryRun, safety })
}

async function serverTarget({ host, config, messages, secrets }: ConnectContext): Promise<Server> {
  const { values, profileName } = config
  const { base, key } = serverAndKey(config, host, messages.warn)
  const headers = values.headersFile === undefined ? {} : await readHeadersFile(values.headersFile, host, messages.warn)
  for (const secret of Object.values(headers)) secrets.add(secret)
  const transport = createTransport({
    timeout: values.timeout * 1000,
    userAgent: `analytics/${host.version}`,
    env: host.env,
    caFile: values.caFile,
    dispatcher: host.dispatcher,
    collectGarbage: host.collectGarbage,
    signal: host.interrupted,
  })
  return {
    base,
    key: sharedKey(key, secrets),
    headers,
    serverName: profileName === undefined ? base.host : `${profileName}, ${base.host}`,
    now: host.clock.now,
    project: values.project,
    ...transport,
  }
}

async function sandboxTarget({ host, config: { values }, secrets }: ConnectContext): Promise<Server> {
  const { openOwnSandbox } = await import('./open-sandbox.ts')
  const sandbox = await openOwnSandbox(host)
  let hasWritten = false
  return {
    base: new URL(sandboxBase),
    serverName: 'sandbox',
    now: host.clock.now,
    key: sharedKey(async () => sandbox.key, secrets),
    headers: {},
    project: values.project ?? sandbox.project,
    send: request => {
      hasWritten ||= request.effect !== 'read'
      return sandbox.send(request)
    },
    hasWritten: () => hasWritten,
    close: async () => sandbox.close(),
  }
}
