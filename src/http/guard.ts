import { RefusedError } from '../errors.ts'
import { type Request, type Response, type Send, shownAddress } from './message.ts'

export const safetyLevels = ['read-only', 'no-delete'] as const

type SafetyLevel = (typeof safetyLevels)[number]

export interface SafetyRule {
  readonly level: SafetyLevel
  readonly source: string
}

interface GuardOptions {
  readonly dryRun: ((request: Request) => void) | undefined
  readonly safety: SafetyRule | undefined
}

/** Compared by identity, because a server can send the same content. */
export const dryRunResponse: Response = { status: 202, headers: {}, body: Buffer.alloc(0) }

/** Passes reads. In a dry run the response to a write is `dryRunResponse`; otherwise a safety level throws `RefusedError` for it. */
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

export function refuseUnsafe(request: Judged, rule: SafetyRule | undefined): void {
  const { method, url, destroys } = request
  if (!rule || (rule.level === 'no-delete' && !destroys)) return
  throw new RefusedError(`The safety level ${rule.level} ${refusals[rule.level]}; nothing was sent`, {
    method,
    url: url && shownAddress(url),
    hint: `It is set by ${rule.source}`,
  })
}

const refusals = {
  'read-only': 'blocks all writes',
  'no-delete': 'blocks everything that deletes data',
} as const satisfies Record<SafetyLevel, string>
