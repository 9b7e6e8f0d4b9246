import { idOf } from '../../api/answers/answered-id.ts'
import type { Client } from '../../api/client.ts'
import type { List } from '../../api/pages.ts'
import { rowSource, selectRows } from '../../api/select-rows.ts'
import type { Connection } from '../../cli/command.ts'
import { RefusedError, type UsageError } from '../../errors.ts'
import type { Filter } from '../../filters/filter.ts'
import { fixPersonTimes, type PersonFilter } from '../../filters/person-filter.ts'
import { TargetCollector } from '../../jobs/targets/target-collector.ts'
import type { Targets } from '../../jobs/targets/target-list.ts'
import { type CollectionFacts, collections, pathIn, type TargetCollection } from '../collections.ts'
import { openPersons, openWhole, refuseUnheldName, unheldValue } from './open-persons.ts'

/** `where`: filters that only this program checks. */
export interface TargetFilter extends PersonFilter {
  readonly where: readonly Filter[]
}

/** Throws `RefusedError` if the service ignored a filter, `UsageError` for a probable typing error in one. */
export async function findTargets(
  connection: Connection,
  collection: TargetCollection,
  filter: TargetFilter,
): Promise<Targets> {
  const { client } = connection
  const now = connection.now()
  const facts: CollectionFacts = collections[collection]
  const path = await pathIn(connection, facts)
  const fixed = fixPersonTimes(filter, now)
  const limit = facts.largePage
  if (collection === 'persons') {
    await refuseUnheldName(connection, fixed.property)
    refuse(await unheldValue(connection, fixed.property))
  }
  const rows =
    collection === 'persons'
      ? openPersons(connection, fixed, { limit })
      : openWhole(client, collection, path, { limit })
  if (filter.where.length === 0) return idsOf(rows, collection, client)
  const source = rowSource(client, facts.list, path, filter.where)
  const selected = selectRows(rows, { filters: filter.where, source, now })
  const ids = await idsOf(selected, collection, client)
  refuse(selected.unheldValue())
  return ids
}

function refuse(failure: UsageError | undefined): void {
  if (failure) throw failure
}

export async function findNamed(
  connection: Pick<Connection, 'client' | 'project'>,
  filter: PersonFilter,
  line: number,
): Promise<readonly string[]> {
  return [
    ...(await idsOf(openPersons(connection, filter, { where: ` for line ${line}` }), 'persons', connection.client)),
  ]
}

async function idsOf({ batches }: List, collection: TargetCollection, client: Client): Promise<Targets> {
  const ids = new TargetCollector()
  for await (const batch of batches) {
    for (const item of batch) {
      const id = idOf(item, collection)
      ids.add(id)
      if (collection === 'projects') client.keepSecrets(item)
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
