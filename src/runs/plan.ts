/** A plan is a file with an operation and its fixed targets, to be reviewed, signed, and run by `jobs run`. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { digestOfBytes } from '../files/digest.ts'
import { writePrivateFile } from '../files/private-file.ts'
import { longestText } from '../files/read.ts'
import { type InputHost, readInput } from '../files/read-input.ts'
import { digestOfTargets, isActor, isReceiptInput } from '../jobs/receipts/receipt.ts'
import { arrayOf, type Check, type Checked, exactly, isCount, isText, nullOr, recordOf } from '../json/checks.ts'
import { encode, isObject } from '../json/exact.ts'
import { readOwn } from '../json/own.ts'
import { counted, type Operation, targetIdsOf } from '../operations/operation.ts'
import { isOperation } from '../operations/operation-form.ts'
import { noData, type Result, write } from '../result.ts'
import { commandLine } from '../suggest-command.ts'
import { filtersOf } from '../targets/source.ts'
import { isId } from '../values/ids.ts'
import { day } from '../values/kinds.ts'
import { shownInFull } from './agree.ts'
import { actorOf } from './receipt-facts.ts'
import type { Purpose, RunRequest } from './request.ts'
import type { ResolvedRun } from './run.ts'

const version = 2

const isTime: Check<string> = (value): value is string =>
  isText(value) && Number.isFinite(Date.parse(value)) && new Date(value).toISOString() === value

const isDay: Check<string> = (value): value is string => day.check(value) === undefined

/** All members but those of the operation. */
const isFacts = recordOf({
  base_url: isText,
  /** The options that chose the targets, for a reviewer. */
  selection: isText,
  count: isCount,
  plan: exactly(version),
  tool: isText,
  created_at: isTime,
  by: isActor,
  profile: nullOr(isText),
  guards: recordOf({ canary: nullOr(isCount), max_failures: nullOr(isCount) }),
  reason: nullOr(isText),
  requested_by: nullOr(isText),
  request_received_at: nullOr(isDay),
  input: nullOr(isReceiptInput),
  targets_sha256: isText,
  targets: arrayOf(isText),
  /** Digest of the text before this member. */
  sha256: isText,
})

type ReadPlan = Checked<typeof isFacts> & { readonly operation: Operation }

/** The other members follow from these. */
type Plan = Omit<ReadPlan, 'count' | 'plan' | 'targets_sha256' | 'sha256'>

export interface PlanFile {
  readonly plan: ReadPlan
  readonly bytes: Buffer
}

/** What a reviewer reads first comes first. One member or target per line, so that a review shows changes. */
function print({ operation, base_url, selection, targets, ...rest }: Plan): string {
  const { command, path, values } = operation
  const first = { command, base_url, path, selection, count: targets.length, plan: version }
  const { tool, created_at, by, profile, guards, reason, requested_by, request_received_at, input } = rest
  const more = { tool, created_at, by, profile, values, guards, reason, requested_by, request_received_at, input }
  const members = Object.entries({ ...first, ...more, targets_sha256: digestOfTargets(targets) })
  const lines = members.map(([name, value]) => `${JSON.stringify(name)}: ${encode(value)},\n`)
  const ids = Array.from(targets, id => `  ${JSON.stringify(id)}`).join(',\n')
  const text = `{\n${lines.join('')}"targets": [\n${ids}\n],\n`
  return `${text}"sha256": "${digestOfBytes(text)}"\n}\n`
}

/** Throws `UsageError` for an unreadable file and another version, `RefusedError` for anything but a plan as written. */
export async function readPlan(host: InputHost, path: string): Promise<PlanFile> {
  const bytes = await readInput(host, { file: path, where: `The plan ${path}`, most: longestText })
  const plan = readOwn<ReadPlan>(bytes, { version: ['plan', version], typed: typedPlan, print })
  const hint = 'Write it again with --plan'
  if (plan === 'other version') {
    throw new UsageError(`The plan ${path} was written by another version of analytics`, { hint })
  }
  if (plan === 'altered') {
    throw new RefusedError(`${path} is not byte for byte a plan as analytics writes it: it was changed, or is none`, {
      hint,
    })
  }
  return { plan, bytes }
}

function typedPlan(value: unknown): ReadPlan | undefined {
  if (!isObject(value)) return undefined
  const { command, path, values, ...facts } = value
  const operation: unknown = { command, path, values }
  if (!isOperation(operation) || !isFacts(facts)) return undefined
  return fits(operation, facts.targets) ? { operation, ...facts } : undefined
}

/** Each target has the form of an id and, where targets have values of their own, its values. */
function fits(operation: Operation, targets: readonly string[]): boolean {
  const kind = targetIdsOf(operation)
  const own = ownValues(operation)
  const isAlone = new Set(targets.map(id => id.toLowerCase())).size === targets.length
  return (
    isAlone &&
    (own === undefined || Object.keys(own).length === targets.length) &&
    targets.every(id => isId(kind, id) && (own === undefined || own[id] !== undefined))
  )
}

/** By id; undefined if all targets get the same. */
function ownValues({ values }: Operation): Readonly<Record<string, unknown>> | undefined {
  if ('bodies' in values && values.bodies) return values.bodies
  if (!('undo' in values) || !values.undo) return undefined
  const { restores, restoreOf } = values.undo
  return Object.fromEntries(Object.entries(restoreOf).map(([id, index]) => [id, restores[index]]))
}

export function savePlan(
  context: Context,
  { connection, operation, targets, asked, canary, maxFailures }: ResolvedRun,
  { targets: source }: RunRequest,
  { file: plan, selection }: Extract<Purpose, { kind: 'plan' }>,
): Result {
  const { host, messages, config, secrets } = context
  const { reason, requestedBy, received, input } = asked
  const path = resolve(host.cwd, plan)
  const replaces = existsSync(path)
  const text = print({
    operation,
    base_url: connection.client.base.href,
    selection: secrets.hide(filtersOf(source, shownInFull) ?? selection),
    targets,
    tool: `analytics ${host.version}`,
    created_at: new Date(host.clock.now()).toISOString(),
    by: actorOf(context),
    profile: config.profile?.name ?? null,
    guards: { canary: canary ?? null, max_failures: maxFailures ?? null },
    reason,
    requested_by: requestedBy,
    request_received_at: received,
    input,
  })
  writePrivateFile(path, '--plan', text)
  if (replaces) messages.notice(`Replaced ${plan}`)
  messages.say(`Wrote a plan for ${counted(targets.length, operation)} to ${plan}; nothing was changed`)
  messages.say(`Run it with: ${commandLine(context, ['jobs', 'run', plan])}`)
  return write(noData)
}

/** A run or a resume of a plan may stop earlier than `--max-failures` of the plan, never later. */
export function plannedFailures(
  { messages }: Context,
  given: number | undefined,
  planned: number | null | undefined,
): number | undefined {
  const smallest = typeof planned === 'number' ? Math.min(planned, given ?? planned) : given
  if (given !== undefined && given !== smallest) {
    messages.notice(`--max-failures ${given} has no effect: the plan says ${planned}`)
  }
  return smallest
}
