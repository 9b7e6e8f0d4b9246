import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { files } from './platform.ts'
import { checkRegular, isDescriptorPath, randomSuffix, writeAll } from './regular-file.ts'
import { codeOf, writing } from './system-error.ts'

/** Also makes missing parents. `recursive` of Node hangs within /proc. */
export function makePrivateFolder(folder: string): void {
  for (const missing of missingFolders(folder)) {
    try {
      mkdirSync(missing, { mode: 0o700 })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

export function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path)
  return missing
}

/** Writes atomically. Replaces a symlink, which another user may have planted. */
export function writePrivateFile(path: string, option: string, text: string | Iterable<string>): void {
  withFileBeside(path, option, (file, fresh) => {
    for (const part of typeof text === 'string' ? [text] : text) writeAll(file, part)
    fsyncSync(file)
    files.replace(fresh, path)
    files.sync(dirname(path))
  })
}

/** Throws `UsageError` if the file cannot be written. Call it before the work. */
export function checkWritable(path: string, option: string): void {
  withFileBeside(path, option, () => undefined)
}

/** Uses the same folder, since a rename works only within one disk. */
function withFileBeside(path: string, option: string, use: (file: number, fresh: string) => void): void {
  writing(`${option}: ${path} cannot be written`, 'Use another file', () => {
    const existing = statSync(files.path(path), { throwIfNoEntry: false })
    if (existing || isDescriptorPath(path)) checkRegular(existing, path)
    const fresh = join(dirname(path), `.${basename(path)}.${randomSuffix()}.tmp`)
    const file = openSync(fresh, 'wx', 0o600)
    try {
      use(file, fresh)
    } finally {
      closeSync(file)
      rmSync(fresh, { force: true })
    }
  })
}
