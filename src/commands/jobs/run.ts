import { resolve } from 'node:path'
import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { option, smallest } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { RefusedError } from '../../errors.ts'
import { refuseKnownPlan } from '../../jobs/create-job.ts'
import { jobsFolder } from '../../jobs/job.ts'
import { batchOf, deletesEvents, writeEndpoints } from '../../operations/operation.ts'
import { refuseElsewhere } from '../../runs/checks/elsewhere.ts'
import { refuseSameFile } from '../../runs/checks/same-file.ts'
import { type PlanFile, plannedFailures, readPlan } from '../../runs/plan.ts'
import type { FixedTargets } from '../../targets/source.ts'
import { readableMoment } from '../../text/moment.ts'
import { duration, writeDuration } from '../../values/duration.ts'
import { inputFile } from '../../values/kinds.ts'
import { jobOptions } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'
import { lineAtJob } from './place-in-use.ts'

const week = 7 * 24 * 60 * 60 * 1000

/** Milliseconds that the clock of the machine that wrote the plan may be ahead. */
const clockDifference = 5 * 60 * 1000

export default defineCommand({
  summary: 'Do what a plan says, which --plan wrote: those targets and no others',
  details:
    'The plan fixes the targets, what is done to them, --reason and the guards; a smaller --max-failures may be given. It runs once, on the same server and project. With --signers it must be signed: ssh-keygen -Y sign -n analytics -f KEY PLAN.',
  calls: writeEndpoints,
  args: { plan: argument('PLAN', 'file that --plan wrote') },
  options: {
    signers: option(inputFile, 'FILE', 'refuse unless somebody listed in this file of ssh-keygen signed PLAN.sig'),
    maxAge: smallest(duration, 'DURATION', 'refuse a plan that is older (7d)'),
    ...jobOptions,
  },
  examples: [
    'jobs run plan.json --dry-run # Show what it would send',
    'jobs run plan.json --signers allowed_signers --receipt receipt.json --yes # In CI, after a review',
  ],
  async run({ plan: typed }, { signers, maxAge, ...options }, context) {
    const { host } = context
    refuseSameFile(context, {
      '--receipt': options.receipt,
      '--backup': options.backup,
      PLAN: typed,
      'PLAN.sig': `${typed}.sig`,
      '--signers': signers,
    })
    const path = resolve(host.cwd, typed)
    const file = await readPlan(host, path)
    const { plan } = file
    const { operation, targets: ids, guards, sha256 } = plan
    refuseOld(context, file, maxAge ?? week)
    if (signers !== undefined) {
      const { checkSignature } = await import('../../runs/check-signature.ts')
      const signed = { bytes: file.bytes, path, signers: resolve(host.cwd, signers) }
      context.messages.notice(`Signed by ${await checkSignature(host, signed)}`)
    }
    const { command, path: there } = operation
    const made = { command, path: { ...there }, base: plan.base_url, profile: plan.profile }
    refuseKnownPlan(jobsFolder(context.stateFolder()), sha256, words => lineAtJob(context, made, words))
    const targets: FixedTargets = {
      kind: 'fixed',
      ids,
      input: plan.input,
      place: connection => refuseElsewhere(connection, made, 'The plan', 'Run'),
    }
    return startChange(context, operation, targets, {
      deleteEvents: deletesEvents(operation),
      batch: batchOf(operation),
      ...options,
      reason: plan.reason ?? undefined,
      requestedBy: plan.requested_by ?? undefined,
      received: plan.request_received_at ?? undefined,
      maxFailures: plannedFailures(context, options.maxFailures, guards.max_failures),
      canary: guards.canary ?? undefined,
      planned: { kind: 'planned', sha256, maxFailures: guards.max_failures },
    })
  },
})

function refuseOld({ host }: Context, { plan }: PlanFile, maxAge: number): void {
  const age = host.clock.now() - Date.parse(plan.created_at)
  const writtenAt = readableMoment(plan.created_at)
  if (age < -clockDifference) {
    throw new RefusedError(`The plan was written at ${writtenAt}, which is in the future`, {
      hint: 'Nothing was changed. Check the clock of this machine, or write the plan again with --plan',
    })
  }
  if (age <= maxAge) return
  throw new RefusedError(
    `The plan was written at ${writtenAt}, and is older than --max-age (${writeDuration(maxAge)})`,
    {
      hint: 'Nothing was changed. Write it again with --plan, or raise --max-age',
    },
  )
}
