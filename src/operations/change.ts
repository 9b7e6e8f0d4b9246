/** What the commands that change many things have in common: from what was typed to one request, or to a run. */
import { resolve } from 'node:path'
import type { Context, Result } from '../cli/command.ts'
import { UsageError } from '../errors.ts'
import type { OperationRequest } from './operation-request.ts'
import { operations } from './operations.ts'
import { chosenTargets, type Giving } from './targets.ts'

/** The options beside those of every such command, as they were typed: what a job keeps of them are their names. */
export type Given = Readonly<Record<string, unknown>>

/** Changes what the ids or options name. Throws a `Failure` before anything is sent, or for what ended it. */
export async function change(
  context: Context,
  wanted: OperationRequest,
  named: readonly string[],
  options: Giving,
  given: Given = {},
): Promise<Result> {
  if (options.all && operations[wanted.command].status === 'deleted' && options.expect === undefined) {
    throw new UsageError('Deleting with --all needs the number of persons', { hint: 'Give --expect N' })
  }
  if (given.body === '-' && (options.from === '-' || options.distinctIdsFrom === '-')) {
    throw new UsageError('stdin cannot carry both the body and the ids', { hint: 'Put one of them in a file' })
  }
  refuseSameFile(context, options)
  const chosen = await chosenTargets(context, named, options)
  if (chosen.one !== undefined) {
    const { changeOne } = await import('./change-one.ts')
    return changeOne(context, wanted, chosen.one, options)
  }
  if (wanted.serverFormat !== undefined) {
    throw new UsageError('--server-format goes with one id only: it prints one answer', { hint: 'Leave it out' })
  }
  const { changeMany } = await import('./change-many.ts')
  return changeMany(context, wanted, chosen, { ...given, ...options })
}

/** One file cannot be two things: the later would be all that is left of the earlier. */
function refuseSameFile({ host, values }: Context, { from, distinctIdsFrom, backup, receipt }: Giving): void {
  const named = Object.entries({
    '--from': from,
    '--distinct-ids-from': distinctIdsFrom,
    '--backup': backup,
    '--receipt': receipt,
    '--output-file': values.outputFile,
  }).flatMap(([option, path]) =>
    path === undefined || path === '-' ? [] : [[option, resolve(host.cwd, path)] as const],
  )
  const options = new Map<string, string>()
  for (const [option, path] of named) {
    const other = options.get(path)
    if (other) throw new UsageError(`${other} and ${option} name the same file`, { hint: 'Give each its own' })
    options.set(path, option)
  }
}
