/** `--previous` saves the current values as settings files that can be applied later. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Context } from '../../../cli/command.ts'
import { lastingCommandLine } from '../../../cli/parsing/suggest-command.ts'
import { RefusedError, UsageError } from '../../../errors.ts'
import { linkTarget } from '../../../files/link-target.ts'
import { makePrivateFolder, missingFolders } from '../../../files/make-folder.ts'
import { checkWritable, writePrivateFile } from '../../../files/private-file.ts'
import { readRegularFile } from '../../../files/regular-file.ts'
import { reasonOf } from '../../../files/system-error.ts'
import { refuseSameFile } from '../../../operations/guards/refuse-same-file.ts'
import { type PreviousSettings, previousSettings } from '../../../settings/export-settings.ts'
import type { ComparedProject } from './compare-projects.ts'
import type { SettingsSources } from './settings-options.ts'

export type SavePrevious = (projects: readonly ComparedProject[]) => void

/** A file for one project, a folder for several. Throws `UsageError` if it is unwritable or an input file. */
export function preparePrevious(
  context: Context,
  path: string | undefined,
  { projects, many, files }: SettingsSources,
  markdown: string | undefined,
): SavePrevious {
  if (path === undefined) return () => undefined
  const target = resolve(context.host.cwd, path)
  const isFolder = many || isFolderNow(target)
  const fileOf = (id: string) => (isFolder ? join(target, `${id.replace('@', '')}.yaml`) : target)
  const written = projects.map(({ id = context.settings.values.project ?? '' }) => fileOf(id))
  const named = written.map(file => [isFolder ? `--previous (${basename(file)})` : '--previous', file])
  const made = isFolder ? missingFolders(target) : []
  const folders = made.map(folder => [folder === target ? '--previous' : `--previous (${folder})`, folder])
  refuseSameFile(context, {}, { ...Object.fromEntries([...folders, ...named]), '--markdown': markdown }, files)
  if (context.values.dryRun) return () => undefined
  if (isFolder) makeFolder(target)
  checkWritable(isFolder ? join(target, 'project.yaml') : target, '--previous')
  const commandFor = (id: string, named = id) =>
    lastingCommandLine(context, ['projects', 'apply', id, '-f', isFolder ? join(path, basename(fileOf(named))) : path])
  return projects => {
    const saved = projects.map(project => ({
      ...project,
      ...previousOf(project, commandFor(project.id, project.named)),
    }))
    for (const project of saved) refuseLostValues(project)
    for (const { named, where, yaml, omitted } of saved) {
      if (omitted.length > 0) context.messages.warn(cannotHold(omitted, where))
      const kept = keepOlder(fileOf(named), yaml)
      if (kept) context.messages.notice(`--previous: the older values of ${where} are kept in ${kept}`)
      writePrivateFile(fileOf(named), '--previous', yaml)
    }
    const [first] = projects
    if (!first) return
    if (isFolder) context.messages.notice(`To put a project back: ${commandFor('ID')}`)
    else context.messages.notice(`To put ${first.where} back: ${commandFor(first.id)}`)
  }
}

function previousOf({ item, desired }: ComparedProject, command: string): PreviousSettings {
  return previousSettings(item, command, field => desired.values.has(field))
}

/** Throws `RefusedError` if a value that is about to be replaced cannot be saved. */
function refuseLostValues({ changes, omitted, where }: ComparedProject & PreviousSettings): void {
  const lost = omitted.filter(field => changes.some(change => change.field === field))
  if (lost.length === 0) return
  throw new RefusedError(cannotHold(lost, where), {
    hint: `Nothing was changed; leave them as they are with --except ${lost.join()}`,
  })
}

function cannotHold(fields: readonly string[], where: string): string {
  return `--previous cannot hold ${fields.join(', ')} of ${where}: another type there, or nested too deeply`
}

/** A second run would overwrite the original values, so they are renamed. Returns the new name. */
function keepOlder(path: string, yaml: string): string | undefined {
  try {
    const file = linkTarget(path)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
    const older = readable(file)
    if (older === '' || (older !== undefined && valuesIn(older) === valuesIn(yaml))) return undefined
    let number = 1
    while (existsSync(`${file}.${number}`)) number++
    renameSync(file, `${file}.${number}`)
    return `${file}.${number}`
  } catch (cause) {
    throw new UsageError(`--previous: ${path} cannot be kept under another name${reasonOf(cause)}`, {
      hint: 'Give another file',
      cause,
    })
  }
}

/** Undefined if the file is not readable; it then counts as different. */
function readable(file: string): string | undefined {
  try {
    return String(readRegularFile(file))
  } catch {
    return undefined
  }
}

/** Removes the heading, which ends at the first empty line. */
function valuesIn(yaml: string): string {
  return yaml.slice(yaml.indexOf('\n\n') + 2)
}

function isFolderNow(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function makeFolder(path: string): void {
  try {
    makePrivateFolder(path)
  } catch (cause) {
    throw new UsageError(`--previous: ${path} cannot be made a folder`, { hint: 'Name another folder', cause })
  }
}
