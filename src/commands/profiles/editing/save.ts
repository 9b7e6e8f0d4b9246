import { configFolder } from '../../../config/folders.ts'
import { changeProfiles, type Profiles, readProfiles } from '../../../config/store.ts'
import type { Context } from '../../../context.ts'
import { noData, type Result } from '../../../result.ts'

/** A dry run saves nothing, but throws the same errors. */
export async function save(
  { host, values, messages }: Context,
  change: (before: Profiles) => Profiles,
  done: (after: Profiles) => string,
): Promise<Result> {
  const folder = configFolder(host)
  if (values.dryRun) change(readProfiles(folder))
  else messages.notice(done(await changeProfiles(folder, host, change)))
  return { data: noData }
}
