import { isAbsolute, relative } from 'node:path'
import type { Change } from '../bulk/changes.ts'
import type { Context } from '../cli/command.ts'
import { suggest } from '../cli/next.ts'

/** Says how a receipt at `path` is checked later; `persons verify` reads only those of persons deleted. */
export function suggestVerify(context: Context, { command }: Change, path: string): void {
  if (command !== 'persons delete') return
  const near = relative(context.host.cwd, path)
  suggest(context, ['persons', 'verify', '--receipt', near.startsWith('..') || isAbsolute(near) ? path : near])
}
