import { RefusedError } from '../errors.ts'
import type { SafetyLevel } from '../values/safety.ts'
import { emptyBody } from './body.ts'
import { type Request, type Send, shownAddress } from './message.ts'

interface GuardOptions {
  readonly dryRun?: ((request: Request) => void) | undefined
  readonly safety: readonly SafetyLevel[]
}

/** Passes reads. For writes, a safety level throws `RefusedError`, and a dry run answers 202 with `x-dry-run`. */
export function guard(next: Send, { dryRun, safety }: GuardOptions): Send {
  const guarded: Send = async request => {
    if (!dryRun) {
      refuseUnsafe(request, safety)
      return next(request)
    }
    dryRun(request)
    return { status: 202, headers: { 'x-dry-run': '1' }, body: emptyBody }
  }
  const isFree = safety.length === 0 && !dryRun
  return request => (isFree || request.effect === 'read' ? next(request) : guarded(request))
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
