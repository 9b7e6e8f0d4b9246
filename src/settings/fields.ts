import { project, writableOf } from '../api/resources.ts'
import type { Kind } from '../values/kinds.ts'

export const fields: ReadonlyMap<string, Kind<unknown>> = new Map(Object.entries(writableOf(project)))
