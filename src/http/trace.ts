import { Failure } from '../errors.ts'
import type { Clock } from '../host.ts'
import type { Request, Send } from './message.ts'

interface TraceOptions {
  readonly write: (line: string) => void
  readonly clock: Clock
}

/** Leaves out query, headers and body: filters hold personal data, headers the key. */
export function trace(next: Send, { write, clock }: TraceOptions): Send {
  return async request => {
    const start = clock.elapsed()
    const tell = (end: string | number) => write(line(request, end, Math.round(clock.elapsed() - start)))
    try {
      const response = await next(request)
      tell(response.status)
      return response
    } catch (error) {
      tell(error instanceof Failure ? (error.facts.code ?? error.name) : 'failed')
      throw error
    }
  }
}

function line({ method, url, attempt = 1 }: Request, end: string | number, ms: number): string {
  return `${method} ${url.pathname} ${end} ${ms} ms attempt ${attempt}`
}
