import { UsageError } from '../errors.ts'
import { type CollectionFacts, collectionOf, collections, type TargetIds } from '../operations/collections.ts'

/** Ids of resources look the same. Throws `UsageError` for two fields that only another resource has. */
export function refuseOtherResource(ids: TargetIds, fields: readonly string[], where: string): void {
  const own: CollectionFacts = collections[collectionOf(ids)]
  const foreign = fields.filter(field => !Object.hasOwn(own.read.returns.of.fields, field))
  for (const other of Object.values(collections) as readonly CollectionFacts[]) {
    const [first, second] = foreign.filter(field => Object.hasOwn(other.read.returns.of.fields, field))
    if (second === undefined) continue
    throw new UsageError(`${where} has ${first} and ${second}, which ${other.noun[1]} have and ${own.noun[1]} have not`, {
      hint: `Give ids of ${own.noun[1]}`,
    })
  }
}
