import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../config/folders.ts'
import type { Profile } from '../../config/resolve.ts'
import { configFile, readProfiles, refuseShared } from '../../config/store.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { parseUrl } from '../../values/url.ts'
import { askKey, askUntil, isAttended, mayAsk } from './editing/ask.ts'
import { changed, checkFiles, editing, typedChanges } from './editing/profile-options.ts'
import { save } from './editing/save.ts'

export default defineCommand({
  summary: 'Keep a service, its key and a project under a name',
  details:
    'At a terminal it asks for what is missing. Then it reads from the service whether the key is accepted and the project is there. If no project was given, it shows the projects to choose from. A key or project that was typed and that the service refuses is asked for again; if it refuses anything else, nothing is saved. If the service cannot be reached, the profile is saved without this check. In a script, and with --yes or --no-input, nothing is sent. The key is never an option, because ps would show it. The first profile that is added is the one in use.',
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
    const changes = await typedChanges(context, options)
    const given = changed({}, changes, context)
    await checkFiles(given, changes, context)
    const completed = await askMissing(given, context)
    const asked = { key: options.apiKeyCommand === undefined, project: true }
    const profile = isAttended(context)
      ? await (await import('./editing/check-on-service.ts')).checkedProfile(name, completed, context, asked)
      : completed
    return save(
      context,
      before => {
        refuseTaken(before.profiles)
        return { ...before, current: before.current ?? name, profiles: { ...before.profiles, [name]: profile } }
      },
      () => `Added profile ${name} to ${configFile(folder)}`,
    )
  },
})

async function askMissing(profile: Profile, context: Context): Promise<Profile> {
  const keyed = profile.apiKey !== undefined || profile.apiKeyCommand !== undefined
  if (profile.baseUrl !== undefined && keyed) return profile
  if (!mayAsk(context)) {
    throw profile.baseUrl === undefined
      ? new UsageError('A profile needs a base URL', { hint: 'Give --base-url' })
      : new UsageError('A profile needs a key', { hint: 'Give --api-key-stdin or --api-key-command' })
  }
  const addressed =
    profile.baseUrl === undefined
      ? await askUntil(context, 'Base URL: ', typed => changed(profile, { baseUrl: address(typed) }, context))
      : profile
  return keyed ? addressed : { ...addressed, apiKey: await askKey(context) }
}

/** The message does not repeat the text, which may be the key. */
function address(typed: string): string {
  if (parseUrl(typed)) return typed
  throw new UsageError('That is not a base URL', { hint: 'Give one such as https://analytics.example.com' })
}

/** Refuses a name that needs quotes or looks like an option or a path. */
function checkName(name: string): void {
  if (/^[\w][\w.@-]{0,63}$/.test(name) && name !== '__proto__') return
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a profile`, {
    hint: 'Use letters, digits, dots, dashes and underscores',
  })
}
