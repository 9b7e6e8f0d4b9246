import { RefusedError } from '../errors.ts'
import type { SafetyLevel } from '../values/safety.ts'
import { emptyBody } from './body.ts'
import type { Request, Send } from './message.ts'

export interface Guarding {
  /** Given each write in place of the service. */
  readonly dryRun?: ((request: Request) => void) | undefined
  /** The levels in force. */
  readonly safety: readonly SafetyLevel[]
  /** Asks a person about a write; rejects with `RefusedError` unless somebody agrees. Called where `confirm` is in force. */
  readonly agree: (request: Request) => Promise<void>
}

/**
 * Lets reads through and stops writes where they are not wanted. The safety level throws `RefusedError`, a dry run
 * included; a dry run answers 202 without a body, marked by the header `x-dry-run`.
 */
export function guard(next: Send, { dryRun, safety, agree }: Guarding): Send {
  return async request => {
    if (request.effect === 'read') return next(request)
    refuseUnsafe(request, safety)
    if (!dryRun) {
      if (safety.includes('confirm')) await agree(request)
      return next(request)
    }
    dryRun(request)
    return { status: 202, headers: { 'x-dry-run': '1' }, body: emptyBody }
  }
}

/** Throws `RefusedError` for a write that a safety level in force does not allow. */
export function refuseUnsafe(request: Request, safety: readonly SafetyLevel[]): void {
  if (safety.includes('read-only')) throw refused(request, 'The safety level read-only refuses every write')
  if (safety.includes('no-delete') && request.destroys) {
    throw refused(request, 'The safety level no-delete refuses everything that deletes data')
  }
}

function refused({ method, url }: Request, message: string): RefusedError {
  return new RefusedError(`${message}; nothing was sent`, {
    method,
    url: url.origin + url.pathname,
    hint: 'The level is set in the profile or by ANALYTICS_SAFETY; what either says holds',
  })
}
