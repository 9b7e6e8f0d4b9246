import { canonicalId, idsIn } from '../../api/answers/record-identity.ts'
import { Failure } from '../../errors.ts'
import { batchesOf, runParallel } from '../../jobs/run-parallel.ts'
import { findOwners, mostAtOnce } from '../../targets/person-lookups.ts'
import type { Run } from '../run.ts'
import { distinctIdGiven } from './proof.ts'
import type { Stepping } from './step.ts'

/**
 * A UUID that was given may be the distinct id of another person. Before the first batch all are looked up as distinct ids, where the
 * server can do that for many at a time, else the first. Those of a lookup in doubt are looked up alone. Stops the run for one that is.
 */
export async function refuseDistinctIds(run: Stepping & Pick<Run, 'concurrency'>): Promise<void> {
  const { client, concurrency, journal, lists, scope, state, targets, values } = run
  const { stop } = state
  if (!values.isGiven) return
  const reader = { client, project: () => scope.project_id ?? '' }
  const lookUpAlone = async (id: string) => {
    if (stop.signal.aborted) return
    const named = await lists.readNamed({ by: 'distinctId', name: id })
    if (named instanceof Failure) stop.abort(named)
    else if (named.some(own => !own.includes(canonicalId(id)))) stop.abort(distinctIdGiven(id))
  }
  let isOffered = false
  for (const batch of batchesOf(journal.remaining(), mostAtOnce)) {
    const ids = batch.map(target => targets[target] ?? '')
    const owners = await findOwners(reader, ids)
    if (owners === 'not offered' && !isOffered) return lookUpAlone(ids[0] ?? '')
    isOffered = true
    if (typeof owners === 'string') await runParallel(ids, concurrency, lookUpAlone)
    else {
      const other = [...owners].find(([id, { value }]) => !idsIn(value).includes(canonicalId(id)))
      if (other) stop.abort(distinctIdGiven(other[0]))
    }
    if (stop.signal.aborted) return
  }
}
