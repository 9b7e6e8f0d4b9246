import { resolve } from 'node:path'
import type { BulkOptions } from '../../cli/bulk-options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { fileIdentity } from '../../files/file-identity.ts'

/** Throws `UsageError` if an output is the same file as another output or an input, also through links. */
export function refuseSameFile(
  { host, values }: Context,
  options: Partial<BulkOptions>,
  others: Readonly<Record<string, string | undefined>> = {},
  inputs: readonly string[] = [],
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
  const unused = (name: string, path: string) => {
    const real = fileIdentity(resolve(host.cwd, path))
    const other = seen.get(real)
    if (other) throw new UsageError(`${other} and ${name} name the same file`, { hint: 'Give each its own' })
    return real
  }
  for (const [option, path] of Object.entries(named)) {
    if (path !== undefined && path !== '-') seen.set(unused(option, path), option)
  }
  for (const path of inputs) {
    if (path !== '-') unused(path, path)
  }
}
