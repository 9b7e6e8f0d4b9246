import { RefusedError } from '../errors.ts'
import { type Request, type Response, type Send, shownAddress } from './message.ts'

export const safetyLevels = ['read-only', 'no-delete'] as const

export type SafetyLevel = (typeof safetyLevels)[number]

interface GuardOptions {
  readonly dryRun: ((request: Request) => void) | undefined
  readonly safety: readonly SafetyLevel[]
}

/** Known by its identity, since a server can send any header. */
export const dryRunResponse: Response = { status: 202, headers: {}, body: Buffer.alloc(0) }

/** Passes reads. A dry run answers a write with `dryRunResponse`; otherwise a safety level throws `RefusedError` for it. */
export function guard(next: Send, { dryRun, safety }: GuardOptions): Send {
  return async request => {
    if (request.effect === 'read') return next(request)
    if (dryRun) {
      dryRun(request)
      return { certainty: 'answered', response: dryRunResponse }
    }
    refuseUnsafe(request, safety)
    return next(request)
  }
}

/** The URL is missing before the targets are known. */
type Judged = Pick<Request, 'method' | 'destroys'> & Partial<Pick<Request, 'url'>>

export function refuseUnsafe(request: Judged, safety: readonly SafetyLevel[]): void {
  if (safety.includes('read-only')) throw refused(request, 'The safety level read-only refuses every write')
  if (safety.includes('no-delete') && request.destroys) {
    throw refused(request, 'The safety level no-delete refuses everything that deletes data')
  }
}

function refused({ method, url }: Judged, message: string): RefusedError {
  return new RefusedError(`${message}; nothing was sent`, {
    method,
    url: url && shownAddress(url),
    hint: 'See analytics profiles show: the profile and ANALYTICS_SAFETY both count',
  })
}
