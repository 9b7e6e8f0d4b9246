/** undici's own agent for CONNECT would load all of undici. */
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { callOnce } from './connect.ts'
import { proxyToken } from './proxy.ts'
import { type ConnectorFor, startTls } from './tls.ts'
import { coded, ProxyError } from './transport-errors.ts'

/** Fails with Node's error, `ETIMEDOUT`, or `PROXY_407` if the proxy answered 407. */
export function tunnelThrough(proxy: URL, timeout: number): ConnectorFor {
  return contexts =>
    ({ hostname, port }, callback) => {
      const request = ask(
        proxy,
        `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || 443}`,
        contexts.proxy,
      )
      let encrypted: Duplex | undefined
      const end = callOnce(timeout, callback, () => {
        request.destroy()
        encrypted?.destroy()
      })
      request.on('error', error => end(new ProxyError(error), null))
      request.on('connect', ({ statusCode = 0 }, socket, head) => {
        if (statusCode < 200 || statusCode > 299) return end(coded(`PROXY_${statusCode}`), null)
        socket.unshift(head)
        const tls = startTls(hostname, { socket }, contexts.service)
        encrypted = tls
        tls.on('error', error => end(error, null)).once('secureConnect', () => end(null, tls))
      })
      request.end()
    }
}

function ask(proxy: URL, target: string, context: SecureContext | undefined): http.ClientRequest {
  const token = proxyToken(proxy)
  const { request } = proxy.protocol === 'https:' ? https : http
  const name = proxy.hostname.replace(/^\[|\]$/g, '')
  return request(proxy.origin, {
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(token ? { 'proxy-authorization': token } : {}) },
    // Node would use the `host` header, which names the service.
    servername: isIP(name) ? '' : name,
    agent: false,
    rejectUnauthorized: true,
    ...(context ? { secureContext: context } : {}),
  })
}
