import { projects } from '../api/endpoints.ts'
import type { Connection, Context } from '../context.ts'
import { Failure, InterruptedError, RefusedError } from '../errors.ts'
import { batchesOf } from '../jobs/run-parallel.ts'
import { encode, type JsonObject, textAt } from '../json/exact.ts'
import { nameOfField } from '../json/property-path.ts'
import type { Item } from '../json/read-item.ts'
import { changesIn, type Part, partValue, undoneBy } from '../operations/change.ts'
import { pathTo } from '../operations/collections.ts'
import { counted, isDelete, type Operation, targetName } from '../operations/operation.ts'
import { maskChange } from '../output/mask.ts'
import { maskUrls } from '../secrets/secret-names.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { cells, cut } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { grouped } from '../text/grouped.ts'
import { needsPrompt } from './checks.ts'
import { operationFor, type Run } from './run.ts'
import { readTarget, withWrites } from './steps/read-target.ts'
import { describeCost, describeDoing, describePlan } from './wording.ts'

/** Throws `RefusedError` if the answer does not confirm, `NotFoundError` for a single target that is not there. */
export async function confirmRun(context: Context, run: Run, isAsked: boolean): Promise<void> {
  const { values, messages } = context
  const { connection, operation, targets, isOne, backup, journal } = run
  const what = isOne ? targetName(operation, targets[0] ?? '') : counted(journal.countRemaining(), operation)
  const isUnsaved = undoneBy[operation.command] !== undefined && !backup
  const isAsking = isAsked && needsPrompt(context)
  if (!isAsking && !values.dryRun) {
    // A run of one target is reported at its end.
    if (!isOne) messages.notice(describeDoing(run, what))
    else if (isUnsaved) messages.notice(keepsNothing(operation))
    return
  }
  const doing = describePlan(context, run, what, await projectName(connection, operation))
  const remarks = operation.remark === undefined ? [] : [operation.remark]
  if (values.dryRun) {
    const lines = [doing, ...remarks, `The run sends ${describeCost(run)}`]
    for (const line of lines) messages.notice(line)
    return
  }
  // Read first: a single target that is not found is an error without a preview.
  const preview = await readPreview(context, run)
  for (const line of [doing, ...remarks, ...preview]) messages.print(line)
  if (isUnsaved) messages.print(keepsNothing(operation))
  await prompt(context, run, describeCost(run))
}

function keepsNothing({ command }: Operation): string {
  const option = command.endsWith(' undo') ? '--new-backup' : '--backup'
  return `This cannot be undone (use ${option} to keep the old values)`
}

async function prompt(context: Context, run: Run, cost: string): Promise<void> {
  const { connection, operation, targets, scope } = run
  if (targets.length > 1) {
    const many = counted(targets.length, operation)
    const more = targets.length - mostShown
    const what = String(targets.length)
    const doing = more > 0 ? `…and ${grouped(more)} more (${many}, ${cost})` : `${many}, ${cost}`
    return promptForConfirmation(context, doing, { text: what, what })
  }
  if (operation.asks !== 'name') return promptForConfirmation(context, cost)
  const [id = ''] = targets
  const name = targetName(operation, id)
  const record = await connection.client.record(operation.collection.read, { path: pathTo(scope, id) })
  return promptForConfirmation(context, name[0]?.toUpperCase() + name.slice(1), nameToType(record, id))
}

const mostTries = 4

/**
 * Prompts for y/N, or for a text that must be typed: a count, or the name of a project, which the prompt calls `its name`.
 * Throws `RefusedError` unless the answer confirms.
 */
export async function promptForConfirmation(
  { host, messages }: Pick<Context, 'host' | 'messages'>,
  doing: string,
  typed?: { readonly text: string; readonly what: string },
): Promise<void> {
  const request = typed ? `Type ${typed.what} to confirm:` : 'Continue? [y/N]'
  // A narrow terminal may have cut the name in the preview.
  const statement = !typed || typed.what === typed.text ? doing : `${doing}: "${typed.text}"`
  const oneLine = `${escapeControls(statement)}. ${request} `
  // A message breaks between words, and a prompt does not.
  const isWide = cells(oneLine) > (host.stderr.columns ?? Number.POSITIVE_INFINITY)
  if (isWide) messages.print(statement)
  let answer: string | undefined
  for (let left = typed ? mostTries : 1; left > 0; left--) {
    const question = answer === undefined && !isWide ? oneLine : `${request} `
    answer = (await host.stdin.ask(question))?.trim()
    if (answer && (typed ? answer === typed.text.trim() : /^y(es)?$/i.test(answer))) return
    if (!answer || /^no?$/i.test(answer)) break
    if (typed && left > 1) messages.print(`That is not ${typed.what}`)
  }
  const hint = answer && typed ? `To confirm, run it again and type ${typed.what}` : undefined
  throw new RefusedError('Canceled: nothing was changed', { hint })
}

async function projectName({ client, project }: Connection, { collection }: Operation): Promise<string | undefined> {
  if (collection.scope !== 'project_id') return undefined
  try {
    return textAt((await client.record(projects.get, { path: { id: project() } })).value, 'name')
  } catch (error) {
    if (error instanceof Failure && !(error instanceof InterruptedError)) return undefined
    throw error
  }
}

export function nameToType(project: Item, id: string) {
  const name = textAt(project.value, 'name')?.trim()
  return name ? { text: name, what: 'its name' } : { text: id, what: 'its id' }
}

const mostShown = 10

/** In a pipe: a record of megabytes would fill the log. */
const mostLineCells = 2000

const fewestNameCells = 12

/** A line for each of the first targets. Throws `NotFoundError` for a single one that is not there. */
export async function readPreview(context: Context, run: Run): Promise<readonly string[]> {
  const { secrets, host } = context
  const { columns, isTerminal } = host.stderr
  const lines: string[] = []
  const shown = (words: readonly unknown[]) => maskUrls(secrets.hide(words.map(word => `  ${word}`).join('')))
  const [first = []] = batchesOf(run.journal.remaining(), mostShown)
  for (const target of first) {
    const preview = await previewTarget(run, target, secrets.hide)
    const width = isTerminal && columns ? columns - 1 : mostLineCells
    const [id, changes] = [shown([run.targets[target]]), shown(preview.changes)]
    // A long name must not push the values off the line.
    const names = cut(shown(preview.names), Math.max(fewestNameCells, width - cells(id + changes)))
    lines.push(cut(id + names + changes, width))
  }
  return lines
}

/** `changes`: old and new values, or why they are unknown. Throws a failure that would stop the run. */
async function previewTarget({ connection: { client }, ...run }: Run, target: number, hide: Secrets['hide']) {
  const operation = operationFor(run, target)
  const id = run.targets[target] ?? ''
  const read = withWrites(await readTarget({ client, scope: run.scope }, operation.collection, id), operation, false)
  if (read.is !== 'there') {
    if (run.targets.length === 1 || read.is === 'stop') throw read.failure
    return { names: [], changes: [read.is === 'look' ? 'not found' : read.failure.message] }
  }
  const { record, writes } = read
  const changes = isDelete(operation) ? [] : changesIn(writes).map(part => describeChange(part, record.value, hide))
  // Old and new values need the room of a second name.
  const names = shownNames(record.value).slice(0, changes.length > 0 ? 1 : undefined)
  return { names, changes }
}

function shownNames(record: JsonObject): readonly string[] {
  const names = ['name', 'properties.email'].map(path => partValue(record, path))
  return [...new Set(names.filter(name => typeof name === 'string' && name !== ''))].map(String)
}

const mostValueCells = 24

/** `plan: "pro" → "team"`. `hide` takes secrets out of a value before it is cut. */
function describeChange({ path, value }: Part, record: JsonObject, hide: Secrets['hide']): string {
  const before = partValue(record, path)
  const change = { field: path, from: before ?? null, to: value ?? null }
  const isSame = (before === undefined) === (value === undefined) && encode(change.from) === encode(change.to)
  const { from, to } = maskChange(change)
  const text = (whole: unknown, shown: unknown) =>
    whole === undefined ? 'none' : cut(hide(escapeControls(encode(shown))), mostValueCells)
  return `${nameOfField(path)}: ${text(before, from)} → ${isSame ? 'same' : text(value, to)}`
}
