import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'

/** Throws `UsageError` if two options name one file. */
export function refuseSameFile({ host }: Context, files: Readonly<Record<string, string | undefined>>): void {
  const seen = new Map<string, string>()
  for (const [option, file] of Object.entries(files)) {
    if (file === undefined || file === '-') continue
    const path = resolve(host.cwd, file)
    const other = seen.get(path)
    if (other) throw new UsageError(`${other} and ${option} name the same file`, { hint: 'Give each its own' })
    seen.set(path, option)
  }
}
