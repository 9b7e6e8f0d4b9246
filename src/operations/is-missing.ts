import { NotFoundError, notTheService, RejectedError } from '../errors.ts'

/** Throws `RejectedError` for a 404 that is not the service's. */
export function isMissing(error: unknown): error is NotFoundError {
  if (!(error instanceof NotFoundError)) return false
  if (error.facts.fromService) return true
  throw new RejectedError("Unexpected response: a 404 that is not the service's", {
    ...error.facts,
    code: notTheService,
    hint: 'Check the base URL and the project',
  })
}
