import { isText, optionalOf, recordOf } from '../../json/checks.ts'
import type { Operation } from '../operation.ts'
import { isOperation } from '../operation-form.ts'

/** A job stores this until it is done. */
export interface Unsent {
  readonly operation: Operation
  readonly receipt?: string | undefined
}

export const isUnsent = recordOf<Unsent>({ operation: isOperation, receipt: optionalOf(isText) })
