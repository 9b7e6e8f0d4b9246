import { RefusedError, RejectedError } from '../errors.ts'
import { codes } from '../jobs/outcome.ts'
import { textOf, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { cut } from '../text/cells.ts'
import { countOf, grouped } from '../text/grouped.ts'
import { nearest } from '../text/nearest.ts'
import type { Shapes } from './operation-form.ts'
import type { FindFault, TargetAndTime } from './operation-row.ts'
import { knownProperties, propertiesIn } from './person-properties.ts'

type Split = Pick<Shapes['persons split']['values'], 'mainDistinctId'>

function distinctIdsOf(person: Item): readonly string[] | undefined {
  const own = valueAt(person.value, 'distinct_ids')
  return Array.isArray(own) ? own.map(textOf) : undefined
}

/** Servers accept any text; with an id of another person, nobody keeps the properties. */
export function checkMainDistinctId({ mainDistinctId }: Split, person: Item, { id }: TargetAndTime): void {
  const own = distinctIdsOf(person) ?? []
  if (mainDistinctId === undefined || own.includes(mainDistinctId)) return
  const near = nearest(mainDistinctId, own)
  throw new RefusedError(
    '--main-distinct-id is none of the distinct ids of this person, so nobody would keep the properties',
    { hint: near === undefined ? `See them with: analytics persons get ${id}` : `Did you mean ${near}?` },
  )
}

/** Newer servers keep the properties of a person that is split without a main distinct id. */
export const findKeptProperties: FindFault = ({ id, before, after }) => {
  const had = propertiesIn(before)
  if (!had?.size) return undefined
  const kept = [...knownProperties(after).keys()].filter(path => had.has(path))
  if (kept.length === 0) return undefined
  return new RejectedError(
    `The person was split, and the service kept ${countOf(kept.length, 'property', 'properties')}`,
    {
      code: codes.notApplied,
      hint: `Delete each with: analytics persons delete-property ${id} --key KEY`,
    },
  )
}

const mostNamed = 5
const widest = 40

/** Returns one sentence; undefined if the record does not list the distinct ids. */
export function splitResult({ mainDistinctId }: Split, person: Item): string | undefined {
  const own = distinctIdsOf(person)
  if (!own) return undefined
  const others = own.filter(one => one !== mainDistinctId)
  const keeps = mainDistinctId === undefined ? 'Nobody' : cut(mainDistinctId, widest)
  return `${keeps} keeps the properties; ${personsWithout(others, mainDistinctId)}; this cannot be undone`
}

/** Without a main distinct id, the person keeps the first one, so not all persons are new. */
function personsWithout(ids: readonly string[], main: string | undefined): string {
  const [person, persons] = main === undefined ? ['person', 'persons'] : ['new person', 'new persons']
  if (ids.length === 0) return `no ${person}`
  const more = ids.length - mostNamed
  const named = ids.slice(0, mostNamed).map(id => cut(id, widest))
  const rest = more > 0 ? ` and ${grouped(more)} more` : ''
  return `${countOf(ids.length, person, persons)} without properties: ${named.join(', ')}${rest}`
}
