import { changeProfiles, readProfiles } from '../../config/store.ts'
import { type Context, noData, type Result } from '../../context.ts'

/** A dry run saves nothing, but throws the same errors. `profileToRepair`: see `readProfiles`. */
export async function save(
  { host, values, messages }: Context,
  change: Parameters<typeof changeProfiles>[1],
  done: string,
  profileToRepair?: string,
): Promise<Result> {
  if (values.dryRun) change(readProfiles(host, profileToRepair))
  else {
    await changeProfiles(host, change, profileToRepair)
    messages.notice(done)
  }
  return { data: noData }
}
