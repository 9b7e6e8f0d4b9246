/** The change of a run in words, for its question and its end. */
import type { Connection, Context } from '../context.ts'
import type { Operation } from '../operations/operation.ts'
import { cut } from '../text/cells.ts'

interface Change {
  readonly connection: Connection
  readonly operation: Operation
}

/** `what` is `3 persons` in `Deleting 3 persons of project 1 and all of their events (prod, analytics.example.com)`. */
export function describeDoing({ secrets }: Context, change: Change, what: string, project = ''): string {
  const { verb, part = '', also = '' } = change.operation
  const name = project && ` ${JSON.stringify(cut(secrets.hide(project), longestName))}`
  return `${verb[0]} ${part}${what}${placeIn(change)}${name}${also} (${change.connection.serverName})`
}

/** Of a change that was made, or one that the service accepted and may make later. */
export function describeDone(change: Change, what: string, isAccepted = false): string {
  const { verb, part = '' } = change.operation
  const where = `${placeIn(change)} (${change.connection.serverName})`
  if (isAccepted) return `The service accepted the change of ${what}${where}; it may apply it later`
  return `${verb[1]} ${part}${what}${where}`
}

function placeIn({ connection, operation }: Change): string {
  return operation.of.scope === 'project_id' ? ` of project ${connection.project()}` : ''
}

/** Terminal cells: a longer name would push the action off the screen. */
const longestName = 100
