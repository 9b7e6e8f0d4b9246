import { Failure } from '../errors.ts'
import type { Clock } from '../host.ts'
import type { Send, Sent } from './message.ts'

/** Leaves out query, headers and body: filters hold personal data, headers the key. */
export function trace(next: Send, write: (line: string) => void, clock: Clock): Send {
  return async request => {
    const start = clock.elapsed()
    const sent = await next(request)
    const { method, url, attempt = 1 } = request
    write(`${method} ${url.pathname} ${endOf(sent)} ${Math.round(clock.elapsed() - start)} ms attempt ${attempt}`)
    return sent
  }
}

function endOf(sent: Sent): string | number {
  const end = sent.certainty === 'answered' ? sent.response : sent.failure
  return end instanceof Failure ? (end.details.code ?? end.name) : end.status
}
