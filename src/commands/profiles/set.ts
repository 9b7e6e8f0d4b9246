import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../config/folders.ts'
import { profileOf, readProfiles, refuseShared } from '../../config/store.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { Result } from '../../result.ts'
import { changed, changesOf, editing, save } from './edit.ts'

export default defineCommand({
  summary: 'Change a profile, or rotate its key',
  details:
    'An empty value, as in --project "", takes a setting away. If the base URL moves to another host, give a key for that host too: the old key does not go there. At a terminal a new base URL, key or project is tried once: what the service refuses is not saved. In a script, and with --yes or --no-input, nothing is sent. Without options it removes from the profile what this version does not know.',
  args: { name: argument('NAME', 'the profile to change') },
  options: editing,
  examples: [
    'profiles set prod --project 43 # Another project',
    'profiles set prod --safety read-only # Refuse every write from now on',
  ],
  async run({ name }, options, context) {
    const folder = configFolder(context.host)
    const isBare = !Object.values(options).some(value => value !== undefined && value !== false) && !isTyped(context)
    if (isBare) return clean(name, context)
    const known = profileOf(readProfiles(folder), name)
    refuseShared(folder)
    const changes = await changesOf(name, known, options, context)
    return save(
      context,
      before => {
        const profile = changed(profileOf(before, name), changes, context)
        return { ...before, profiles: { ...before.profiles, [name]: profile } }
      },
      `Changed profile ${name}`,
    )
  },
})

function isTyped({ config }: Context): boolean {
  const { baseUrl, project, organization, output } = config.typed
  return [baseUrl, project, organization, output].some(value => value !== undefined)
}

async function clean(name: string, context: Context): Promise<Result> {
  const folder = configFolder(context.host)
  profileOf(readProfiles(folder, name), name)
  if (isReadable(folder)) throw new UsageError('No changes given', { hint: 'See analytics profiles set --help' })
  return save(context, before => before, `Removed from profile ${name} what is not known`, name)
}

function isReadable(folder: string): boolean {
  try {
    return Boolean(readProfiles(folder))
  } catch {
    return false
  }
}
