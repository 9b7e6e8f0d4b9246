/** The job of a plan has the name of its digest, so that a plan has one job: two processes cannot create one folder. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RefusedError } from '../errors.ts'

export function planJobName(sha256: string): string {
  return `plan-${sha256.slice(0, 16)}`
}

/** Throws `RefusedError` where the plan has a job, which may be unreadable. */
export function refuseKnownPlan(jobs: string, sha256: string): void {
  const name = planJobName(sha256)
  if (!existsSync(join(jobs, name))) return
  throw new RefusedError(`The plan was run already, as job ${name}`, {
    hint: `See analytics jobs show ${name}, or finish it with: analytics jobs resume ${name}`,
  })
}
