import type { ValuesInUse } from '../config/settings.ts'
import type { Host } from '../host.ts'
import type { Send } from '../http/message.ts'
import { trace } from '../http/trace.ts'
import type { ClientCertificate } from '../http/transport/client-certificate.ts'
import { createTransport, type Transport } from '../http/transport/transport.ts'
import type { Messages } from '../messages/messages.ts'
import { longestTimer } from '../values/duration.ts'

export function openTransport(host: Host, values: ValuesInUse, certificate: ClientCertificate | undefined): Transport {
  return createTransport({
    timeout: timeoutOf(values),
    userAgent: `analytics/${host.version}`,
    env: host.env,
    caFile: values.caFile,
    certificate,
    dispatcher: host.dispatcher,
    collectGarbage: host.collectGarbage,
    signal: host.interrupted,
  })
}

/** Milliseconds. */
export function timeoutOf({ timeout }: ValuesInUse): number {
  return Math.min(timeout * 1000, longestTimer)
}

interface TraceOptions {
  readonly host: Host
  readonly values: ValuesInUse
  readonly messages: Messages
}

export function traced(send: Send, { host, values, messages }: TraceOptions): Send {
  return values.debug ? trace(send, { write: messages.say, clock: host.clock }) : send
}
