import { canonicalId, idsIn } from '../../api/answers/record-identity.ts'
import { Failure } from '../../errors.ts'
import { batchesOf } from '../../jobs/run-parallel.ts'
import { findOwners, mostAtOnce } from '../../targets/person-lookups.ts'
import { distinctIdGiven } from './proof.ts'
import type { Stepping } from './step.ts'

/**
 * A UUID that was given may be the distinct id of another person. Before the first batch all are looked up as distinct ids, where the
 * server can do that for many at a time, else the first. Stops the run for one that is.
 */
export async function refuseDistinctIds(run: Stepping): Promise<void> {
  const { client, journal, lists, scope, state, targets, values } = run
  if (!values.isGiven) return
  const reader = { client, project: () => scope.project_id ?? '' }
  for (const batch of batchesOf(journal.remaining(), mostAtOnce)) {
    const ids = batch.map(target => targets[target] ?? '')
    const owners = await findOwners(reader, ids)
    if (!owners) {
      const [first = ''] = ids
      const named = await lists.readNamed({ by: 'distinctId', name: first })
      if (named instanceof Failure) state.stop.abort(named)
      else if (named.some(own => !own.includes(canonicalId(first)))) state.stop.abort(distinctIdGiven(first))
      return
    }
    const other = [...owners].find(([id, { value }]) => !idsIn(value).includes(canonicalId(id)))
    if (other) return state.stop.abort(distinctIdGiven(other[0]))
  }
}
