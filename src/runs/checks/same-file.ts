import { resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { fileIdentity } from '../../files/file-identity.ts'

/** Throws `UsageError` if a named file is the same as another one or as an input, also through links. */
export function refuseSameFile(
  { host }: Context,
  files: Readonly<Record<string, string | undefined>>,
  inputs: readonly string[] = [],
): void {
  const seen = new Map<string, string>()
  const unused = (name: string, path: string) => {
    const real = fileIdentity(resolve(host.cwd, path))
    const other = seen.get(real)
    if (other) throw new UsageError(`${other} and ${name} name the same file`, { hint: 'Give each its own' })
    return real
  }
  for (const [option, path] of Object.entries(files)) {
    if (path !== undefined && path !== '-') seen.set(unused(option, path), option)
  }
  for (const path of inputs) {
    if (path !== '-') unused(path, path)
  }
}
