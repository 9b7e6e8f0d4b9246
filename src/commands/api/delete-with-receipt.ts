/** A DELETE of `api` with a receipt: it runs the operation of its endpoint, whose outcome the receipt has. */
import { resolve } from 'node:path'
import type { Client } from '../../api/client.ts'
import type { Endpoint } from '../../api/endpoints.ts'
import type { Connection, Context, Result } from '../../cli/command.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { checkWritable } from '../../files/private-file.ts'
import { JobState } from '../../jobs/job-state.ts'
import { memoryJournal } from '../../jobs/journal/journal.ts'
import { pathIn } from '../../operations/collections.ts'
import { type OperationRequest, operationAt, operationNames, rowOf } from '../../operations/operation.ts'
import type { OperationName } from '../../operations/operation-row.ts'
import { checkProjects, checkService } from '../../operations/run/check-service.ts'
import { nothingAsked } from '../../operations/run/receipt-context.ts'
import { runOperation } from '../../operations/run/run-operation.ts'
import { fixScope } from '../../operations/scope.ts'

interface Asked {
  readonly row: Endpoint | undefined
  readonly params: readonly (readonly [string, string])[]
  readonly body: unknown
  readonly include: boolean | undefined
}

interface Deletion {
  readonly request: OperationRequest
  /** The file of the receipt. */
  readonly receipt: string
}

type DeleteName = Extract<OperationName, `${string} delete`>

const isDelete = (command: OperationName): command is DeleteName => rowOf({ command }).status === 'deleted'
const commands = operationNames.filter(isDelete)

/** Throws `UsageError` for a request that no command makes, and for a file that cannot be written. */
export function deletionWith({ host, values }: Context, file: string, asked: Asked): Deletion {
  const command = commands.find(one => rowOf({ command: one }).endpoint === asked.row)
  const isPlain = asked.body === undefined && !asked.include
  const deleteEvents = asked.params.length > 0
  const isKnown = asked.params.every(([name]) => name === 'delete_events' && command === 'persons delete')
  if (command === undefined || !isPlain || !isKnown) {
    throw new UsageError('--receipt goes with DELETE of a person, plugin, event definition or project only', {
      hint: 'Give no body, no -i, and no parameter but delete_events=true of a person',
    })
  }
  const receipt = resolve(host.cwd, file)
  if (!values.dryRun) checkWritable(receipt, '--receipt')
  const request: OperationRequest =
    command === 'persons delete' ? { command, values: { deleteEvents } } : { command, values: {} }
  return { request, receipt }
}

interface RawDeletion {
  readonly method: string
  readonly row: Endpoint | undefined
  /** Relative to the base URL. */
  readonly path: string
}

/** Throws the error, unless it is the 404 to a DELETE behind a lost answer; then what keeps its list from being a page. */
export async function checkInferred(client: Client, { method, row, path }: RawDeletion, error: unknown): Promise<void> {
  const isMissing = error instanceof NotFoundError && error.facts.fromService
  if (method !== 'DELETE' || !isMissing || !error.facts.unanswered) throw error
  const list = listBeside(path, row)
  const check = list.endsWith('/projects/') ? checkProjects : checkService
  await check(client, client.raw('GET', list, [['limit', '1']], undefined))
}

/** A documented list of the same project or organization, else of the projects. */
function listBeside(path: string, row: Endpoint | undefined): string {
  if (row) return path.replace(/[^/]+\/$/, '')
  const [prefix, kind] = /^\/?api\/(projects|organizations)\/[^/]+\//.exec(path) ?? []
  if (prefix === undefined) return '/api/projects/'
  return `${prefix}${kind === 'projects' ? 'persons' : 'plugins'}/`
}

interface Target {
  /** Relative to the base URL. */
  readonly path: string
  readonly reason: string | undefined
}

/** The path with the id in place of `@current`, because the receipt names it. */
export async function fixPath(connection: Connection, { request }: Deletion, path: string): Promise<string> {
  const { endpoint, scope } = rowOf(request)
  if (scope === undefined) return path
  const segments = path.split('/')
  const at = placeIn(endpoint, scope)
  const typed = decodeURIComponent(segments[at] ?? '')
  const there = { ...connection, project: () => typed, organization: async () => typed }
  const { [scope]: id = '' } = await pathIn(await fixScope(there, request), { scope })
  return segments.with(at, id).join('/')
}

function placeIn({ path }: Endpoint, name: string): number {
  return path.split('/').indexOf(`:${name}`)
}

export function deleteOne(
  context: Context,
  connection: Connection,
  { request, receipt }: Deletion,
  { path, reason }: Target,
): Promise<Result> {
  const { endpoint, scope } = rowOf(request)
  const named = (name: string) => decodeURIComponent(path.split('/')[placeIn(endpoint, name)] ?? '')
  return runOperation(context, {
    connection,
    operation: operationAt(request, scope === undefined ? {} : { [scope]: named(scope) }),
    targets: [named('id')],
    journal: memoryJournal(new JobState(1)),
    concurrency: 1,
    isOne: true,
    receipt,
    asked: { ...nothingAsked, reason: reason ?? null },
  })
}
