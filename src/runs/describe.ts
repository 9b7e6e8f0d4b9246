/** The change of a run in words: before it is confirmed, while it runs, and at its end. */
import type { Context } from '../context.ts'
import { cut } from '../text/cells.ts'
import type { Run } from './run.ts'

type Change = Pick<Run, 'connection' | 'operation'>

/** `what` is `3 persons` in `This will delete 3 persons of project 1 and all of their events (prod, a.example.com)`. */
export function describePlan({ secrets }: Context, change: Change, what: string, project = ''): string {
  const name = project && ` ${JSON.stringify(cut(secrets.hide(project), longestName))}`
  return `This will ${change.operation.verb[2]} ${objectOf(change, what, name)}`
}

export function describeProgress(change: Change, what: string): string {
  return `${change.operation.verb[0]} ${objectOf(change, what, '')}`
}

function objectOf(change: Change, what: string, name: string): string {
  const { part, also } = change.operation
  return `${part}${what}${placeIn(change)}${name}${also} (${change.connection.serverName})`
}

/** Of a change that was made, or one that the service accepted and may make later. */
export function describeDone(change: Change, what: string, isAccepted = false): string {
  const { verb, part } = change.operation
  const where = `${placeIn(change)} (${change.connection.serverName})`
  if (isAccepted) return `Accepted: the server may apply the change of ${what}${where} later`
  return `${verb[1]} ${part}${what}${where}`
}

function placeIn({ connection, operation }: Change): string {
  return operation.of.scope === 'project_id' ? ` of project ${connection.project()}` : ''
}

/** Terminal cells: a longer name would push the action off the screen. */
const longestName = 100
