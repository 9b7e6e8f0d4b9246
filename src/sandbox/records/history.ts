/** Computes earlier properties of a person from the current ones and the log of changes. */
import { elements } from '../../json/pick.ts'
import { writeMembers } from '../../json/write-members.ts'
import { type Members, readMembers, stringOf } from '../members.ts'
import type { Store } from '../store/store.ts'
import type { Person } from './persons.ts'

interface Point {
  readonly at: string
  readonly properties: string
}

export function pointsOf(store: Store, { id, project, created_at, properties }: Person): Point[] {
  const points: Point[] = []
  let now = readMembers(properties)
  const entries = store.all<{ record: string }>(
    "SELECT record FROM activity WHERE scope = 'Person' AND place = ? AND item = ? ORDER BY id DESC",
    project,
    id,
  )
  for (const { record } of entries) {
    const entry = readMembers(record)
    const before = propertiesBefore(now, changesOf(entry))
    if (writeMembers(before) === writeMembers(now)) continue
    points.push({ at: stringOf(entry.get('created_at')) ?? created_at, properties: writeMembers(now) })
    now = before
  }
  return [...points, { at: created_at, properties: writeMembers(now) }].reverse()
}

interface Change {
  readonly before: Members
  readonly after: Members
}

function changesOf(entry: Members): Change[] {
  const changes = readMembers(entry.get('detail') ?? '{}').get('changes') ?? '[]'
  return elements(Buffer.from(changes)).flatMap(change => {
    const members = readMembers(change.toString())
    if (stringOf(members.get('field')) !== 'properties') return []
    return [{ before: readMembers(members.get('before') ?? ''), after: readMembers(members.get('after') ?? '') }]
  })
}

/** Accepted changes that are not applied yet are not in the properties. */
function propertiesBefore(properties: Members, changes: readonly Change[]): Members {
  let found = properties
  for (const { before, after } of changes) {
    const isMade =
      [...after].every(([name, value]) => found.get(name) === value) &&
      [...before.keys()].every(name => after.has(name) || !found.has(name))
    if (!isMade || before.size + after.size === 0) continue
    found = new Map([...[...found].filter(([name]) => !after.has(name) || before.has(name)), ...before])
  }
  return found
}
