import { isIP } from 'node:net'
import { type ConnectionOptions, connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { Connector } from 'undici/lib/dispatcher/client.js'
import type { Env } from '../../host.ts'
import { allAuthorities } from './authorities.ts'
import type { ClientCertificate } from './client-certificate.ts'
import { callOnce } from './connect.ts'

/** Undefined: Node's own. */
interface Contexts {
  readonly service: SecureContext | undefined
  /** Without the client certificate. */
  readonly proxy: SecureContext | undefined
}

export type ConnectorFor = (contexts: Contexts) => Connector

interface Trust {
  /** Authorities as PEM texts; if empty, those of Node. */
  readonly own: readonly string[]
  readonly env: Env
  readonly client: ClientCertificate | undefined
}

/** For an unknown issuer, tries all authorities of this machine. */
export function trusting(connectorFor: ConnectorFor, { own, env, client }: Trust): Connector {
  let connector = connectorFor(contextsOf(own.length > 0 ? [...own] : undefined, client))
  let wider: Connector | undefined
  return (to, callback) => {
    if (connector === wider) return connector(to, callback)
    connector(to, (error, socket) => {
      if (!error || !isUnknownIssuer(error)) return callback?.(error, socket)
      wider ??= connectorFor(contextsOf(allAuthorities(own, env), client))
      connector = wider
      wider(to, callback)
    })
  }
}

function contextsOf(ca: string[] | undefined, client: ClientCertificate | undefined): Contexts {
  const proxy = ca && createSecureContext({ ca })
  return { proxy, service: client ? createSecureContext({ ...(ca ? { ca } : {}), ...client }) : proxy }
}

export function connectDirectly(timeout: number): ConnectorFor {
  return ({ service }) => {
    let session: Buffer | undefined
    return ({ hostname, port }, callback) => {
      const target = { host: hostname, port: Number(port || 443) }
      const socket = startTls(hostname, { ...target, ...(session ? { session } : {}) }, service)
      const end = callOnce(timeout, callback, () => socket.destroy())
      socket.setNoDelay(true).setKeepAlive(true, 60_000)
      socket.on('session', made => {
        session = made
      })
      socket.on('error', error => end(error, null)).once('secureConnect', () => end(null, socket))
    }
  }
}

export function startTls(hostname: string, options: ConnectionOptions, context: SecureContext | undefined): TLSSocket {
  return connect({
    ...options,
    host: hostname,
    ...(isIP(hostname) ? {} : { servername: hostname }),
    ...(context ? { secureContext: context } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
}

const unknownIssuer: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

function isUnknownIssuer(error: Error): boolean {
  return 'code' in error && unknownIssuer.has(error.code)
}
