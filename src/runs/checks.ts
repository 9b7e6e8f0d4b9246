/** Every check before a write, in the order in which a user meets them. Runs, `api`, `apply`, undo and resume pass this one list. */
import { deletesObjects, effectOf } from '../api/effects.ts'
import type { Connection, Context } from '../context.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { checkWritable, realPath } from '../files/regular-file.ts'
import { isCi } from '../host.ts'
import { refuseUnsafe } from '../http/guard.ts'
import type { Request } from '../http/message.ts'
import { checkBackup } from '../jobs/backup.ts'
import type { CollectionSpec } from '../operations/collections.ts'
import type { Write } from '../operations/operation.ts'
import { countOf, grouped } from '../text/grouped.ts'
import type { RunRequest } from './run.ts'

export interface PlannedWrite {
  readonly files: {
    readonly receipt: string | undefined
    readonly backup: string | undefined
    /** Backups that the command reads, or wrote to before. */
    readonly backupsRead: readonly string[]
  }
  readonly reason: string | null
  readonly scope: CollectionSpec['scope']
  readonly requests: readonly Pick<Request, 'method' | 'effect' | 'destroys'>[]
  /** Number of objects; at least one before it is known, infinite if it cannot be known. */
  readonly deletes: number
  readonly targets: {
    readonly count: number | undefined
    readonly noun: CollectionSpec['noun']
    readonly isUnbounded: boolean
    /** stdin has the list of targets, so it cannot answer a prompt. */
    readonly readsStdin: boolean
  }
  readonly guards: RunRequest['guards']
  readonly proposal: (connection: Connection) => string | undefined
  readonly confirm: () => Promise<void>
}

export const singleRequest = {
  files: { receipt: undefined, backup: undefined, backupsRead: [] },
  reason: null,
  scope: undefined,
  deletes: 0,
  targets: { count: undefined, noun: ['', ''], isUnbounded: false, readsStdin: false },
  guards: { max: undefined, expect: undefined },
  proposal: () => undefined,
  confirm: async () => undefined,
} as const satisfies Partial<PlannedWrite>

/** `count`: of the targets; undefined before it is known. */
export function planWrites(writes: readonly Pick<Write, 'endpoint' | 'body'>[], count: number | undefined) {
  return {
    requests: writes.map(({ endpoint, body }) => ({ method: endpoint.method, ...effectOf(endpoint, body) })),
    deletes: writes.some(({ endpoint, body }) => deletesObjects(endpoint, body)) ? (count ?? 1) : 0,
  }
}

/** `start` comes before the first request, `resolved` once the targets are known, `confirm` right before the first write. */
type Stage = 'start' | 'resolved' | 'confirm'

export const checks = [
  { name: 'usage', stage: 'start', check: checkUsage },
  { name: 'project and key', stage: 'start', check: checkProjectAndKey },
  { name: 'safety level', stage: 'start', check: checkSafetyLevel },
  { name: 'known limits', stage: 'start', check: checkKnownLimits },
  { name: 'terminal', stage: 'start', check: checkTerminal },
  { name: 'max_deletes', stage: 'resolved', check: checkMaxDeletes },
  { name: '--max', stage: 'resolved', check: checkMax },
  { name: '--expect', stage: 'resolved', check: checkExpect },
  { name: 'preview and confirmation', stage: 'confirm', check: (_: Context, plan: PlannedWrite) => plan.confirm() },
] as const

export async function passChecks(context: Context, plan: PlannedWrite, stage: Stage): Promise<void> {
  for (const one of checks) if (one.stage === stage) await one.check(context, plan)
}

function checkUsage(context: Context, { files, targets: { noun, isUnbounded } }: PlannedWrite): void {
  checkOutputFiles(context, files)
  const { values } = context
  if (values.dryRun || !values.yes || !isUnbounded) return
  throw new UsageError(`--yes does not confirm an unknown number of ${noun[1]}`, {
    hint: 'Add --max N or --expect N; --dry-run shows how many match',
  })
}

/** Throws `UsageError` for a file that cannot be written, and for a receipt in the place of a backup. */
export function checkOutputFiles({ values }: Context, files: PlannedWrite['files']): void {
  if (values.dryRun) return
  const { receipt, backup, backupsRead } = files
  if (receipt !== undefined) checkWritable(receipt, '--receipt')
  if (backup !== undefined) checkBackup(backup)
  // A receipt replaces its file, and a backup may be the only copy of the old values.
  const backups = backup === undefined ? backupsRead : [...backupsRead, backup]
  if (receipt !== undefined && backups.some(path => realPath(path) === realPath(receipt))) {
    throw new UsageError(`--receipt: ${receipt} is the backup`, { hint: 'Use another file' })
  }
}

async function checkProjectAndKey(context: Context, { scope, reason }: PlannedWrite): Promise<void> {
  const connection = await context.connect()
  if (scope === 'project_id') connection.project()
  if (scope === 'parent_lookup_organization_id') connection.requireOrganization()
  // Users share jobs and receipts.
  if (!reason || (context.secrets.hide(reason) === reason && !(await connection.holdsKey(reason)))) return
  throw new UsageError('--reason contains a secret, which jobs and receipts would store', {
    hint: 'Use another text',
  })
}

function checkSafetyLevel({ values, config }: Context, { requests }: PlannedWrite): void {
  if (values.dryRun) return
  for (const request of requests) if (request.effect !== 'read') refuseUnsafe(request, config.safety)
}

function checkKnownLimits(context: Context, plan: PlannedWrite): void {
  for (const check of [checkMaxDeletes, checkMax, checkExpect]) check(context, plan)
}

async function checkTerminal(context: Context, { proposal, targets }: PlannedWrite): Promise<void> {
  const doing = needsPrompt(context) ? proposal(await context.connect()) : undefined
  const why = whyNoPrompt(context) ?? (targets.readsStdin ? 'stdin carries the list' : undefined)
  if (doing === undefined || why === undefined) return
  throw new RefusedError(`${doing}. It needs confirmation, but ${why}`, {
    hint: targets.isUnbounded
      ? 'Use --yes with --max N or --expect N to confirm; --dry-run shows how many match'
      : 'Use --yes to confirm',
  })
}

export function needsPrompt({ values }: Pick<Context, 'values'>): boolean {
  return !values.yes && !values.dryRun
}

/** Why no prompt is possible: the answer comes from stdin, and the prompt is shown on stderr. */
export function whyNoPrompt({ host, values }: Pick<Context, 'host' | 'values'>): string | undefined {
  if (values.noInput) return 'prompts are off (--no-input)'
  if (isCi(host.env) && !host.stdin.isTerminal) return 'CI is set, so there are no prompts'
  const [missing, other] = (['stdin', 'stderr'] as const).filter(stream => !host[stream].isTerminal)
  if (missing === undefined) return undefined
  return other ? `${missing} and ${other} are not terminals` : `${missing} is not a terminal`
}

function checkMaxDeletes({ values, config }: Context, { deletes }: PlannedWrite): void {
  const { maxDeletes } = config.values
  if (values.dryRun || maxDeletes === undefined || deletes <= maxDeletes) return
  const whose = `The profile ${config.profile?.name ?? ''}`.trim()
  const wanted = Number.isFinite(deletes) ? grouped(deletes) : 'an unknown number'
  throw new RefusedError(
    maxDeletes === 0
      ? `${whose} allows no deletions`
      : `${whose} lets one command delete at most ${countOf(maxDeletes, 'object')}, not ${wanted}`,
    { hint: 'Nothing was changed. The limit is --max-deletes of the profile' },
  )
}

function checkMax(_: Context, { targets: { count, noun }, guards: { max } }: PlannedWrite): void {
  if (max === undefined || count === undefined || count <= max) return
  throw new RefusedError(`Found ${countOf(count, ...noun)}, at most ${grouped(max)} allowed`, {
    hint: 'Nothing was changed. If that is right, raise --max',
  })
}

function checkExpect(_: Context, { targets: { count, noun }, guards: { expect } }: PlannedWrite): void {
  if (expect === undefined || count === undefined || count === expect) return
  throw new RefusedError(`Found ${countOf(count, ...noun)}, expected ${grouped(expect)}`, {
    hint: 'Nothing was changed. If that is right, correct --expect',
  })
}
