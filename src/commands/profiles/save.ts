import { changeProfiles, type Profiles, readProfiles } from '../../config/store.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { noData, type Result } from '../../result.ts'

/** Throws `UsageError` for a name that is taken, needs quotes, or looks like an option or a path. */
export function checkNewName({ profiles }: Profiles, name: string): void {
  if (!/^[\w][\w.@-]{0,63}$/.test(name) || name === '__proto__') {
    throw new UsageError(`${JSON.stringify(name)} cannot be the name of a profile`, {
      hint: 'Use letters, digits, dots, dashes and underscores',
    })
  }
  if (!Object.hasOwn(profiles, name)) return
  throw new UsageError(`Profile ${name} exists already`, { hint: `Change it with: analytics profiles set ${name}` })
}

/** A dry run saves nothing, but throws the same errors. `profileToRepair`: see `readProfiles`. */
export async function save(
  { host, values, messages }: Context,
  change: (before: Profiles) => Profiles,
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
