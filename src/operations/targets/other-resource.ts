import { eventDefinition, person, plugin, project, type Resource } from '../../api/resources.ts'
import { UsageError } from '../../errors.ts'
import { collectionOf, collections, type TargetCollection, type TargetIds } from '../collections.ts'
import { comparedHeading } from './spreadsheets.ts'

const resources: Readonly<Record<TargetCollection, Resource>> = {
  persons: person,
  plugins: plugin,
  event_definitions: eventDefinition,
  projects: project,
}
const names = Object.keys(resources) as TargetCollection[]

/** Their ids look the same. The returned function throws `UsageError` for two fields that only another resource has. */
export function refuseOtherResource(ids: TargetIds): (fields: readonly string[], at: string) => void {
  const own = collectionOf(ids)
  const others = names.map(name => ({ name, fields: fieldsOf(name, own) }))
  return (fields, at) => {
    for (const other of others) {
      const [first, second] = fields.filter(field => other.fields.has(field))
      if (second === undefined) continue
      const [[, wanted], [, given]] = [collections[own].noun, collections[other.name].noun]
      throw new UsageError(`${at} has ${first} and ${second}, which ${given} have and ${wanted} have not`, {
        hint: `Give ids of ${wanted}`,
      })
    }
  }
}

/** Each name as it is, and as headings of spreadsheets are compared. */
function fieldsOf(name: TargetCollection, own: TargetCollection): ReadonlySet<string> {
  const fields = Object.keys(resources[name].fields).filter(field => !Object.hasOwn(resources[own].fields, field))
  return new Set([...fields, ...fields.map(comparedHeading)])
}
