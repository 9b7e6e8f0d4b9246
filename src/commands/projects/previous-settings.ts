/** `--previous`: the current values as settings files that can be applied later. */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Context } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { makePrivateFolder } from '../../files/make-folder.ts'
import { checkWritable, writePrivateFile } from '../../files/private-file.ts'
import { previousSettings } from '../../settings/export-settings.ts'
import type { ComparedProject } from './compare-projects.ts'

export type SavePrevious = (projects: readonly ComparedProject[]) => void

/** A file for one project, a folder for many. Throws `UsageError` where `path` cannot be written. */
export function preparePrevious(context: Context, path: string | undefined, many: boolean): SavePrevious {
  if (path === undefined || context.values.dryRun) return () => undefined
  const target = resolve(context.host.cwd, path)
  const isFolder = many || (statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false)
  if (isFolder) makeFolder(target)
  checkWritable(isFolder ? join(target, 'project.yaml') : target, '--previous')
  return projects => {
    for (const { id, item, desired } of projects) {
      const text = previousSettings(item, field => desired.values.has(field))
      writePrivateFile(isFolder ? join(target, `${id.replace('@', '')}.yaml`) : target, '--previous', text)
    }
  }
}

function makeFolder(path: string): void {
  try {
    makePrivateFolder(path)
  } catch (cause) {
    throw new UsageError(`--previous: ${path} cannot be made a folder`, { hint: 'Name another folder', cause })
  }
}
