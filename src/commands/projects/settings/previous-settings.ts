/** `--previous` saves the current values as settings files that can be applied later. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import { RefusedError, UsageError } from '../../../errors.ts'
import { linkTarget } from '../../../files/link-target.ts'
import { makePrivateFolder, missingFolders } from '../../../files/make-folder.ts'
import { checkWritable, writePrivateFile } from '../../../files/private-file.ts'
import { readRegularFile } from '../../../files/regular-file.ts'
import { reasonOf } from '../../../files/system-error.ts'
import { refuseSameFile } from '../../../runs/checks/same-file.ts'
import { type Omitted, previousSettings } from '../../../settings/export-settings.ts'
import { fields } from '../../../settings/fields.ts'
import { lastingCommandLine } from '../../../suggest-command.ts'
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
  const written = projects.map(({ id = context.config.values.project ?? '' }) => fileOf(id))
  const named = written.map(file => [isFolder ? `--previous (${basename(file)})` : '--previous', file])
  const made = isFolder ? missingFolders(target) : []
  const folders = made.map(folder => [folder === target ? '--previous' : `--previous (${folder})`, folder])
  refuseSameFile(context, { ...Object.fromEntries([...folders, ...named]), '--markdown': markdown }, files)
  if (context.values.dryRun) return () => undefined
  if (isFolder) makeFolder(target)
  checkWritable(isFolder ? join(target, 'project.yaml') : target, '--previous')
  const isDocumented = projects.every(({ desired }) => [...desired.values.keys()].every(field => fields.has(field)))
  const commandFor = (id: string, named = id) => {
    const file = isFolder ? join(path, basename(fileOf(named))) : path
    return lastingCommandLine(context, [
      'projects',
      'apply',
      id,
      '-f',
      file,
      ...(isDocumented ? [] : ['--undocumented']),
    ])
  }
  return projects => {
    for (const { id, named, where, item, desired } of projects) {
      const { yaml, omitted } = previousSettings(item, commandFor(id, named), field => desired.values.has(field))
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

/** Throws `RefusedError` if a value that is about to be replaced cannot be saved. */
export function refuseLostValues(projects: readonly ComparedProject[]): void {
  for (const { item, changes, where } of projects) {
    const { omitted } = previousSettings(item, '', field => changes.some(change => change.field === field))
    if (omitted.length === 0) continue
    throw new RefusedError(cannotHold(omitted, where), {
      hint: `Nothing was changed; leave them as they are with --except ${omitted.map(({ field }) => field).join()}`,
    })
  }
}

function cannotHold(omitted: readonly Omitted[], where: string): string {
  const reasons = omitted.map(({ field, problem }) => `${field} (${problem})`)
  return `--previous cannot hold the values of ${where} for ${reasons.join(', ')}`
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
