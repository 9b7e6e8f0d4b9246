/** A job is named by the digest of its plan, so two processes cannot create two jobs of one plan. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RefusedError } from '../errors.ts'
import { isUnsentKept } from './job.ts'

export function planJobName(sha256: string): string {
  return `plan-${sha256.slice(0, 16)}`
}

/** `lineOf` writes a command line that leads to the server of the plan. */
export function refuseKnownPlan(jobs: string, sha256: string, lineOf = plainLine): void {
  const name = planJobName(sha256)
  if (!existsSync(join(jobs, name))) return
  const see = `See ${lineOf(['jobs', 'show', name])}`
  if (!isUnsentKept({ folder: join(jobs, name) })) {
    throw new RefusedError(`The plan was run already: job ${name} has ended, and nothing is left to try`, { hint: see })
  }
  throw new RefusedError(`The plan was run already, as job ${name}`, {
    hint: `${see}, or finish it with: ${lineOf(['jobs', 'resume', name])}`,
  })
}

function plainLine(words: readonly string[]): string {
  return ['analytics', ...words].join(' ')
}
