import { UsageError } from '../errors.ts'
import { type CollectionFacts, collectionOf, collections, type TargetIds } from '../operations/collections.ts'
import { comparedHeading } from './spreadsheets.ts'

/** Their ids look the same. The returned function throws `UsageError` for two fields that only another resource has. */
export function refuseOtherResource(ids: TargetIds): (fields: readonly string[], at: string) => void {
  const own: CollectionFacts = collections[collectionOf(ids)]
  const others = Object.values(collections).map(other => ({ noun: other.noun, fields: fieldsOf(other, own) }))
  return (fields, at) => {
    for (const other of others) {
      const [first, second] = fields.filter(field => other.fields.has(field))
      if (second === undefined) continue
      const [[, wanted], [, given]] = [own.noun, other.noun]
      throw new UsageError(`${at} has ${first} and ${second}, which ${given} have and ${wanted} have not`, {
        hint: `Give ids of ${wanted}`,
      })
    }
  }
}

/** Each name as it is, and as headings of spreadsheets are compared. */
function fieldsOf(other: CollectionFacts, own: CollectionFacts): ReadonlySet<string> {
  const known = own.read.returns.of.fields
  const fields = Object.keys(other.read.returns.of.fields).filter(field => !Object.hasOwn(known, field))
  return new Set([...fields, ...fields.map(comparedHeading)])
}
