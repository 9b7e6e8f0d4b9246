/** Checks a profile with its service while the user can still correct it. */
import type { Client } from '../../../api/client.ts'
import type { Context } from '../../../cli/command.ts'
import {
  Failure,
  isForbidden,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  RejectedError,
  UnavailableError,
  UsageError,
} from '../../../errors.ts'
import { type Settings, settingsOfProfile } from '../../../profiles/current.ts'
import type { Profile } from '../../../profiles/resolve.ts'
import { checkId } from '../../../values/ids.ts'
import { askUntil } from './ask.ts'
import {
  type AvailableProjects,
  projectNameOf,
  readAvailableProjects,
  showAvailableProjects,
} from './available-projects.ts'

/** Returns the project; asks for it if `wanted`. After a failure asks whether to save, and throws if not. */
export async function checkedProject(
  name: string,
  profile: Profile,
  context: Context,
  wanted: boolean,
): Promise<string | undefined> {
  const { project } = profile
  if (context.values.sandbox) {
    context.messages.say('sandbox: the profile is not checked')
    return project
  }
  const unchecked = async (failure: Failure) => {
    await keepAnyway(failure, context)
    return project ?? (wanted ? askProject(undefined, context) : undefined)
  }
  const settings = patient(settingsOfProfile(name, profile, context.settings.typed, context.host))
  const client = await attempt(async () => (await context.connectAs(settings)).client, context)
  if (client instanceof Failure) return unchecked(client)
  context.messages.notice(`Asking ${client.base.host} …`)
  if (project !== undefined) {
    const found = await attempt(() => projectNameOf(client, project), context)
    if (found instanceof Failure) return unchecked(found)
    context.messages.notice(accepted(project, found))
    return project
  }
  const available = await attempt(() => readAvailableProjects(client), context)
  if (available instanceof Failure) return unchecked(available)
  showAvailableProjects(available, wanted, context)
  return wanted ? choose(available, client, context) : undefined
}

const tries = 3

async function choose(
  available: AvailableProjects | undefined,
  client: Client,
  context: Context,
): Promise<string | undefined> {
  for (let left = tries; ; ) {
    const project = await askProject(available, context)
    if (project === undefined || available?.names.has(project)) return project
    const name = await attempt(() => projectNameOf(client, project), context)
    if (!(name instanceof Failure)) {
      context.messages.notice(accepted(project, name))
      return project
    }
    left--
    if (left === 0 || !isMistake(name)) {
      await keepAnyway(name, context)
      return project
    }
    context.messages.warn(name.message)
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

/** True if another project id can help: the service answered, but refused this one. */
function isMistake(failure: Failure): boolean {
  const kinds = [NotFoundError, RejectedError, UsageError]
  return !failure.facts.page && (kinds.some(kind => failure instanceof kind) || isForbidden(failure))
}

/** Does not ask if the service is unreachable, since that says nothing about the profile. */
async function keepAnyway(failure: Failure, { host, messages }: Context): Promise<void> {
  messages.warn(failure.message)
  if (failure instanceof UnavailableError || failure instanceof RateLimitedError) {
    return messages.say('The profile is not checked; analytics doctor does that later')
  }
  if (failure.facts.hint) messages.say(failure.facts.hint)
  const answer = await host.stdin.ask('Save it anyway? [y/N] ')
  if (/^y(es)?$/i.test(answer?.trim() ?? '')) return
  throw new RefusedError('Declined: nothing was saved', { ...failure.facts, hint: undefined, cause: failure })
}

async function attempt<T>(work: () => Promise<T>, { host }: Context): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && !host.interrupted.aborted) return error
    throw error
  }
}

/** The user is waiting, so retries are fewer and waits shorter. */
function patient(settings: Settings): Settings {
  const { values, origins } = settings
  return {
    ...settings,
    values: {
      ...values,
      timeout: origins.timeout === 'default' ? 5 : values.timeout,
      retries: Math.min(values.retries ?? 1, 1),
      maxWait: Math.min(values.maxWait ?? 10_000, 10_000),
    },
  }
}
