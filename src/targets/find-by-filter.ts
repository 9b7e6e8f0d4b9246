import { idOf } from '../api/answers/record-identity.ts'
import type { List } from '../api/pages.ts'
import { rowSource, selectRows } from '../api/select-rows.ts'
import type { Connection } from '../context.ts'
import { RefusedError, type UsageError } from '../errors.ts'
import { isMistake, type Unheld } from '../filters/excluded.ts'
import { fixPersonTimes } from '../filters/person-filter.ts'
import { unheldInRecords } from '../filters/record-filter.ts'
import { type CollectionFacts, collectionOf, collections, pathIn, type TargetIds } from '../operations/collections.ts'
import { faultOfUnheld, openPersons, openWhole } from './list-persons.ts'
import type { TargetFilter } from './source.ts'
import { TargetCollector } from './target-collector.ts'

/** Throws `RefusedError` if the service ignores a filter, `UsageError` for a probable typing error in one. */
export async function findTargets(
  connection: Connection,
  kind: TargetIds,
  filter: TargetFilter,
): Promise<{ readonly ids: readonly string[]; readonly remarks: readonly string[] }> {
  const { client } = connection
  const now = connection.now()
  const collection = collectionOf(kind)
  const facts: CollectionFacts = collections[collection]
  const path = await pathIn(connection, facts)
  const limit = facts.largePage
  const isOfPersons = collection === 'persons'
  const persons = isOfPersons ? openPersons(connection, fixPersonTimes(filter, now), { limit }) : undefined
  const rows = persons ?? openWhole(client, collection, path, { limit })
  const source = rowSource(client, facts.list, path, filter.where)
  const selected = filter.where.length > 0 ? selectRows(rows, { filters: filter.where, source, now }) : undefined
  const ids = await idsOf(selected ?? rows, kind)
  const remarks = [persons?.check.leftOut() ?? []].flat()
  for (const unheld of persons?.check.unheld() ?? []) {
    const fault = await faultOfUnheld(connection, unheld)
    if (fault) remarks.push(remarkOn(unheld, fault))
  }
  for (const unheld of selected?.isWhole() ? selected.unheld() : []) {
    remarks.push(remarkOn(unheld, unheldInRecords(unheld)))
  }
  return { ids, remarks }
}

/** Throws `UsageError` for a negation that is a mistake, since it would select everyone. */
function remarkOn(unheld: Unheld, error: UsageError): string {
  if (isMistake(unheld)) throw error
  return error.message
}

async function idsOf({ batches }: List, kind: TargetIds): Promise<readonly string[]> {
  const ids = new TargetCollector()
  for await (const batch of batches) {
    for (const item of batch) {
      const id = idOf(item.value, kind)
      ids.add(id)
    }
    if (ids.size > mostIds) throw tooMany()
  }
  return ids.list()
}

/** About the number that fits in memory; a longer list may be endless. */
const mostIds = 5_000_000

function tooMany(): RefusedError {
  return new RefusedError('The filter selects more than 5,000,000 objects: nothing was changed', {
    hint: 'Select fewer, and do it in several runs',
  })
}
