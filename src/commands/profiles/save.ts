import type { Context, Result } from '../../cli/command.ts'
import { configFolder } from '../../profiles/folders.ts'
import { changeProfiles, type Profiles, readProfiles } from '../../profiles/store.ts'

/**
 * Keeps what `change` makes of the profiles, and says that it is `done`, with an `account` of it where one is wanted; a
 * dry run only finds out whether it could be. Throws `UsageError`.
 */
export async function save(
  { host, values, messages }: Context,
  change: (before: Profiles) => Profiles,
  done: string,
  account: (after: Profiles) => readonly string[] = () => [],
): Promise<Result> {
  const folder = configFolder(host)
  if (values.dryRun) {
    change(readProfiles(folder))
  } else {
    const after = await changeProfiles(folder, host, change)
    for (const line of [done, ...account(after)]) messages.notice(line)
  }
  return { text: '' }
}
