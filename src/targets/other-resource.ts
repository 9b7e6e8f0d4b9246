import { UsageError } from '../errors.ts'
import { isObject, type Json } from '../json/exact.ts'
import { type CollectionFacts, collectionOf, collections, type TargetIds } from '../operations/collections.ts'

/** Ids of resources look the same. Throws `UsageError` for a row with two fields that only another resource has. */
export function refuseOtherResource(ids: TargetIds, row: Json | undefined, where: string): void {
  const own: CollectionFacts = collections[collectionOf(ids)]
  const fields = isObject(row) ? Object.keys(row) : []
  const foreign = fields.filter(field => !Object.hasOwn(own.read.returns.of.fields, field))
  for (const other of Object.values(collections)) {
    const [first, second] = foreign.filter(field => Object.hasOwn(other.read.returns.of.fields, field))
    if (second === undefined) continue
    const [[, wanted], [, given]] = [own.noun, other.noun]
    throw new UsageError(`${where} has ${first} and ${second}, which ${given} have and ${wanted} have not`, {
      hint: `Give ids of ${wanted}`,
    })
  }
}
