import { ifThere } from '../../api/if-there.ts'
import { nameOfProperty } from '../../api/property-path.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import { readTarget } from '../../operations/operation.ts'
import { knownProperties } from '../../operations/person-properties.ts'
import { partsNaming } from '../../operations/values-for-target.ts'
import { isNearly } from '../../text/nearest.ts'
import type { ResolvedRun } from '../run.ts'

/**
 * `--all-but emial` would delete every property, so persons are read until each name is found.
 * Throws `UsageError` if nobody has a name, and somebody one that is nearly the same.
 */
export async function refuseUnheldNames(
  { messages }: Context,
  { connection: { client }, operation, targets, concurrency }: ResolvedRun,
): Promise<void> {
  if (operation.command !== 'persons delete-property') return
  const { allBut = [] } = operation.values
  const unheld = new Map<string, string | undefined>(allBut.map(part => [part, undefined]))
  await runParallel(targets, concurrency, async id => {
    if (unheld.size === 0) return
    const person = await ifThere(readTarget(client, operation, id))
    const names = person ? [...knownProperties(person).keys()].map(nameOfProperty) : []
    for (const name of names) {
      const kept = partsNaming(name, allBut)
      for (const part of kept) unheld.delete(part)
      // A name that was typed too is no mistake for another one.
      if (kept.length > 0) continue
      for (const part of partsNaming(name, allBut, isNearly)) if (unheld.has(part)) unheld.set(part, name)
    }
  })
  for (const [part, near] of unheld) {
    const what = `None of these persons has a property ${JSON.stringify(part.trim())}, which --all-but would keep`
    if (near === undefined) messages.warn(what)
    else
      throw new UsageError(`${what}; did you mean ${JSON.stringify(near)}?`, { hint: 'Check the names in --all-but' })
  }
}
