import type { Context, Result } from '../../cli/command.ts'
import { configFolder } from '../../profiles/folders.ts'
import { changeProfiles, type Profiles, readProfiles } from '../../profiles/store.ts'

/**
 * Keeps what `change` makes of the profiles, and says that it is `done`; a dry run only finds out whether it could be.
 * Throws `UsageError`.
 */
export async function save(
  { host, values, messages }: Context,
  change: (before: Profiles) => Profiles,
  done: string,
): Promise<Result> {
  const folder = configFolder(host)
  if (values.dryRun) {
    change(readProfiles(folder))
  } else {
    await changeProfiles(folder, host, change)
    messages.notice(done)
  }
  return { text: '' }
}
