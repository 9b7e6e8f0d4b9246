import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { linkTarget } from './link-target.ts'
import { checkRegular, isDescriptorPath } from './regular-file.ts'
import { writing } from './system-error.ts'
import { randomSuffix, syncFolder, writeAll } from './write.ts'

interface FreshFile {
  write(content: string | Uint8Array): void
  commit(): void
  /** Keeps the old file; does nothing after `commit`. */
  discard(): void
}

/** A file beside the target of `path`, since a rename works only within one disk. Throws the system's error. */
function createBeside(path: string): FreshFile {
  const target = linkTarget(path)
  const fresh = join(dirname(target), `.${basename(target)}.${randomSuffix()}.tmp`)
  const file = openSync(fresh, 'wx', 0o600)
  let left: 'open' | 'closed' | 'nothing' = 'open'
  const close = () => {
    if (left === 'open') closeSync(file)
    left = 'closed'
  }
  return {
    write: content => writeAll(file, content),
    commit() {
      fsyncSync(file)
      close()
      putInPlace(fresh, target)
      left = 'nothing'
    },
    discard() {
      if (left === 'nothing') return
      close()
      rmSync(fresh, { force: true })
    },
  }
}

function putInPlace(fresh: string, path: string): void {
  renameSync(fresh, path)
  syncFolder(dirname(path))
}

export function writePrivateFile(path: string, option: string, text: string | Iterable<string>): void {
  withPrivateFile(path, option, file => {
    for (const part of typeof text === 'string' ? [text] : text) file.write(part)
    file.commit()
  })
}

/** Throws `UsageError` before the work is done, not after it. */
export function checkWritable(path: string, option: string): void {
  withPrivateFile(path, option, () => undefined)
}

function withPrivateFile(path: string, option: string, use: (file: FreshFile) => void): void {
  writing(`${option}: ${path} cannot be written`, 'Give another file', () => {
    const existing = statSync(path, { throwIfNoEntry: false })
    if (existing || isDescriptorPath(path)) checkRegular(existing, path)
    const file = createBeside(path)
    try {
      use(file)
    } finally {
      file.discard()
    }
  })
}
