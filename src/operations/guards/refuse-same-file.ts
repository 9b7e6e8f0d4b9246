import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Context } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import type { TargetOptions } from '../targets/target-options.ts'

/** Two outputs in one file would overwrite each other. Follows links. */
export function refuseSameFile(
  { host, values }: Context,
  options: Partial<TargetOptions>,
  others: Readonly<Record<string, string | undefined>> = {},
): void {
  const named = {
    '--from': options.from,
    '--distinct-ids-from': options.distinctIdsFrom,
    '--emails-from': options.emailsFrom,
    '--rows': options.rows,
    '--unmatched': options.unmatched,
    '--backup': options.backup,
    '--receipt': options.receipt,
    '--plan': options.plan,
    '--output-file': values.outputFile,
    ...others,
  }
  const seen = new Map<string, string>()
  for (const [option, path] of Object.entries(named)) {
    if (path === undefined || path === '-') continue
    const real = realPath(resolve(host.cwd, path))
    const other = seen.get(real)
    if (other) throw new UsageError(`${other} and ${option} name the same file`, { hint: 'Give each its own' })
    seen.set(real, option)
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // A new file may be in a folder that is a link.
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path))
  }
}
