import { project, writableOf } from '../api/resources.ts'
import type { Kind } from '../values/kinds.ts'

/** Their kinds by name, in the order of the service's document. */
export const fields: ReadonlyMap<string, Kind<unknown>> = new Map(Object.entries(writableOf(project)))
