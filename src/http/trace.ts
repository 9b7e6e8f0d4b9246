import { Failure } from '../errors.ts'
import type { Clock } from '../host.ts'
import type { Request, Send, Sent } from './message.ts'

interface TraceOptions {
  readonly write: (line: string) => void
  readonly clock: Clock
}

/** Leaves out query, headers and body: filters hold personal data, headers the key. */
export function trace(next: Send, { write, clock }: TraceOptions): Send {
  return async request => {
    const start = clock.elapsed()
    const sent = await next(request)
    write(line(request, endOf(sent), Math.round(clock.elapsed() - start)))
    return sent
  }
}

function endOf(sent: Sent): string | number {
  const end = sent.certainty === 'answered' ? sent.response : sent.failure
  return end instanceof Failure ? (end.facts.code ?? end.name) : end.status
}

function line({ method, url, attempt = 1 }: Request, end: string | number, ms: number): string {
  return `${method} ${url.pathname} ${end} ${ms} ms attempt ${attempt}`
}
