import type { Context } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'

/** Throws `UsageError` for `--dry-run` where other programs use the sandbox. */
export function refuseDryRun({ values }: Context): void {
  if (!values.dryRun) return
  throw new UsageError('--dry-run does not reach the programs that use the sandbox', {
    hint: 'Give it to their analytics commands',
  })
}
