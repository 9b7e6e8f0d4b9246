import { UsageError } from '../errors.ts'
import { type InputHost, readInputText } from '../files/read-input.ts'
import type { Messages } from '../messages/messages.ts'
import { type EntryOptions, type FileEntries, type FileEntry, readEntries } from './entries.ts'
import { type Mistake, mistakeAt, mistakeOf, refuseMistakes } from './mistakes.ts'

export interface DesiredState {
  readonly values: ReadonlyMap<string, unknown>
  /** Fields with a value from a variable, which are masked everywhere. */
  readonly fromVariables: ReadonlySet<string>
}

interface ReadOptions extends EntryOptions {
  readonly chosen: (field: string) => boolean
  readonly messages: Pick<Messages, 'say' | 'warn'>
  /** Files that several projects use: a `name` in them would rename all of these. */
  readonly shared: ReadonlySet<string>
}

/** Later files replace whole fields. Throws `UsageError` after reporting all mistakes with file, line and field. */
export async function readSettings(
  host: InputHost,
  projects: readonly (readonly string[])[],
  options: ReadOptions,
): Promise<DesiredState[]> {
  if (projects.some(files => files.filter(file => file === '-').length > 1)) {
    throw new UsageError('-f - is given twice, and stdin can be read once', { hint: 'Put one of them in a file' })
  }
  const read = new Map<string, FileEntries>()
  for (const file of new Set(projects.flat())) read.set(file, await readFile(host, file, options))
  const merged = projects.map(files =>
    mergeEntries(
      files.map(file => read.get(file)?.entries ?? []),
      options,
    ),
  )
  const mistakes = [...read.values()].flatMap(file => file.mistakes)
  const late = merged.flatMap(entries => entries.flatMap(entry => entryMistakes(entry, options)))
  const unique = new Map([...mistakes, ...late].map(mistake => [mistake.text, mistake]))
  refuseMistakes([...unique.values()], options.messages.say)
  const remarks = merged.flatMap(entries => entries.flatMap(entry => entry.remarks))
  for (const remark of new Set(remarks)) options.messages.warn(remark)
  const without = projects.find(files => files.every(file => read.get(file)?.entries.length === 0))
  if (without) throw noSettings(without)
  if (merged.every(entries => entries.length === 0)) {
    throw new UsageError(`--only and --except leave no field of ${displayNames([...read.keys()])}`, {
      hint: 'Name fields that are in it',
    })
  }
  return merged.map(entries => ({
    values: new Map(entries.map(({ field, value }) => [field, value])),
    fromVariables: new Set(entries.flatMap(({ field, isFromVariable }) => (isFromVariable ? [field] : []))),
  }))
}

async function readFile(host: InputHost, file: string, options: EntryOptions): Promise<FileEntries> {
  try {
    const text = await readSettingsText(host, file)
    // More likely cut off than meant, also beside another file.
    if (text.trim() === '') throw noSettings([file])
    return readEntries(text, displayName(file), options)
  } catch (error) {
    return { entries: [], mistakes: [mistakeOf(error)] }
  }
}

function mergeEntries(files: readonly (readonly FileEntry[])[], { chosen }: ReadOptions): FileEntry[] {
  const entries = new Map<string, FileEntry>()
  for (const entry of files.flat()) if (chosen(entry.field)) entries.set(entry.field, entry)
  return [...entries.values()]
}

function entryMistakes(
  { file, line, field, variableMistakes }: FileEntry,
  { shared }: ReadOptions,
): readonly Mistake[] {
  if (field !== 'name' || !shared.has(file)) return variableMistakes
  const problem = 'name would be given to several projects'
  const hint = 'Take it out of the file, or pass --except name'
  return [...variableMistakes, mistakeAt(file, { line, problem, hint }, field)]
}

function noSettings(files: readonly string[]): UsageError {
  return new UsageError(`There are no settings in ${displayNames(files)}`, {
    hint: 'analytics projects pull writes a file to start from',
  })
}

/** Settings of a project take a few KB, so a larger file is a mistake. */
const most = 1024 * 1024

/** Throws `UsageError` for a file that is unreadable, larger than 1 MB, or not UTF-8. */
export function readSettingsText(host: InputHost, file: string): Promise<string> {
  return readInputText(host, { file, where: displayName(file), most })
}

export function displayName(file: string): string {
  return file === '-' ? 'stdin' : file
}

export function displayNames(files: readonly string[]): string {
  return files.map(displayName).join(' and ')
}
