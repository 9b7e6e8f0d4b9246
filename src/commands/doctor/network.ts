import { lookup } from 'node:dns/promises'
import { TLSSocket } from 'node:tls'
import { Failure } from '../../errors.ts'
import type { Host } from '../../host.ts'
import type { Request } from '../../http/message.ts'
import { readAuthorities } from '../../http/transport/authorities.ts'
import { proxyFor } from '../../http/transport/proxy.ts'
import { connectDirectly, trusting } from '../../http/transport/tls.ts'
import { timedOut, transportError } from '../../http/transport/transport-errors.ts'
import { type Finding, fail, ok, skip, warn } from './finding.ts'
import { finding } from './machine.ts'

/** Days before the certificate expires. */
const soon = 21

/** `timeout`: milliseconds for each check. */
export async function checkNetwork(
  base: URL,
  host: Host,
  timeout: number,
  caFile?: string,
): Promise<readonly Finding[]> {
  const proxy = finding('proxy', () => {
    const found = proxyFor(base, host.env)
    return found ? ok('proxy', `${found.origin} is used`) : skip('proxy', `${base.host} is reached directly`)
  })
  if (proxy.status === 'fail') return [proxy]
  if (proxy.status === 'ok') {
    const why = 'The proxy does this'
    return [proxy, skip('dns', why), skip('tls', why)]
  }
  const dns = await address(base, timeout)
  if (dns.status === 'fail') return [proxy, dns]
  const tls = await certificate(base, host, timeout, caFile).catch((error: unknown) => {
    if (error instanceof Failure) return fail('tls', error)
    throw error
  })
  return [proxy, dns, tls]
}

async function address(base: URL, timeout: number): Promise<Finding> {
  const progress = progressOf(base, timeout)
  const name = bare(base)
  try {
    const found = await within(timeout, lookup(name, { all: true }))
    if (!found) return fail('dns', timedOut(progress))
    return ok('dns', `${name} is ${found.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return fail('dns', transportError(error, progress))
  }
}

async function certificate(
  base: URL,
  { env, clock, interrupted }: Host,
  timeout: number,
  caFile?: string,
): Promise<Finding> {
  if (base.protocol === 'http:') return skip('tls', 'Plain http: nothing is encrypted')
  const own = caFile === undefined ? [] : await readAuthorities(caFile, interrupted)
  const connector = trusting(connectDirectly(timeout), own, env)
  const to = { hostname: bare(base), port: base.port, protocol: base.protocol }
  return new Promise(resolve => {
    connector(to, (error, socket) => {
      if (!(socket instanceof TLSSocket)) return resolve(fail('tls', transportError(error, progressOf(base, timeout))))
      const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - clock.now()) / 86_400_000)
      const what = `${socket.getProtocol()}, the certificate is good for ${days} days`
      socket.destroy()
      resolve(days < soon ? warn('tls', what, 'Have it renewed by whoever runs the service') : ok('tls', what))
    })
  })
}

function bare({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function progressOf(url: URL, timeout: number) {
  const request: Request = { method: 'GET', url, headers: {}, effect: 'read', destroys: false }
  return { request, proxy: undefined, sent: false, answered: false, timeout }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([work, end]).finally(() => clearTimeout(timer))
}
