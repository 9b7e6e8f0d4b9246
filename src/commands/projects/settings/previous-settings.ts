/** `--previous` saves the current values as settings files that can be applied later. */
import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import { RefusedError, UsageError } from '../../../errors.ts'
import { makePrivateFolder, missingFolders } from '../../../files/make-folder.ts'
import { checkWritable, writePrivateFile } from '../../../files/private-file.ts'
import { refuseSameFile } from '../../../runs/checks/same-file.ts'
import { previousSettings } from '../../../settings/export-settings.ts'
import { fields } from '../../../settings/fields.ts'
import { lastingCommandLine } from '../../../suggest-command.ts'
import type { ComparedProject } from './compare-projects.ts'
import type { SettingsSources } from './settings-options.ts'

/** A file for one project, a folder for several. Throws `UsageError` if it is unwritable or an input file. */
export function preparePrevious(
  context: Context,
  path: string | undefined,
  { projects, many, files }: SettingsSources,
  markdown: string | undefined,
): (projects: readonly ComparedProject[]) => void {
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

function cannotHold(omitted: ReturnType<typeof previousSettings>['omitted'], where: string): string {
  const reasons = omitted.map(({ field, problem }) => `${field} (${problem})`)
  return `--previous cannot hold the values of ${where} for ${reasons.join(', ')}`
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
