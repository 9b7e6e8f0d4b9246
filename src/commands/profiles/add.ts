import { type Context, defineCommand } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { exitsOfCalls, UsageError } from '../../errors.ts'
import { configFolder } from '../../profiles/folders.ts'
import type { Profile } from '../../profiles/resolve.ts'
import { configFile, readProfiles, refuseShared } from '../../profiles/store.ts'
import { isAttended } from './editing/ask.ts'
import { askMissing } from './editing/ask-missing.ts'
import { describeProfile } from './editing/describe-profile.ts'
import { changed, editing, typedChanges } from './editing/profile-options.ts'
import { save } from './editing/save.ts'

export default defineCommand({
  summary: 'Keep a service, its key and a project under a name',
  details:
    'At a terminal it asks for what is missing. Then it reads from the service whether the key is accepted and the project is there. If no project was given, it shows the projects to choose from. If something is wrong, it asks whether to save the profile all the same. If the service cannot be reached, the profile is saved without this check. In a script, and with --yes or --no-input, nothing is sent. The key is never an option, because ps would show it. The first profile that is added is the one in use.',
  calls: [],
  exits: exitsOfCalls,
  args: { name: argument('NAME', 'name of the profile') },
  options: editing,
  examples: [
    'profiles add prod --base-url https://analytics.example.com --project 42 # At a terminal: it asks for the key',
    'profiles add ci --base-url https://analytics.example.com --api-key-command "op read op://ops/analytics/key" --safety no-delete # With a command that prints the key',
  ],
  async run({ name }, options, context) {
    checkName(name)
    const folder = configFolder(context.host)
    const refuseTaken = (profiles: object) => {
      if (!Object.hasOwn(profiles, name)) return
      throw new UsageError(`There is a profile ${name} already`, {
        hint: `Change it with: analytics profiles set ${name}`,
      })
    }
    refuseTaken(readProfiles(folder).profiles)
    refuseShared(folder)
    const completed = await askMissing(changed({}, await typedChanges(context, options), context), context)
    const attended = isAttended(context)
    const profile = attended ? await withProject(name, completed, context) : completed
    return save(
      context,
      before => {
        refuseTaken(before.profiles)
        return { ...before, current: before.current ?? name, profiles: { ...before.profiles, [name]: profile } }
      },
      `Added profile ${name} to ${configFile(folder)}`,
      after => (attended ? describeProfile(name, after) : []),
    )
  },
})

async function withProject(name: string, profile: Profile, context: Context): Promise<Profile> {
  const { checkedProject } = await import('./editing/check-on-service.ts')
  const project = await checkedProject(name, profile, context, true)
  return project === undefined ? profile : { ...profile, project }
}

/** Refuses a name that needs quotes or looks like an option or a path. */
function checkName(name: string): void {
  if (/^[\w][\w.@-]{0,63}$/.test(name) && name !== '__proto__') return
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a profile`, {
    hint: 'Use letters, digits, dots, dashes and underscores',
  })
}
