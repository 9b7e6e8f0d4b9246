import { NotFoundError, notTheService, RejectedError } from '../errors.ts'

/** Throws `RejectedError` for a 404 that is not the service's. */
export function isMissing(error: unknown): error is NotFoundError {
  if (!(error instanceof NotFoundError)) return false
  if (error.facts.isObject) return true
  throw new RejectedError(`${error.message}, which does not say that the object is not there`, {
    ...error.facts,
    code: notTheService,
    hint: 'Check the base URL and the project',
  })
}

export async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
