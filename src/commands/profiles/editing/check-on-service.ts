/** Checks a profile with its service while the user can still correct it. */

import { type Config, configOfProfile } from '../../../config/current.ts'
import type { Profile } from '../../../config/resolve.ts'
import type { Context } from '../../../context.ts'
import {
  AuthError,
  Failure,
  isForbidden,
  NotFoundError,
  notTheService,
  RateLimitedError,
  RefusedError,
  RejectedError,
  UnavailableError,
  UsageError,
} from '../../../errors.ts'
import { checkId } from '../../../values/ids.ts'
import { askKey, askUntil } from './ask.ts'
import {
  type AvailableProjects,
  projectNameOf,
  readAvailableProjects,
  showAvailableProjects,
} from './available-projects.ts'

/** What was typed at a terminal for this profile, and can be asked for again. */
interface Asked {
  readonly key: boolean
  readonly project: boolean
}

/** Returns the profile with what the service accepts; asks again for what it refuses, or whether to save it anyway. */
export async function checkedProfile(name: string, profile: Profile, context: Context, asked: Asked): Promise<Profile> {
  const { messages, host, config } = context
  if (context.values.sandbox) {
    messages.say('sandbox: the profile is not checked')
    return profile
  }
  let available: AvailableProjects | undefined
  const withProject = async (tried: Profile) => ({ ...tried, project: await askProject(available, context) })
  for (let tried = profile; ; ) {
    const { project } = tried
    try {
      const { client } = await context.connectAs(patient(configOfProfile(name, tried, config.typed, host)))
      if (tried === profile) messages.notice(`Asking ${client.base.host} …`)
      if (project !== undefined) {
        messages.notice(accepted(project, await projectNameOf(client, project)))
        return tried
      }
      available = await readAvailableProjects(client)
      showAvailableProjects(available, asked.project, context)
      if (!asked.project) return tried
      tried = await withProject(tried)
      if (tried.project === undefined || available?.names.has(tried.project)) return tried
    } catch (error) {
      if (!(error instanceof Failure) || host.interrupted.aborted) throw error
      if (asked.key && isKeyRefused(error)) {
        messages.fault(error.message)
        tried = { ...tried, apiKey: await askKey(context) }
      } else if (project !== profile.project && isMistake(error)) {
        messages.fault(error.message)
        tried = await withProject(tried)
        if (tried.project === undefined) return tried
      } else {
        await keepAnyway(error, context)
        return project === undefined && asked.project ? withProject(tried) : tried
      }
    }
  }
}

function askProject(available: AvailableProjects | undefined, context: Context): Promise<string | undefined> {
  const [only] = available?.names.size === 1 && !available.more ? available.names.keys() : []
  const question = `Project id (empty: ${only ?? 'none'}): `
  return askUntil(context, question, typed => (typed === '' ? only : checkId('projects', typed)))
}

function accepted(project: string, name: string): string {
  return `The key is accepted, and project ${project} is ${name === '' ? 'there' : name}`
}

/** True if the service itself refused the key, or nobody can: not for a proxy or firewall. */
function isKeyRefused(failure: Failure): boolean {
  const { status, code } = failure.facts
  return failure instanceof AuthError && status !== 403 && code !== notTheService
}

/** True if another project id can help: the service answered, but refused this one. */
function isMistake(failure: Failure): boolean {
  const kinds = [NotFoundError, RejectedError, UsageError]
  return failure.facts.code !== notTheService && (kinds.some(kind => failure instanceof kind) || isForbidden(failure))
}

/** Does not ask if the service is unreachable, since that says nothing about the profile. */
async function keepAnyway(failure: Failure, context: Context): Promise<void> {
  const { host, messages } = context
  messages.fault(failure.message)
  if (failure instanceof UnavailableError || failure instanceof RateLimitedError) {
    return messages.say('The profile is not checked; analytics doctor does that later')
  }
  if (failure.facts.hint) messages.say(failure.facts.hint)
  await host.stdin.dropTyped?.()
  // Hidden, because somebody may paste the right key here; anything but an answer is asked again.
  if (await askUntil(context, 'Save it anyway? [y/N] (not shown) ', yesOrNo, true)) return
  throw new RefusedError('Declined: nothing was saved', { ...failure.facts, hint: undefined, cause: failure })
}

function yesOrNo(typed: string): boolean {
  if (/^y(es)?$/i.test(typed)) return true
  if (/^(no?)?$/i.test(typed)) return false
  throw new UsageError('That is neither y nor n')
}

/** The user is waiting, so retries are fewer and waits shorter. */
function patient(config: Config): Config {
  const { values, origins } = config
  return {
    ...config,
    values: {
      ...values,
      timeout: origins.timeout === 'default' ? 5 : values.timeout,
      retries: Math.min(values.retries ?? 1, 1),
      maxWait: Math.min(values.maxWait ?? 10_000, 10_000),
    },
  }
}
