import { isAbsolute, relative } from 'node:path'
import type { Context } from '../../context.ts'
import { suggest } from '../../suggest-command.ts'
import type { Operation } from '../operation.ts'

/** `persons verify` reads only receipts of deleted persons. */
export function suggestVerify(context: Context, { command }: Operation, path: string): void {
  if (command !== 'persons delete') return
  const near = relative(context.host.cwd, path)
  suggest(context, ['persons', 'verify', '--receipt', near.startsWith('..') || isAbsolute(near) ? path : near])
}
