/** Tries a profile on its service while the user can still correct it. */
import { idOf } from '../../../api/answers/record-identity.ts'
import type { Client } from '../../../api/client.ts'
import { projects } from '../../../api/endpoints.ts'
import { list } from '../../../api/pages.ts'
import { type Config, configOfProfile } from '../../../config/current.ts'
import type { Profile } from '../../../config/resolve.ts'
import type { Context } from '../../../context.ts'
import { Failure, isForbidden, RateLimitedError, UnavailableError } from '../../../errors.ts'
import { type Json, textAt } from '../../../json/exact.ts'
import { cut } from '../../../text/cells.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { checkId } from '../../../values/ids.ts'
import { askKey, askUntil } from './ask.ts'

/** What was typed at a terminal for this profile, and can be asked for again. */
interface Asked {
  readonly key: boolean
  readonly project: boolean
}

/** Asks again for what was typed and the service refuses. Throws what else the service refuses, so nothing is saved. */
export async function checkedProfile(name: string, profile: Profile, context: Context, asked: Asked): Promise<Profile> {
  const { messages, host, config } = context
  if (context.values.sandbox) {
    messages.say('sandbox: the profile is not checked')
    return profile
  }
  for (let tried = profile; ; ) {
    try {
      const { client } = await context.connectAs(impatient(configOfProfile(name, tried, config.typed, host)))
      if (tried === profile) messages.notice(`Asking ${client.base.host} …`)
      if (tried.project !== undefined) {
        const project = await client.record(projects.get, { path: { id: tried.project } })
        messages.notice(`The key is accepted, and project ${tried.project} is ${nameOf(project.value) || 'there'}`)
        return tried
      }
      await showProjects(client, context)
      if (!asked.project) return tried
    } catch (error) {
      if (!(error instanceof Failure) || host.interrupted.aborted) throw error
      const isRefused = !(error instanceof UnavailableError || error instanceof RateLimitedError)
      const isKeyWrong = asked.key && error.facts.status === 401
      const isTyped = tried.project !== profile.project
      if (isRefused && !isKeyWrong && !isTyped) {
        messages.say('Nothing is saved; with --yes the profile is saved without a look at the service')
        throw error
      }
      messages.fault(error.message)
      if (isKeyWrong) {
        tried = { ...tried, apiKey: await askKey(context) }
        continue
      }
      if (!isRefused) {
        messages.say('The profile is not checked; analytics doctor does that later')
        if (tried.project !== undefined || !asked.project) return tried
        return { ...tried, project: await askProject(context) }
      }
    }
    tried = { ...tried, project: await askProject(context) }
    if (tried.project === undefined) return tried
  }
}

function askProject(context: Context): Promise<string | undefined> {
  return askUntil(context, 'Project id (empty: none): ', typed =>
    typed === '' ? undefined : checkId('projects', typed),
  )
}

/** More projects would not fit on a screen with the question. */
const most = 15

async function showProjects(client: Client, { messages, secrets }: Context): Promise<void> {
  const request = client.request(projects.list, { path: {}, query: { limit: most } })
  const { batches, seen } = list(client, request, { follow: false, limit: most })
  const rows: string[][] = []
  try {
    for await (const batch of batches) {
      for (const item of batch) {
        rows.push([idOf(item.value, 'projects'), cut(escapeControls(secrets.hide(nameOf(item.value))), 60)])
      }
    }
  } catch (error) {
    // A key of one project may not list them.
    if (!isForbidden(error)) throw error
    return messages.notice('The key may not list projects')
  }
  if (rows.length === 0) return messages.notice('The key is accepted')
  messages.say(`The key is accepted, for these projects${seen().more ? ' and others' : ''}:`)
  for (const [id = '', name = ''] of rows) messages.say(`  ${id.padEnd(8)}  ${name}`)
}

function nameOf(project: Json): string {
  return textAt(project, 'name') ?? ''
}

/** A person waits, so retries are fewer and waits shorter. */
function impatient(config: Config): Config {
  const { values, origins } = config
  const timeout = origins.timeout === 'default' ? 5 : values.timeout
  return { ...config, values: { ...values, timeout, retries: Math.min(values.retries, 1), maxWait: 10_000 } }
}
