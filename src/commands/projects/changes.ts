/** What `diff` and `apply` share: the project they are about, its record, and how changes are shown and kept. */
import { resolve } from 'node:path'
import type { Client } from '../../api/client.ts'
import { projects } from '../../api/endpoints.ts'
import type { Context, Result } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { DriftError, RejectedError } from '../../errors.ts'
import { decode, encode } from '../../json/exact.ts'
import { kindOf } from '../../json/pick.ts'
import type { Item } from '../../json/slice.ts'
import { openFile } from '../../output/file.ts'
import { cut } from '../../output/text.ts'
import { type Change, concealed, type ProjectRecord } from '../../settings/diff.ts'
import { draw } from '../../settings/draw.ts'
import { markdown } from '../../settings/markdown.ts'
import { text } from '../../values/kinds.ts'

export const markdownOption = {
  markdown: option(text, 'FILE', 'write the changes to this file too, for a job summary'),
}

/** The project that a command is about, and how messages call it. */
export interface Target {
  readonly client: Client
  readonly id: string
  /** Such as `project 1 (prod)`. */
  readonly where: string
}

/** `named`: the id that was typed; without one the project in use is meant. */
export async function targetOf(context: Context, named: string | undefined): Promise<Target> {
  const { client, project, place } = await context.connect()
  const id = named ?? project()
  return { client, id, where: `project ${id} (${place})` }
}

/** The project as the service has it. Throws `RejectedError` for an answer that is no project. */
export async function readItem(client: Client, id: string): Promise<Item> {
  return projectIn(await client.one(client.request(projects.get, { path: { id } })))
}

export async function readRecord(client: Client, id: string): Promise<ProjectRecord> {
  return recordOf(await readItem(client, id))
}

/** The record in an answer to a write. Throws `RejectedError` for one that is no project. */
export function recordOf(answer: Item): ProjectRecord {
  return decode(projectIn(answer)) as ProjectRecord
}

function projectIn(item: Item | undefined): Item {
  if (item && kindOf(item) === 'object') return item
  throw new RejectedError('The answer is not a project', { hint: 'Check the base URL' })
}

/** `1 setting`, `2 settings`. */
export function counted(changes: readonly unknown[]): string {
  return `${changes.length} ${changes.length === 1 ? 'setting' : 'settings'}`
}

/** The changes with their secrets masked, unless `--reveal` was given. */
export function visible(changes: readonly Change[], { values }: Context): readonly Change[] {
  return values.reveal ? changes : concealed(changes)
}

/** A value in a message: as JSON, its secrets masked whatever was asked for, not longer than a line. */
export function briefly(field: string, value: unknown): string {
  const [change] = concealed([{ field, from: value, to: null }])
  return cut(encode(change?.from ?? null), 80)
}

/** The changes as data, `{field, from, to}` each, and as a diff where a table would be. Secrets stay masked. */
export function shown(changes: readonly Change[], context: Context, afterwards: () => void): Result {
  const seen = visible(changes, context)
  const names = ['field', 'from', 'to']
  return {
    document: {
      shape: 'list',
      batches: [seen.map(({ field, from, to }) => Buffer.from(encode({ field, from, to })))],
      view: { columns: names, fields: names, id: 'field' },
    },
    drawn: { format: 'table', draw: ({ color }) => draw(seen, color) },
    afterwards,
  }
}

/** The file of `--markdown`; without one nothing is kept. */
export interface Summary {
  write(heading: string, changes: readonly Change[], remarks?: readonly string[]): Promise<void>
}

/**
 * Lets `act` write a summary, and leaves the file as it was where that fails. The file is opened before anything is
 * sent; throws `UsageError` for one that cannot be written.
 */
export async function summarized(
  context: Context,
  file: string | undefined,
  act: (summary: Summary) => Promise<Result>,
): Promise<Result> {
  const sink = file === undefined ? undefined : await openFile(resolve(context.host.cwd, file))
  try {
    return await act({
      async write(heading, changes, remarks) {
        await sink?.write(markdown(heading, visible(changes, context), remarks))
        await sink?.commit()
      },
    })
  } catch (error) {
    await sink?.discard()
    throw error
  }
}

/** What was compared, in words: `project 1 (prod)` with `settings.yaml`. */
export interface Compared {
  readonly where: string
  readonly other: string
  /** What to do where they differ. */
  readonly hint?: string
}

/** Shows the changes that are still to be made: none is well, any ends with `DriftError` once they are printed. */
export async function compared(
  { where, other, hint }: Compared,
  changes: readonly Change[],
  summary: Summary,
  context: Context,
): Promise<Result> {
  const heading =
    changes.length === 0
      ? `Compared ${where} with ${other}: no changes`
      : `${counted(changes)} of ${where} ${changes.length === 1 ? 'differs' : 'differ'} from ${other}`
  await summary.write(heading, changes)
  return shown(changes, context, () => {
    if (changes.length === 0) context.messages.notice(heading)
    else throw new DriftError(heading, { hint })
  })
}
