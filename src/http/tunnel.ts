/**
 * Ways through a proxy by CONNECT: it sees the name of the server and encrypted bytes, the request never.
 * Written out here because undici's own agent for it works only with the whole of undici loaded.
 */
import http from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'
import { connect as startTls } from 'node:tls'
import type { Connector } from 'undici/lib/dispatcher/agent.js'
import { proxyToken } from './proxy.ts'

/**
 * Makes connections for undici through `proxy`. They fail with what Node reports, with `ETIMEDOUT` after `timeout`
 * milliseconds, or with the code `PROXY_407`, say, where the proxy answered so.
 */
export function tunnelThrough(proxy: URL, timeout: number): Connector {
  return ({ hostname, port }, callback) => {
    const target = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || 443}`
    const request = ask(proxy, target)
    let encrypted: Socket | undefined
    const end = (error: Error | null, socket: Socket | null) => {
      clearTimeout(timer)
      if (error) {
        request.destroy()
        encrypted?.destroy()
      }
      // Only the first end counts; an error after it belongs to whoever uses the socket.
      callback?.(error, socket)
      callback = undefined
    }
    const timer = setTimeout(() => end(coded('ETIMEDOUT'), null), timeout)
    request.on('error', error => end(error, null))
    request.on('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode < 200 || statusCode > 299) return end(coded(`PROXY_${statusCode}`), null)
      const servername = isIP(hostname) ? {} : { servername: hostname }
      const tls = startTls({ socket, host: hostname, ...servername, ALPNProtocols: ['http/1.1'] })
      encrypted = tls
      tls.on('error', error => end(error, null)).once('secureConnect', () => end(null, tls))
    })
    request.end()
  }
}

function ask(proxy: URL, target: string): http.ClientRequest {
  const token = proxyToken(proxy)
  const { request } = proxy.protocol === 'https:' ? https : http
  return request(proxy.origin, {
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(token ? { 'proxy-authorization': token } : {}) },
    agent: false,
  })
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code })
}
