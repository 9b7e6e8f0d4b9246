/** Turns the options of a command that changes objects into one request. Nothing below the commands knows an option. */
import { resolve } from 'node:path'
import { personNames } from '../cli/arguments.ts'
import { optionName } from '../cli/options.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { checkWritable } from '../files/private-file.ts'
import { recordedOptions } from '../jobs/recorded-options.ts'
import { collectionOf, type TargetCollection, type TargetIds } from '../operations/collections.ts'
import { isDelete, type OperationRequest, targetIdsOf } from '../operations/operation.ts'
import { refuseSameFile } from '../runs/checks/same-file.ts'
import { backupFile } from '../runs/receipt-facts.ts'
import type { BackupOption, PlannedRun, RunRequest } from '../runs/request.ts'
import type { FixedTargets, ListFile, TargetSource } from '../targets/source.ts'
import { shellWord } from '../text/shell-words.ts'
import { checkId, type OtherNames } from '../values/ids.ts'
import { checkFilters } from './persons/filters.ts'
import type { BulkOptions, GivenOptions } from './writing/bulk-options.ts'

interface OfFixedTargets {
  readonly planned?: PlannedRun
  readonly backupOption?: BackupOption
}

/**
 * `targets`: the ids that were typed, which may be none, or what a plan or an undo has fixed. Throws `UsageError` for options
 * that contradict each other, no source or several, and what is no id.
 */
export function runRequest(
  context: Context,
  operation: OperationRequest,
  targets: readonly string[] | FixedTargets,
  { planned, backupOption, ...options }: GivenOptions & OfFixedTargets,
): RunRequest {
  const { host } = context
  refuseContradictions(context, operation, options)
  const { expect, max, canary, maxFailures, concurrency, maxDuration, backup, receipt, plan } = options
  const { reason = null, requestedBy = null, received = null } = options
  return {
    operation,
    targets: 'kind' in targets ? targets : sourceOf(targetIdsOf(operation), targets, options),
    guards: { expect, max, canary, maxFailures },
    pace: { concurrency, maxDuration },
    records: {
      backup: backupFile(host, backup),
      backupOption: backupOption ?? ('backup' in options ? '--backup' : undefined),
      receipt: receipt === undefined ? undefined : resolve(host.cwd, receipt),
      details: { reason, requestedBy, received },
    },
    purpose:
      planned ?? (plan === undefined ? { kind: 'run' } : { kind: 'plan', file: plan, selection: listWords(options) }),
    recorded: recordedOptions(options),
  }
}

const files = ['from', 'distinctIdsFrom', 'emailsFrom', 'rows', 'unmatched', 'backup', 'receipt', 'plan'] as const

function refuseContradictions(context: Context, operation: OperationRequest, options: GivenOptions): void {
  const { all, expect, from, distinctIdsFrom, emailsFrom, rows, types, plan, unmatched } = options
  if (all && isDelete(operation) && expect === undefined) {
    throw new UsageError('Deleting with --all needs the number of targets', { hint: 'Give --expect N' })
  }
  if (options.body === '-' && [from, distinctIdsFrom, emailsFrom, rows].includes('-')) {
    throw new UsageError('stdin cannot carry both the body and the ids', { hint: 'Put one of them in a file' })
  }
  if (types?.length && rows === undefined) {
    throw new UsageError('--types needs --rows', { hint: 'Leave it out' })
  }
  const early = (['receipt', 'backup', 'maxDuration'] as const).find(name => options[name] !== undefined)
  if (plan !== undefined && early !== undefined) {
    throw new UsageError(`${optionName(early)} cannot be combined with --plan`, {
      hint: 'Give it to analytics jobs run',
    })
  }
  if (plan !== undefined && context.values.dryRun) {
    throw new UsageError('--plan changes nothing, and cannot be combined with --dry-run', {
      hint: 'Leave one of them out',
    })
  }
  refuseSameFile(context, Object.fromEntries(files.map(name => [optionName(name), options[name]])))
  if (unmatched !== undefined) checkWritable(resolve(context.host.cwd, unmatched), '--unmatched')
}

const list = '--from FILE, or --from - for stdin'

const argumentNames: Readonly<Record<TargetCollection, OtherNames>> = {
  persons: { ...personNames, list },
  event_definitions: { text: 'a name use --by-name', list },
  plugins: { list },
  projects: { list },
}

function sourceOf(kind: TargetIds, ids: readonly string[], options: BulkOptions): TargetSource {
  refuseUnclearSource(ids, options)
  refuseListOptions(options)
  for (const id of ids) checkId(kind, id, argumentNames[collectionOf(kind)])
  if (ids.length > 0) return { kind: 'typed', ids }
  const { byName = [], rows, types = [], from } = options
  if (byName.length > 0) return { kind: 'names', names: byName }
  if (rows !== undefined) return { kind: 'rows', list: listFile(rows, options), types }
  if (from !== undefined) return { kind: 'file', list: listFile(from, options) }
  const persons = personsOf(options)
  if (persons) return persons
  const { search, email, distinctId, property = [], where = [] } = options
  const filter = { search, email, distinctId, property, where }
  checkFilters(filter)
  return { kind: 'filter', filter }
}

function listFile(file: string, { column, unmatched, requireAll, onSeveral }: BulkOptions): ListFile {
  return { file, column, unmatched, requireAll, onSeveral }
}

export function personsOf(options: BulkOptions): Extract<TargetSource, { readonly kind: 'persons' }> | undefined {
  const { emailsFrom, distinctIdsFrom } = options
  if (emailsFrom !== undefined) return { kind: 'persons', by: 'email', list: listFile(emailsFrom, options) }
  if (distinctIdsFrom === undefined) return undefined
  return { kind: 'persons', by: 'distinctId', list: listFile(distinctIdsFrom, options) }
}

/** All filters together are one source. */
const sources = [
  ['byName'],
  ['from'],
  ['rows'],
  ['emailsFrom'],
  ['distinctIdsFrom'],
  ['search', 'where', 'email', 'distinctId', 'property'],
  ['all'],
] as const satisfies readonly (readonly (keyof BulkOptions)[])[]

export function givenSources(ids: readonly string[], options: BulkOptions): readonly string[] {
  const isGiven = (key: keyof BulkOptions) => {
    const value = options[key]
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
  }
  const given = sources.map(source => source.filter(isGiven).map(optionName).join(' '))
  return [...(ids.length > 0 ? ['ids'] : []), ...given.filter(names => names !== '')]
}

/** The option that gave a list of targets, as it was typed, for a selection without filters. */
function listWords({ byName = [], from, rows, emailsFrom, distinctIdsFrom }: BulkOptions): string {
  const given = [
    ...byName.map(name => ['byName', name] as const),
    ...Object.entries({ from, rows, emailsFrom, distinctIdsFrom }),
  ]
  const words = given.flatMap(([key, value]) => (value === undefined ? [] : [`${optionName(key)} ${shellWord(value)}`]))
  return words.join(' ') || 'ids'
}

/** `options` has a key for each option of the command. */
function refuseUnclearSource(ids: readonly string[], options: BulkOptions): void {
  const given = givenSources(ids, options)
  if (given.length === 1) return
  const taken = sources.map(source => source.filter(key => key in options).map(optionName))
  const ways = taken.flatMap(([first, second]) =>
    second === undefined ? (first ?? []) : [`a filter such as ${first} or ${second}`],
  )
  const choice = `${['ids', ...ways.slice(0, -1)].join(', ')}, or ${ways.at(-1)}`
  if (given.length === 0) throw new UsageError('No targets given', { hint: `Give ${choice}` })
  throw new UsageError(`Targets must come from one source, not from ${given.join(' and ')}`, {
    hint: `Give one of ${choice}`,
  })
}

const named = ['emailsFrom', 'distinctIdsFrom'] as const

/** The lists that an option is for. */
const listOptions = {
  column: ['from', ...named],
  unmatched: ['from', ...named, 'rows'],
  requireAll: [...named, 'rows'],
  onSeveral: [...named, 'rows'],
} as const satisfies { readonly [N in keyof BulkOptions]: readonly (keyof BulkOptions)[] }

/** `options` has a key for each option of the command. */
export function refuseListOptions(options: BulkOptions): void {
  for (const [name, lists] of Object.entries(listOptions)) {
    const isGiven = Boolean(options[name as keyof typeof listOptions])
    if (!isGiven || lists.some(list => options[list] !== undefined)) continue
    const taken = lists.filter(list => list in options).map(optionName)
    throw new UsageError(`${optionName(name)} needs ${taken.join(' or ')}`, { hint: 'Leave it out' })
  }
}

/** Throws `UsageError` for values beside `--rows`, and for neither. */
export function refuseUnclearValues(
  rows: string | undefined,
  isGiven: boolean,
  missing: { readonly message: string; readonly hint: string },
): void {
  if (rows === undefined && !isGiven) throw new UsageError(missing.message, { hint: missing.hint })
  if (rows === undefined || !isGiven) return
  throw new UsageError('--rows has the values of each target, and cannot be combined with others', {
    hint: 'Leave --rows or the fields out',
  })
}

export const noFields = (command: string) => ({
  message: 'No fields given',
  hint: `See analytics ${command} --help`,
})
