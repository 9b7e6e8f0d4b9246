import { project, writableOf } from '../api/resources.ts'
import { UsageError } from '../errors.ts'
import { nearest } from '../text/nearest.ts'
import type { Kind } from '../values/kinds.ts'

export const fields: ReadonlyMap<string, Kind<unknown>> = new Map(Object.entries(writableOf(project)))

interface Choice {
  readonly only: readonly string[]
  readonly except: readonly string[]
  readonly undocumented: boolean
}

export function chooseFields({ only, except, undocumented }: Choice): (field: string) => boolean {
  const chosen = only.length > 0 ? new Set(fieldNames('--only', only, undocumented)) : undefined
  const left = new Set(fieldNames('--except', except, undocumented))
  return field => (chosen?.has(field) ?? true) && !left.has(field)
}

function fieldNames(option: string, lists: readonly string[], undocumented: boolean): string[] {
  return lists
    .flatMap(list => list.split(','))
    .map(text => {
      const name = text.trim()
      if (fields.has(name) || (undocumented && !Object.hasOwn(project.fields, name) && name !== '')) return name
      const near = nearest(name, [...fields.keys()])
      throw new UsageError(`${option}: a project has no writable field ${JSON.stringify(name)}`, {
        hint: near ? `Did you mean ${near}?` : 'analytics projects pull writes all of them',
      })
    })
}
